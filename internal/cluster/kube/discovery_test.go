package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

var (
	deployment = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	widget     = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
)

// fakeDiscovery serves kinds after a second each time, and counts the loads.
type fakeDiscovery struct {
	loads atomic.Int32
	mu    sync.Mutex
	kinds []schema.GroupVersionKind
	err   error
}

func (f *fakeDiscovery) serve(kinds ...schema.GroupVersionKind) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kinds = kinds
}

func (f *fakeDiscovery) load(context.Context) (*catalog, error) {
	f.loads.Add(1)
	time.Sleep(time.Second)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	loaded := &catalog{kinds: map[schema.GroupVersionKind]resource{}}
	for _, kind := range f.kinds {
		loaded.kinds[kind] = resource{version: kind.GroupVersion(), kind: cluster.Kind{Scope: cluster.ScopeNamespaced}}
	}
	return loaded, nil
}

func (f *fakeDiscovery) client() *discovery {
	return &discovery{load: f.load, unanswered: (&connect.Connection{Endpoint: connect.Endpoint{REST: &rest.Config{Host: "https://h"}}}).Unanswered, now: time.Now}
}

// A kind whose definition was deleted may get another scope: a load from before that does not answer for it.
func TestDeletedDefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeDiscovery{kinds: []schema.GroupVersionKind{widget}}
		d := f.client()
		loads := func(pause time.Duration, want int32) {
			t.Helper()
			time.Sleep(pause)
			if resolveAll(t, d, widget, 1); f.loads.Load() != want {
				t.Errorf("%d loads, want %d", f.loads.Load(), want)
			}
		}
		loads(0, 1)
		loads(time.Minute, 1)
		d.forget(manifest.Identity{Name: "widgets.example.com"})
		loads(time.Millisecond, 2)
		loads(time.Second, 3)
		loads(lingerFor, 4)
		loads(time.Minute, 4)
	})
}

// resolveAll resolves a kind n times at once and returns the reasons of the failures.
func resolveAll(t *testing.T, d *discovery, kind schema.GroupVersionKind, n int) map[cluster.Reason]int {
	t.Helper()
	reasons := make([]cluster.Reason, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := d.resolve(t.Context(), kind.GroupVersion().String(), kind.Kind)
			reasons[i] = cluster.ReasonOf(err)
		})
	}
	wg.Wait()
	counts := map[cluster.Reason]int{}
	for _, reason := range reasons {
		counts[reason]++
	}
	return counts
}

func TestDiscoveryIsLoadedOnceForAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeDiscovery{kinds: []schema.GroupVersionKind{deployment}}
		d := fake.client()
		for range 3 {
			if got := resolveAll(t, d, deployment, 100); got[""] != 100 {
				t.Errorf("want 100 hits, got %v", got)
			}
			time.Sleep(time.Hour)
		}
		if loads := fake.loads.Load(); loads != 1 {
			t.Errorf("want 1 load, got %d", loads)
		}
	})
}

func TestDiscoveryReloadsOnceForParallelMisses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeDiscovery{kinds: []schema.GroupVersionKind{deployment}}
		d := fake.client()
		resolveAll(t, d, deployment, 1)
		time.Sleep(2 * time.Second)

		if got := resolveAll(t, d, widget, 100); got[cluster.ReasonKindNotServed] != 100 {
			t.Errorf("want 100 misses, got %v", got)
		}
		if loads := fake.loads.Load(); loads != 2 {
			t.Errorf("after parallel misses: want 2 loads, got %d", loads)
		}
		resolveAll(t, d, widget, 1)
		if loads := fake.loads.Load(); loads != 2 {
			t.Errorf("after a miss at once: want 2 loads, got %d", loads)
		}

		fake.serve(deployment, widget)
		time.Sleep(missAge + time.Millisecond)
		if got := resolveAll(t, d, widget, 100); got[""] != 100 {
			t.Errorf("after the kind was added: want 100 hits, got %v", got)
		}
		if loads := fake.loads.Load(); loads != 3 {
			t.Errorf("after the kind was added: want 3 loads, got %d", loads)
		}
	})
}

func TestDiscoveryFirstMissIsDecidedByTheFirstLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeDiscovery{kinds: []schema.GroupVersionKind{deployment}}
		if got := resolveAll(t, fake.client(), widget, 100); got[cluster.ReasonKindNotServed] != 100 {
			t.Errorf("want 100 misses, got %v", got)
		}
		if loads := fake.loads.Load(); loads != 1 {
			t.Errorf("want 1 load, got %d", loads)
		}
	})
}

func TestDiscoveryRemembersFailuresForAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeDiscovery{kinds: []schema.GroupVersionKind{deployment}, err: errors.New("no")}
		d := fake.client()
		if got := resolveAll(t, d, deployment, 10); got[cluster.ReasonServer] != 10 {
			t.Errorf("want 10 failures, got %v", got)
		}
		fake.err = nil
		time.Sleep(failureAge)
		if got := resolveAll(t, d, deployment, 10); got[cluster.ReasonServer] != 10 || fake.loads.Load() != 1 {
			t.Errorf("a moment later: want 10 failures of the first load, got %v after %d loads", got, fake.loads.Load())
		}
		time.Sleep(time.Millisecond)
		if got := resolveAll(t, d, deployment, 10); got[""] != 10 {
			t.Errorf("want 10 hits, got %v", got)
		}
	})
}

func TestDiscoveryLetsACallerLeave(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeDiscovery{kinds: []schema.GroupVersionKind{deployment}}
		d := fake.client()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := d.resolve(ctx, "apps/v1", "Deployment")
		if reason := cluster.ReasonOf(err); reason != cluster.ReasonTimeout || !strings.Contains(err.Error(), "no answer from https://h before") {
			t.Errorf("want a timeout of the server, got %v", err)
		}
		if got := resolveAll(t, d, deployment, 1); got[""] != 1 || fake.loads.Load() != 1 {
			t.Errorf("want the same load to serve the next caller, got %v after %d loads", got, fake.loads.Load())
		}
	})
}

// aggregated returns a discovery document with one group per entry of groups.
func aggregated(groups string) string {
	return `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[` + groups + `]}`
}

const (
	coreGroup = `{"metadata":{"name":""},"versions":[{"version":"v1","freshness":"Current","resources":[
		{"resource":"namespaces","responseKind":{"version":"v1","kind":"Namespace"},"scope":"Cluster","verbs":["get"]},
		{"resource":"pods","responseKind":{"version":"v1","kind":"Pod"},"scope":"Namespaced","verbs":["get"],
		 "subresources":[{"subresource":"eviction","responseKind":{"group":"policy","version":"v1","kind":"Eviction"},"verbs":["create"]}]}]}]}`
	staleGroup = `{"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]}`
)

func TestDiscoveryOfAServer(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
		body := aggregated(coreGroup)
		if r.URL.Path == "/apis" {
			body = aggregated(staleGroup)
		}
		fmt.Fprint(w, body)
	}))
	cases := []struct {
		name, apiVersion, kind string
		scope                  cluster.Scope
		reason                 cluster.Reason
	}{
		{"a namespaced kind", "v1", "Pod", cluster.ScopeNamespaced, ""},
		{"a cluster-scoped kind", "v1", "Namespace", cluster.ScopeCluster, ""},
		{"the kind of a subresource is not served by itself", "policy/v1", "Eviction", "", cluster.ReasonKindNotServed},
		{
			"a group that does not answer is not a group without kinds",
			"metrics.k8s.io/v1beta1",
			"PodMetrics",
			"",
			cluster.ReasonAPIUnavailable,
		},
		{"not an apiVersion", "a/b/c", "Pod", "", cluster.ReasonBadRequest},
	}
	for _, tc := range cases {
		scope, err := client.Scope(t.Context(), tc.apiVersion, tc.kind)
		if scope != tc.scope || cluster.ReasonOf(err) != tc.reason {
			t.Errorf("%s: want %q and reason %q, got %q and %v", tc.name, tc.scope, tc.reason, scope, err)
		}
	}
	if got := requests.Load(); got != 2 {
		t.Errorf("want 2 requests, got %d", got)
	}
}

// Of two resources with one kind, the one whose objects can be managed counts, in any order.
func TestDiscoveryOfTwoResourcesWithOneKind(t *testing.T) {
	t.Parallel()
	one := func(plural, verbs string) string {
		return `{"resource":"` + plural + `","responseKind":{"group":"example.com","version":"v1","kind":"Template"},` +
			`"scope":"Namespaced","verbs":[` + verbs + `]}`
	}
	for _, order := range [][]string{
		{one("processedtemplates", `"create"`), one("templates", `"create","get","list","patch"`)},
		{one("templates", `"create","get","list","patch"`), one("usedtemplates", `"create"`)},
		{one("templates", `"create","get","list","patch"`), one("usedtemplates", `"get","list","patch"`)},
	} {
		client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", aggregatedType)
			body := aggregated(coreGroup)
			if r.URL.Path == "/apis" {
				body = aggregated(`{"metadata":{"name":"example.com"},"versions":[{"version":"v1","freshness":"Current","resources":[` +
					strings.Join(order, ",") + `]}]}`)
			}
			fmt.Fprint(w, body)
		}))
		if got, err := client.Kind(t.Context(), "example.com/v1", "Template"); err != nil || got.Plural != "templates" {
			t.Errorf("%q, %v of %s", got.Plural, err, order)
		}
	}
}

