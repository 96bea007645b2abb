package creating

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/clustertest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// An operation that has run out of time can still look for the object that it may have created.
func TestFindCreatedAfterTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	api := &lateCluster{Stub: clustertest.Stub{OnGet: func() (*unstructured.Unstructured, error) {
		return clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields)), nil
	}}}
	found, err := findCreated(ctx, api, clustertest.ConfigMap, "k8sconnect")
	if err != nil || found == nil || api.left <= 0 || api.left > lastLook {
		t.Errorf("found %v with %s left: %v", found, api.left, err)
	}
}

// lateCluster notes how much time a GET is given.
type lateCluster struct {
	clustertest.Stub
	left time.Duration
}

func (c *lateCluster) Get(ctx context.Context, id manifest.Identity) (*unstructured.Unstructured, error) {
	deadline, _ := ctx.Deadline()
	c.left = time.Until(deadline)
	return c.Stub.Get(ctx, id)
}
