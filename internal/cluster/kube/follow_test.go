package kube

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
)

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

// roundTripper is a function as a transport.
type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// A credential plugin that fails for a moment does not end a wait. One that keeps failing does, and is named.
func TestFollowWhileThePluginFails(t *testing.T) {
	t.Parallel()
	const pod = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"u","resourceVersion":"1"}}`
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api" || r.URL.Path == "/apis" {
			serveDiscovery(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			fmt.Fprint(w, pod)
		}
	})
	for name, tc := range map[string]struct {
		fails, limit, least time.Duration
		want                cluster.Reason
	}{
		"for a moment":           {20 * time.Second, time.Hour, 20 * time.Second, ""},
		"for good":               {time.Hour, time.Hour, duringOutage, cluster.ReasonCredentials},
		"until the wait is over": {time.Hour, time.Minute, time.Minute, cluster.ReasonCredentials},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clientOf(t, address)
			synctest.Test(t, func(t *testing.T) {
				began, inner := time.Now(), c.connection.HTTP.Transport
				c.connection.HTTP.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
					if strings.HasPrefix(r.URL.Path, "/api/") && time.Since(began) < tc.fails {
						return nil, &connect.PluginError{}
					}
					return inner.RoundTrip(r)
				})
				ctx, cancel := context.WithTimeout(t.Context(), tc.limit)
				defer cancel()
				_, err := c.Follow(ctx, objectOf(t, pod), func(*unstructured.Unstructured) bool { return true })
				if spent := time.Since(began); cluster.ReasonOf(err) != tc.want || spent < tc.least || spent > tc.least+longestPauseOfWatch {
					t.Errorf("after %s: %v", spent, err)
				}
			})
		})
	}
}
