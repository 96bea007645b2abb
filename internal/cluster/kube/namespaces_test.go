package kube

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestNearestNames(t *testing.T) {
	t.Parallel()
	existing := []string{"default", "kube-system", "shop", "shop-prod", "shop-test", "team-a"}
	for name, tt := range map[string]struct {
		asked string
		want  []string
	}{
		"a typo":                        {"dfault", []string{"default"}},
		"another suffix":                {"shop-pro", []string{"shop-prod"}},
		"the best comes first":          {"team-b", []string{"team-a"}},
		"nothing is similar":            {"monitoring", nil},
		"the namespace itself is there": {"shop", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, nearestNames(tt.asked, existing)); diff != "" {
				t.Errorf("nearest (-want +got):\n%s", diff)
			}
		})
	}
}

// The names of the namespaces are read once. A read that a timeout has ended does not count.
func TestNearestNamespacesAfterATimeout(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			cancel()
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(
			w,
			`{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","items":[{"metadata":{"name":"shop"}}]}`,
		)
	}))
	asked := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shopp", Name: "web"}
	if names := client.nearestNamespaces(ctx, asked); len(names) > 0 {
		t.Errorf("the operation that was cancelled got %q", names)
	}
	for range 2 {
		if diff := cmp.Diff([]string{"shop"}, client.nearestNamespaces(t.Context(), asked)); diff != "" {
			t.Errorf("nearest (-want +got):\n%s", diff)
		}
	}
	if sent := requests.Load(); sent != 2 {
		t.Errorf("%d requests, want 2", sent)
	}
}

// Operations share one read of the uid, and each has its own timeout.
func TestUIDWhileAnotherOperationReadsIt(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	asked, release := make(chan struct{}), make(chan struct{})
	client := clientOf(t, serve(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		close(asked)
		<-release
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system","uid":"u-1"}}`)
	}))
	first := make(chan string)
	go func() {
		uid, err := client.UID(t.Context(), manifest.Identity{})
		first <- fmt.Sprint(uid, " ", err)
	}()
	<-asked
	object := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}
	ended, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err := client.UID(ended, object)
	if got := failure(t, err); got.Reason != cluster.ReasonTimeout || got.Object != object ||
		!strings.Contains(got.Message, "http://127.0.0.1:") {
		t.Errorf(
			"the operation that waits got %s about %v, want %s about %v",
			got.Reason,
			got.Object,
			cluster.ReasonTimeout,
			object,
		)
	}
	close(release)
	if got, want := <-first, "u-1 <nil>"; got != want {
		t.Errorf("the operation that reads got %s, want %s", got, want)
	}
	if uid, err := client.UID(t.Context(), object); uid != "u-1" || err != nil || requests.Load() != 1 {
		t.Errorf("then %s, %v after %d requests, want u-1 after 1", uid, err, requests.Load())
	}
}

// A cluster that does not show its namespace kube-system cannot be told from others. Nothing about that namespace makes an object gone.
func TestUIDThatCannotBeRead(t *testing.T) {
	t.Parallel()
	status := func(code int, reason metav1.StatusReason) string {
		return fmt.Sprintf(
			`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":"namespaces \"kube-system\" is refused",`+
				`"details":{"name":"kube-system","kind":"namespaces"}}`,
			code,
			reason,
		)
	}
	for name, tc := range map[string]struct {
		code int
		body string
		want cluster.Reason
	}{
		"it is missing":                 {code: http.StatusNotFound, body: status(http.StatusNotFound, metav1.StatusReasonNotFound)},
		"the user may not read it":      {code: http.StatusForbidden, body: status(http.StatusForbidden, metav1.StatusReasonForbidden)},
		"a proxy has no such page":      {code: http.StatusNotFound, body: "404 page not found", want: cluster.ReasonServer},
		"the credentials are not taken": {code: http.StatusUnauthorized, body: status(http.StatusUnauthorized, metav1.StatusReasonUnauthorized), want: cluster.ReasonUnauthorized},
	} {
		for _, object := range []manifest.Identity{
			{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "web"}, {APIVersion: "v1", Kind: "Namespace", Name: "shop"},
		} {
			t.Run(name+", for a "+object.Kind, func(t *testing.T) {
				t.Parallel()
				client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/api/v1/namespaces/kube-system" {
						serveDiscovery(w, r)
						return
					}
					if strings.HasPrefix(tc.body, "{") {
						w.Header().Set("Content-Type", "application/json")
					}
					w.WriteHeader(tc.code)
					fmt.Fprint(w, tc.body)
				}))
				uid, err := client.UID(t.Context(), object)
				if uid != "" || cluster.ReasonOf(err) != tc.want || cluster.IsGone(err) {
					t.Errorf("%q, %v (%s)", uid, err, cluster.ReasonOf(err))
				}
				if err != nil && failure(t, err).Object != object {
					t.Errorf("the error is about %v", failure(t, err).Object)
				}
			})
		}
	}
}
