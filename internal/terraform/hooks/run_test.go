package hooks

import (
	"context"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/clustertest"
)

// held is a cluster in which a finalizer holds each object.
type held struct{ cluster.Interface }

func (held) Delete(context.Context, manifest.Identity, cluster.Removal) (*unstructured.Unstructured, error) {
	return &unstructured.Unstructured{}, nil
}

func (held) AwaitDeletion(ctx context.Context, _ *unstructured.Unstructured) error {
	<-ctx.Done()
	return clustertest.Failing(cluster.ReasonDeletionBlocked)
}

func TestDeletionsOfHooksEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		err := deleteAndAwait(t.Context(), held{}, clustertest.ConfigMap, "u")
		if cluster.ReasonOf(err) != cluster.ReasonDeletionBlocked {
			t.Errorf("got %v", err)
		}
	})
}
