package kube

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

func TestAccFollow(t *testing.T) {
	t.Parallel()
	c := connected(t)
	text := func(value string) string {
		return `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-followed, namespace: default}, data: {a: "` + value + `"}}`
	}
	live := mustApply(t, c, text("1")).Object
	id := manifest.IdentityOf(live)
	has := func(value string) func(*unstructured.Unstructured) bool {
		return func(object *unstructured.Unstructured) bool {
			got, _, _ := unstructured.NestedString(object.Object, "data", "a")
			return got == value
		}
	}
	follow := func(ctx context.Context, value string) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := c.Follow(ctx, live, has(value))
			done <- err
		}()
		time.Sleep(200 * time.Millisecond)
		return done
	}
	done := follow(t.Context(), "3")
	mustApply(t, c, text("2"))
	mustApply(t, c, text("3"))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	mustReason(t, <-follow(short, "4"), cluster.ReasonTimeout)

	done = follow(t.Context(), "4")
	if _, err := c.Delete(t.Context(), id, background(live.GetUID())); err != nil {
		t.Fatal(err)
	}
	mustReason(t, <-done, cluster.ReasonNotFound)
	mustApply(t, c, text("4"))
	// The watch from then says that the object is gone, and the GET that another one has its name.
	mustReason(t, <-follow(t.Context(), "5"), cluster.ReasonConflict)
}

// The follower waits for an object with the name, and follows each object that gets it.
func TestAccFollowName(t *testing.T) {
	t.Parallel()
	c := connected(t)
	const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: acc-named, namespace: default}}`
	id := manifest.Identity{APIVersion: "v1", Kind: "ConfigMap", Namespace: "default", Name: "acc-named"}
	seen, done := make(chan *unstructured.Unstructured, 8), make(chan error, 1)
	follow := func(from *unstructured.Unstructured, versions int) {
		go func() {
			_, err := c.FollowName(t.Context(), id, from, func(live *unstructured.Unstructured) bool {
				seen <- live
				versions--
				return versions == 0
			})
			done <- err
		}()
	}
	follow(nil, 3)
	first := mustApply(t, c, text).Object
	if now := <-seen; now == nil || now.GetUID() != first.GetUID() {
		t.Errorf("saw %v first", now)
	}
	remove := func(live *unstructured.Unstructured) {
		if _, err := c.Delete(t.Context(), id, background(live.GetUID())); err != nil {
			t.Error(err)
		}
	}
	remove(first)
	if now := <-seen; now != nil {
		t.Errorf("saw %v after the deletion", now)
	}
	second := mustApply(t, c, text).Object
	if now := <-seen; now == nil || now.GetUID() != second.GetUID() {
		t.Errorf("saw %v at last", now)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	follow(nil, 1) // The watch begins with the object that is there.
	if now := <-seen; now == nil || now.GetUID() != second.GetUID() {
		t.Errorf("saw %v", now)
	}
	remove(second)
}

// A resourceVersion that the server no longer has ends a watch at once: it answers 410, or sends it as an event. The client reads
// the object, and watches from there.
func TestFollowFromAnExpiredVersion(t *testing.T) {
	t.Parallel()
	const expired = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","message":"too old resource version: 1 (7)","code":410}`
	version := func(version string) string {
		return fmt.Sprintf(
			`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"u","resourceVersion":%q}}`,
			version,
		)
	}
	for name, refuse := range map[string]func(w http.ResponseWriter){
		"as an answer": func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusGone)
			fmt.Fprint(w, expired)
		},
		"as an event": func(w http.ResponseWriter) { fmt.Fprintf(w, `{"type":"ERROR","object":%s}`, expired) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var watched []string
			c := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/api" || r.URL.Path == "/apis" {
					serveDiscovery(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				from := r.URL.Query().Get("resourceVersion")
				switch {
				case r.URL.Query().Get("watch") == "":
					fmt.Fprint(w, version("7"))
					return
				case from == "1":
					refuse(w)
				default:
					fmt.Fprintf(w, `{"type":"MODIFIED","object":%s}`, version("8"))
				}
				watched = append(watched, from)
			}))
			live := &unstructured.Unstructured{}
			if err := live.UnmarshalJSON([]byte(version("1"))); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			var seen []string
			_, err := c.Follow(ctx, live, func(now *unstructured.Unstructured) bool {
				seen = append(seen, now.GetResourceVersion())
				return now.GetResourceVersion() == "8"
			})
			if err != nil || !slices.Equal(seen, []string{"7", "8"}) || !slices.Equal(watched, []string{"1", "7"}) {
				t.Errorf("saw %q, with watches from %q, and ended with %v", seen, watched, err)
			}
		})
	}
}
