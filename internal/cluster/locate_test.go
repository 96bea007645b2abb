package cluster_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		namespace string
		cluster   scoped
		want      string
		failure   string
	}{
		"a namespace that is written":  {"other", scoped{scope: cluster.ScopeNamespaced}, "other", ""},
		"a namespace that is left out": {"", scoped{scope: cluster.ScopeNamespaced}, "shop", ""},
		"a cluster-scoped kind":        {"", scoped{scope: cluster.ScopeCluster}, "", ""},
		"a kind that is not served": {
			"",
			scoped{err: clustertest.Failing(cluster.ReasonKindNotServed)},
			"",
			"Thing web (v1): the server said KindNotServed",
		},
		"a namespace that does not fit": {"other", scoped{scope: cluster.ScopeCluster}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			id := manifest.Identity{APIVersion: "v1", Kind: "Thing", Namespace: tt.namespace, Name: "web"}
			got, err := cluster.Locate(t.Context(), tt.cluster, id)
			failure := ""
			if err != nil {
				failure = err.Error()
			}
			if failure != tt.failure {
				t.Errorf("error %q, want %q", failure, tt.failure)
			}
			if got.Namespace != tt.want {
				t.Errorf("namespace %q, want %q", got.Namespace, tt.want)
			}
		})
	}
}

type scoped struct {
	clustertest.Stub
	scope cluster.Scope
	err   error
}

func (s scoped) Scope(context.Context, string, string) (cluster.Scope, error) { return s.scope, s.err }

// A kind that discovery does not list counts as not served only if a Get says so, too.
func TestLocateExisting(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		read   cluster.Reason
		served bool
		want   cluster.Reason
	}{
		"it is not served":                      {read: cluster.ReasonKindNotServed, want: cluster.ReasonKindNotServed},
		"the server does not know":              {read: cluster.ReasonServer, want: cluster.ReasonServer},
		"it is served after all":                {served: true},
		"it is served after all, and no object": {read: cluster.ReasonNotFound, served: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := &scoped{scope: cluster.ScopeNamespaced, err: clustertest.Failing(cluster.ReasonKindNotServed)}
			api.OnGet = func() (*unstructured.Unstructured, error) {
				if tt.served {
					api.err = nil
				}
				if tt.read != "" {
					return nil, clustertest.Failing(tt.read)
				}
				return &unstructured.Unstructured{}, nil
			}
			id, err := cluster.LocateExisting(t.Context(), api, manifest.Identity{APIVersion: "v1", Kind: "Thing", Name: "web"})
			if cluster.ReasonOf(err) != tt.want || err == nil && id.Namespace != "shop" {
				t.Errorf("%s, %v", id, err)
			}
		})
	}
}
