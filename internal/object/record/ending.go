package record

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
)

// Ending returns what the object says about its end, and false unless another client has deleted it. It sends what
// [terminating.Of] sends.
func (o Observed) Ending(ctx context.Context, api cluster.Interface) (cluster.Ending, bool) {
	live := &unstructured.Unstructured{Object: o.Live}
	if live.GetDeletionTimestamp() == nil {
		return cluster.Ending{}, false
	}
	return terminating.Of(ctx, api, live), true
}
