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
	story.Must(s.T, wait.PollUntilContextTimeout(s.T.Context(), 100*time.Millisecond, 90*time.Second, true, func(ctx context.Context) (bool, error) {
		_ = change(ctx)
		return called.Load(), nil
	}))
}

// The words of a webhook about a Secret are not shown, whatever they quote, and the message says how to see them.
func TestWebhooksTellNothing(t *testing.T) {
	t.Parallel()
	say := func(data map[string]string) string {
		return "data is " + data["x"] + " and\n" + encoded(data["other"]) + ", or " + fmt.Sprintf("%x", data["x"]) +
			", and the URL is https://me:" + data["short"] + "@host, " + data["tiny"]
	}
	const withheld = "Its message is not shown, because the object has secret values. To see it, run kubectl apply --server-side --dry-run=server -f FILE"
	for name, test := range map[string]struct {
		warns bool
		says  string
	}{
		"an error":  {false, "the admission webhook talkative.example.com refuses it. "},
		"a warning": {true, "An admission webhook or the API server warns "},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			s.As("kubectl-create").Create(theirSecret())
			installWebhook(s, test.warns, say)
			w := s.HostedWorkspace()
			w.Configure(s.PatchBlock("test", credentials, "metadata: {labels: {ours: label}}"))
			out, err := w.Try("plan")
			if (err == nil) != test.warns || !story.Saying(test.says+withheld).MatchString(out) {
				t.Errorf("the plan does not say %q: %v\n%s", test.says, err, out)
			}
			tellsNothing(t, "the plan", out, theirs, theirsToo, theirsShort, theirsTiny)
		})
	}
}
