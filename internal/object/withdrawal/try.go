package withdrawal

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// TryRestoring returns the live object of prior as the server would leave it after our fields are restored. It sends
// the request of [TakeBackPart] or [TakeBack] as a dry-run. It returns nil if no field is restored.
func TryRestoring(ctx context.Context, api cluster.Interface, prior record.Prior) (*unstructured.Unstructured, error) {
	live := &unstructured.Unstructured{Object: prior.Live}
	prior = prior.Unmasked(prior.Live)
	own, kept := prior.Arguments.FieldManager, promised(prior, live)
	var edits []cluster.Edit
	if prior.Arguments.Patch != nil {
		edits = takingBackPatch(prior.Arguments, prior, prior.Live, kept)
	} else {
		edits = restoringPart(prior.Live, prior.Snapshot.Claims, own, prior.Snapshot, kept)
	}
	if len(edits) == 0 {
		return nil, nil
	}
	return api.Patch(ctx, prior.Object, cluster.Patch{
		FieldManager: own, ResourceVersion: live.GetResourceVersion(), Edits: edits, DryRun: true,
	})
}