func TestDiscoveryOfWhatIsNoKubernetes(t *testing.T) {
	t.Parallel()
	client := clientOf(t, serve(t, http.NotFound))
	if _, err := client.Scope(t.Context(), "v1", "Pod"); cluster.ReasonOf(err) != cluster.ReasonServer {
		t.Errorf("want reason Server, got %v", err)
	}
}

const (
	widgets = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1beta1","freshness":"Current","resources":[
		{"resource":"widgets","responseKind":{"group":"example.com","version":"v1beta1","kind":"Widget"},"scope":"Cluster","verbs":["get"]}]}]}`
	newerWidgets = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1","freshness":"Current","resources":[
		{"resource":"widgets","responseKind":{"group":"example.com","version":"v1","kind":"Widget"},"scope":"Cluster","verbs":["get"]}]}]}`
	staleWidgets = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1beta1","freshness":"Stale"}]}`
	staleNewer   = `{"metadata":{"name":"example.com"},"versions":[{"version":"v1","freshness":"Stale"}]}`
	widgetList   = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1beta1","resources":[
		{"name":"widgets","singularName":"widget","namespaced":false,"kind":"Widget","verbs":["get"]}]}`
	notFoundPage = "404 page not found\n"
)

// reply is an answer of a test server.
type reply struct {
	code int
	body string
}

func (r reply) write(w http.ResponseWriter, contentType string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(r.code)
	fmt.Fprint(w, r.body)
}

// A plain 404 takes an object out of the state only where discovery, asked again, says that nothing serves
// its kind any more.
func TestPlain404IsConfirmed(t *testing.T) {
	t.Parallel()
	widget := manifest.Identity{APIVersion: "example.com/v1beta1", Kind: "Widget", Name: "w"}
	for name, tc := range map[string]struct {
		// groups and list are what /apis and the version's own list say once the object's path was asked for.
		groups, list reply
		reason       cluster.Reason
		gone         bool
		servedIn     []string
	}{
		"the kind is gone": {
			groups: reply{200, aggregated("")}, list: reply{404, notFoundPage},
			reason: cluster.ReasonKindNotServed, gone: true,
		},
		"the kind is gone and others of its version are not": {
			groups: reply{200, aggregated("")},
			list:   reply{200, `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"example.com/v1beta1","resources":[]}`},
			reason: cluster.ReasonKindNotServed, gone: true,
		},
		"a load balancer knows nothing of the object":          {groups: reply{200, aggregated(widgets)}, reason: cluster.ReasonServer},
		"a load balancer knows nothing at all":                 {groups: reply{404, notFoundPage}, reason: cluster.ReasonServer},
		"the aggregated API server of a newer version is down": {groups: reply{200, aggregated(staleNewer)}, reason: cluster.ReasonAPIUnavailable},
		"the aggregated API server is down":                    {groups: reply{200, aggregated(staleWidgets)}, reason: cluster.ReasonAPIUnavailable},
		"the API server has just been started":                 {groups: reply{200, aggregated("")}, list: reply{503, "starting"}, reason: cluster.ReasonServer},
		"discovery is behind":                                  {groups: reply{200, aggregated("")}, list: reply{200, widgetList}, reason: cluster.ReasonServer},
		"the credentials have expired":                         {groups: reply{401, ""}, reason: cluster.ReasonUnauthorized},
		"discovery is forbidden":                               {groups: reply{403, ""}, reason: cluster.ReasonForbidden},
		"the kind is served in another version and only there": {
			groups: reply{200, aggregated(newerWidgets)}, reason: cluster.ReasonKindNotServed, servedIn: []string{"example.com/v1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := turning(t, map[string]reply{"/apis": tc.groups, "/apis/example.com/v1beta1": tc.list})
			synctest.Test(t, func(t *testing.T) {
				// That is enough time for one reload and for a kind that discovery lists too long, but not for an
				// outage.
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				_, err := client.Get(ctx, widget)
				mustReason(t, err, tc.reason)
				if cluster.IsGone(err) != tc.gone {
					t.Errorf("gone: want %t of %v", tc.gone, err)
				}
				failed := failure(t, err)
				var servedIn []string
				if unserved, is := errors.AsType[*cluster.KindNotServedError](failed.Details); is {
					servedIn = unserved.ServedIn
				}
				if diff := cmp.Diff(tc.servedIn, servedIn); diff != "" || failed.Object != widget {
					t.Errorf("object %s, served in (-want +got):\n%s", failed.Object, diff)
				}
			})
		})
	}
}

// A plain 404 of a deletion or of an edit is confirmed in the same way.
func TestPlain404OfAWriteIsConfirmed(t *testing.T) {
	t.Parallel()
	widget := manifest.Identity{APIVersion: "example.com/v1beta1", Kind: "Widget", Name: "w"}
	writes := map[string]func(context.Context, *Client) error{
		"a deletion": func(ctx context.Context, client *Client) error {
			_, err := client.Delete(ctx, widget, cluster.Removal{UID: "u", Propagation: cluster.Background})
			return err
		},
		"an edit": func(ctx context.Context, client *Client) error {
			_, err := client.Patch(ctx, widget, cluster.Patch{FieldManager: "k8sconnect", ResourceVersion: "1"})
			return err
		},
	}
	for name, write := range writes {
		for answer, tc := range map[string]struct {
			groups reply
			gone   bool
		}{
			"the kind is gone": {reply{200, aggregated("")}, true},
			"a load balancer knows nothing of the object": {reply{200, aggregated(widgets)}, false},
		} {
			t.Run(name+", "+answer, func(t *testing.T) {
				t.Parallel()
				client := turning(t, map[string]reply{"/apis": tc.groups, "/apis/example.com/v1beta1": {404, notFoundPage}})
				synctest.Test(t, func(t *testing.T) {
					err := write(t.Context(), client)
					if err == nil || cluster.IsGone(err) != tc.gone {
						t.Errorf("gone: want %t of %v", tc.gone, err)
					}
				})
			})
		}
	}
}

// A plain 404 of an apply is no reason to doubt a built-in kind.
func TestPlain404OfAnApply(t *testing.T) {
	t.Parallel()
	for apiVersion, want := range map[string]cluster.Reason{"v1": cluster.ReasonServer, "example.com/v1beta1": cluster.ReasonKindNotServed} {
		kind := map[string]string{"v1": "Pod", "example.com/v1beta1": "Widget"}[apiVersion]
		client := turning(t, map[string]reply{"/apis": {200, aggregated(widgets)}, "/api/v1": {200, `{"resources":[{"name":"pods","kind":"Pod"}]}`}})
		synctest.Test(t, func(t *testing.T) {
			id := manifest.Identity{APIVersion: apiVersion, Kind: kind, Name: "w"}
			_, err := client.Apply(t.Context(), id, map[string]any{}, cluster.ApplyOptions{FieldManager: "k8sconnect"})
			mustReason(t, err, want)
		})
	}
}

// turning returns a client of a server that has pods and widgets until the first request for an object. The server
// answers that with a plain 404, and from then on replies as later says; paths that later leaves out do not change.
func turning(t *testing.T, later map[string]reply) *Client {
	t.Helper()
	var turned atomic.Bool
	return clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		reply, isSet := later[r.URL.Path]
		switch {
		case r.URL.Path == "/api":
			serveDiscovery(w, r)
		case r.URL.Path == "/apis" && !turned.Load():
			w.Header().Set("Content-Type", aggregatedType)
			fmt.Fprint(w, aggregated(widgets))
		case r.URL.Path == "/apis":
			reply.write(w, aggregatedType)
		case isSet:
			reply.write(w, "application/json")
		default:
			turned.Store(true)
			http.Error(w, notFoundPage, http.StatusNotFound)
		}
	}))
}

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

// A kind that discovery never had is confirmed too: the first load of a process may be of an API server
// that has just been started.
func TestMissingKindIsConfirmed(t *testing.T) {
	t.Parallel()
	widget := manifest.Identity{APIVersion: "example.com/v1", Kind: "Widget", Name: "w"}
	for name, tc := range map[string]struct {
		list   reply
		reason cluster.Reason
	}{
		"the list of the version is missing too":     {reply{404, notFoundPage}, cluster.ReasonKindNotServed},
		"the server is not ready to speak of it yet": {reply{503, "the request has been made before all known HTTP paths have been installed, please retry"}, cluster.ReasonServer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var paths []string
			client := clientOf(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				paths = append(paths, r.URL.Path)
				if r.URL.Path == "/api" || r.URL.Path == "/apis" {
					serveDiscovery(w, r)
					return
				}
				tc.list.write(w, "text/plain")
			}))
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, err := client.Get(ctx, widget)
				mustReason(t, err, tc.reason)
			})
			slices.Sort(paths)
			paths = slices.Compact(paths)
			if diff := cmp.Diff([]string{"/api", "/apis", "/apis/example.com/v1"}, paths); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}
