package kube

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// sent is one request as the server got it.
type sent struct{ Method, URI, ContentType, Body string }

// serveDiscovery answers for a server that has pods and namespaces.
func serveDiscovery(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	fmt.Fprint(w, aggregated(map[string]string{"/api": coreGroup}[r.URL.Path]))
}

// serve starts a server, also for tests that wait in a bubble of package synctest: start it outside. Connections that stay open
// would keep the time of a bubble from passing, so it closes each after one request. It is no httptest.Server, because those reach
// into the bubbles of other tests when they close.
func serve(t *testing.T, handler http.HandlerFunc) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	server.SetKeepAlivesEnabled(false)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// clientOf returns a client of a server without credentials.
func clientOf(t *testing.T, address string) *Client {
	t.Helper()
	client, err := NewPool(connect.Options{}).Client(connect.Config{Host: address})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// recordingServer answers discovery, and every other request with code and body; it records these other requests.
func recordingServer(t *testing.T, code int, body string) (*Client, *[]sent) {
	t.Helper()
	var requests []sent
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api" || r.URL.Path == "/apis" {
			serveDiscovery(w, r)
			return
		}
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		requests = append(requests, sent{r.Method, r.RequestURI, r.Header.Get("Content-Type"), string(text)})
		w.Header().Set("Content-Type", "application/json")
		for _, text := range []string{"first", "second", "first"} {
			w.Header().Add("Warning", fmt.Sprintf(`299 - "%s"`, text))
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	})
	return clientOf(t, address), &requests
}

