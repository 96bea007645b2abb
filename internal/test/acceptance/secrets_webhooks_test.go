package acceptance_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const talkativeWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: talkative.NS}
webhooks:
- name: talkative.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: %q}
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NS}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE, DELETE], resources: [secrets, configmaps]}]
`

// installWebhook installs a webhook that quotes data of the old object as they are, base64 decoded, and waits until it
// is in effect. It refuses the request, or warns.
func installWebhook(s *story.Story, warns bool, say func(data map[string]string) string) {
	s.T.Helper()
	var called atomic.Bool
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			Request struct {
				UID       string
				OldObject struct {
					Kind string
					Data map[string]string
				}
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&review)
		data := map[string]string{}
		for key, value := range review.Request.OldObject.Data {
			if plain, err := base64.StdEncoding.DecodeString(value); err == nil && review.Request.OldObject.Kind == "Secret" {
				value = string(plain)
			}
			data[key] = value
		}
		called.Store(true)
		response := map[string]any{"uid": review.Request.UID, "allowed": warns, "status": map[string]any{"message": say(data)}}
		if warns {
			response["warnings"] = []string{strings.ReplaceAll(say(data), "\n", " ")} // The server drops others.
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response})
	}))
	s.T.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	object := s.Parse(fmt.Sprintf(talkativeWebhook, server.URL))
	webhooks, _, _ := unstructured.NestedSlice(object.Object, "webhooks")
	webhooks[0].(map[string]any)["clientConfig"].(map[string]any)["caBundle"] = base64.StdEncoding.EncodeToString(authority)
	story.Must(s.T, unstructured.SetNestedSlice(object.Object, webhooks, "webhooks"))
	client, name := s.ResourceOf(object), object.GetName()
	_, err := client.Create(s.T.Context(), object, metav1.CreateOptions{})
	story.Must(s.T, err)
	s.T.Cleanup(func() { _ = client.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	change := labelling(s, bareSecret)
	story.Must(s.T, wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 30*time.Second, true, func(ctx context.Context) (bool, error) {
		_ = change(ctx)
		return called.Load(), nil
	}))
}

// The words of a webhook are shown without the values of the object on the cluster, and withheld if they have a short
// value.
func TestWebhooksTellNothing(t *testing.T) {
	t.Parallel()
	long := func(data map[string]string) string {
		return "data is " + data["x"] + " and\n" + encoded(data["other"]) + ", or " + fmt.Sprintf("%x", data["x"])
	}
	short := func(data map[string]string) string { return "the password is " + data["short"] }
	inside := func(data map[string]string) string { return "the URL is https://me:" + data["short"] + "@host" }
	const withheld = "(message withheld: it may contain a value of the Secret). To see it, make the same change with kubectl"
	for name, test := range map[string]struct {
		warns bool
		say   func(data map[string]string) string
		says  []string
	}{
		"an error":                       {false, long, []string{`admission webhook "talkative.example.com" denied the request: data is (sensitive) and (sensitive), or (sensitive).`}},
		"a warning":                      {true, long, []string{"data is (sensitive) and (sensitive), or (sensitive)"}},
		"a short value in an error":      {false, short, []string{`admission webhook "talkative.example.com" denied the request: ` + withheld}},
		"a short value in a warning":     {true, short, []string{withheld}},
		"a short value inside of a word": {false, inside, []string{withheld}},
		"a warning that tells nothing":   {true, func(map[string]string) string { return "every Secret needs a team" }, []string{"every Secret needs a team"}},
		"a value at the end of a summary": {true, func(data map[string]string) string {
			return "this warning is as long as the summary of a warning may be, and its value is " + data["x"]
		}, []string{"and its value is (sensitive)"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("kubectl-create").Create(theirSecret())
			installWebhook(s, test.warns, test.say)
			w := s.HostedWorkspace()
			w.Configure(s.PatchBlock("test", credentials, "metadata: {labels: {ours: label}}"))
			out, err := w.Try("plan")
			if (err == nil) != test.warns || !story.Saying(test.says...).MatchString(out) {
				t.Errorf("the plan does not say %q: %v\n%s", test.says, err, out)
			}
			tellsNothing(t, "the plan", out, theirs, theirsToo, theirsShort)
		})
	}
}
