package cluster_test

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// An operation that has run out of time can still look for the object that it may have created.
func TestCreateAfterTheEnd(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	lost := &cluster.Error{Reason: cluster.ReasonTimeout, Message: "the operation has ended", OutcomeUnknown: true}
	created := clustertest.Live("u", "1", clustertest.Owning(clustertest.BothFields))
	api := &lateCluster{Stub: clustertest.Stub{
		OnApply: func(cluster.ApplyOptions) (cluster.Applied, error) { return cluster.Applied{}, lost },
		OnGet:   func() (*unstructured.Unstructured, error) { return created, nil },
	}}
	answer, err := cluster.Create(ctx, api, clustertest.ConfigMap, map[string]any{}, "k8sconnect")
	if err != nil || answer.Object == nil || api.left <= 0 || api.left > 10*time.Second {
		t.Errorf("found %v with %s left: %v", answer.Object, api.left, err)
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