var pod = manifest.Identity{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web:1"}

const podAnswer = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web:1","uid":"u"},"spec":{"priority":9007199254740993}}`

func TestApplyRequest(t *testing.T) {
	t.Parallel()
	body := map[string]any{
		"apiVersion": "v1",
		"kind":       "Pod",
		"spec":       map[string]any{"priority": int64(9007199254740993), "note": "<\x7f>"},
	}
	const text = `{"apiVersion":"v1","kind":"Pod","spec":{"note":"\u003c\u007f\u003e","priority":9007199254740993}}`
	cases := map[string]struct {
		opts    cluster.ApplyOptions
		code    int
		query   string
		outcome cluster.Outcome
	}{
		"a forced dry-run of a new object": {
			cluster.ApplyOptions{FieldManager: "k8s connect", DryRun: true, Force: true}, 201,
			"dryRun=All&fieldManager=k8s+connect&fieldValidation=Strict&force=true", cluster.Created,
		},
		"an apply that takes nothing": {
			cluster.ApplyOptions{FieldManager: "m"}, 200, "fieldManager=m&fieldValidation=Strict", cluster.Updated,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, requests := recordingServer(t, tc.code, podAnswer)
			applied, err := client.Apply(t.Context(), pod, body, tc.opts)
			if err != nil {
				t.Fatal(err)
			}
			want := []sent{{"PATCH", "/api/v1/namespaces/prod/pods/web:1?" + tc.query, "application/apply-patch+yaml", text}}
			if diff := cmp.Diff(want, *requests); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if applied.Outcome != tc.outcome {
				t.Errorf("outcome: want %s, got %s", tc.outcome, applied.Outcome)
			}
			if diff := cmp.Diff([]string{"first", "second"}, applied.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			spec := applied.Object.Object["spec"].(map[string]any)
			if diff := cmp.Diff(int64(9007199254740993), spec["priority"]); diff != "" {
				t.Errorf("integer (-want +got):\n%s", diff)
			}
		})
	}
}

// The apply that creates an object fails if the object exists, whatever its version, and client-go does not send it again.
func TestCreateRequest(t *testing.T) {
	t.Parallel()
	body := map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web:1"}}
	client, requests := recordingServer(
		t,
		503,
		`{"kind":"Status","apiVersion":"v1","status":"Failure","code":503,"details":{"retryAfterSeconds":1}}`,
	)
	_, err := client.Apply(t.Context(), pod, body, cluster.ApplyOptions{FieldManager: "m", New: true})
	if failed, is := errors.AsType[*cluster.Error](err); !is || !failed.OutcomeUnknown {
		t.Errorf("error %v", err)
	}
	want := []sent{{
		"PATCH", "/api/v1/namespaces/prod/pods/web:1?fieldManager=m&fieldValidation=Strict", "application/apply-patch+yaml",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web:1","resourceVersion":"9223372036854775807"}}`,
	}}
	if diff := cmp.Diff(want, *requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestApplyRefusesWhatItCannotSend(t *testing.T) {
	t.Parallel()
	secret := manifest.Identity{APIVersion: "v1", Kind: "Secret", Namespace: "prod", Name: "s"}
	named := func(namespace, name string) manifest.Identity {
		return manifest.Identity{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name}
	}
	cases := map[string]struct {
		id    manifest.Identity
		body  map[string]any
		field string
	}{
		"a number in a Secret": {
			secret,
			map[string]any{"stringData": map[string]any{"a": "ok", "pin": int64(424242)}},
			"stringData[pin]",
		},
		"a map in a Secret": {
			secret,
			map[string]any{"data": map[string]any{"a": map[string]any{"b": "424242"}}},
			"data[a]",
		},
		"a Secret whose data is a text":   {secret, map[string]any{"stringData": "424242"}, "stringData"},
		"a name that climbs the path":     {named("prod", "../../nodes/n"), nil, "metadata.name"},
		"a name that is two segments":     {named("prod", "a/b"), nil, "metadata.name"},
		"a name that is empty":            {named("prod", ""), nil, "metadata.name"},
		"a namespace that is two segment": {named("a/b", "n"), nil, "metadata.namespace"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, requests := recordingServer(t, 200, podAnswer)
			_, err := client.Apply(t.Context(), tc.id, tc.body, cluster.ApplyOptions{})
			if cluster.ReasonOf(err) != cluster.ReasonInvalid {
				t.Fatalf("want reason Invalid, got %v", err)
			}
			if got := details[*cluster.InvalidError](t, err).Causes[0].Field; got != tc.field {
				t.Errorf("field: want %s, got %s", tc.field, got)
			}
			if strings.Contains(err.Error(), "424242") || len(*requests) > 0 {
				t.Errorf("the value is shown or was sent: %v, %v", err, *requests)
			}
		})
	}
}

func TestNamespaceDefaultsToTheContexts(t *testing.T) {
	t.Parallel()
	client, requests := recordingServer(t, 200, podAnswer)
	id := pod
	id.Namespace = ""
	if _, err := client.Get(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if want, got := "/api/v1/namespaces/default/pods/web:1", (*requests)[0].URI; want != got {
		t.Errorf("path: want %s, got %s", want, got)
	}
}

func TestPatchOfManagedFieldsRequest(t *testing.T) {
	t.Parallel()
	entry := metav1.ManagedFieldsEntry{
		Manager: "m", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", FieldsType: "FieldsV1",
		FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`),
	}
	const prefix = `[{"op":"replace","path":"/metadata/resourceVersion","value":"7"},{"op":"add","path":"/metadata/managedFields","value":[`
	cases := map[string]struct {
		entries []metav1.ManagedFieldsEntry
		want    string
	}{
		"one entry": {
			[]metav1.ManagedFieldsEntry{entry},
			prefix + `{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}},"manager":"m","operation":"Apply"}]}]`,
		},
		"no entry is one empty entry": {nil, prefix + `{}]}]`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, requests := recordingServer(t, 200, podAnswer)
			if _, err := client.Patch(t.Context(), pod, cluster.Patch{FieldManager: "m", ResourceVersion: "7", Edits: []cluster.Edit{cluster.SetManagedFields(tc.entries)}}); err != nil {
				t.Fatal(err)
			}
			got := (*requests)[0]
			if got.ContentType != "application/json-patch+json" || !strings.HasSuffix(got.URI, "?fieldManager=m") {
				t.Errorf("request: %v", got)
			}
			if diff := cmp.Diff(normalized(t, tc.want), normalized(t, got.Body)); diff != "" {
				t.Errorf("patch (-want +got):\n%s", diff)
			}
		})
	}
}

func normalized(t *testing.T, text string) (value any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestAnswersThatAreNoObject(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a login page": "<html>hunter2</html>",
		"a success":    `{"apiVersion":"v1","kind":"Status","status":"Success"}`,
		"nothing":      "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client, _ := recordingServer(t, 200, body)
			synctest.Test(t, func(t *testing.T) {
				_, err := client.Get(t.Context(), pod)
				if cluster.ReasonOf(err) != cluster.ReasonServer || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("want reason Server and no text of the answer, got %v", err)
				}
			})
		})
	}
}

// A limit that leaves no time for a request is told as such: nothing was sent.
func TestThrottledRequest(t *testing.T) {
	t.Parallel()
	address := serve(t, serveDiscovery)
	client, err := NewPool(connect.Options{QPS: 0.01}).Client(connect.Config{Host: address})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	began := time.Now()
	_, _ = client.UID(ctx, manifest.Identity{})
	_, err = client.Apply(ctx, manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}, nil, cluster.ApplyOptions{New: true})
	failed := failure(t, err)
	if failed.Reason != cluster.ReasonTimeout || failed.OutcomeUnknown || !strings.Contains(failed.Message, "qps = 0.01 of the provider") ||
		time.Since(began) > 10*time.Second {
		t.Errorf("after %s: %v", time.Since(began), failed)
	}

	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	fresh, err := NewPool(connect.Options{QPS: 0.01}).Client(connect.Config{Host: address})
	if err != nil {
		t.Fatal(err)
	}
	_, err = fresh.Apply(late, manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Name: "a"}, nil, cluster.ApplyOptions{})
	if failed := failure(t, err); strings.Contains(failed.Message, "qps") {
		t.Errorf("after the time: %v", failed)
	}
}
