package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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
	return &discovery{load: f.load, blame: func(err error) error { return err }, now: time.Now}
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
		if reason := cluster.ReasonOf(err); reason != cluster.ReasonTimeout {
			t.Errorf("want a timeout, got %v", err)
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
			cluster.ReasonServer,
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

func TestDiscoveryOfWhatIsNoKubernetes(t *testing.T) {
	t.Parallel()
	client := clientOf(t, serve(t, http.NotFound))
	if _, err := client.Scope(t.Context(), "v1", "Pod"); cluster.ReasonOf(err) != cluster.ReasonServer {
		t.Errorf("want reason Server, got %v", err)
	}
}
