package waitresource

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// unlisted is a cluster whose discovery lacks a kind, as that of an API server that has just been started.
type unlisted struct{ clustertest.Stub }

func (unlisted) Scope(context.Context, string, string) (cluster.Scope, error) {
	return "", clustertest.Failing(cluster.ReasonKindNotServed)
}

// An awaited object does not count as gone before a Get says so.
func TestObjectOfAKindThatIsNotListed(t *testing.T) {
	t.Parallel()
	for reason, isGone := range map[cluster.Reason]bool{cluster.ReasonServer: false, cluster.ReasonKindNotServed: true} {
		api := unlisted{clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) { return nil, clustertest.Failing(reason) }}}
		if _, err := look(t.Context(), api, model{}); cluster.IsGone(err) != isGone || err == nil {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
