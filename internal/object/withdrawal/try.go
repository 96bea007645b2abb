package withdrawal

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// TryRestoring returns what the server makes of the live object of prior if fields of ours get their values from
// before: one dry-run of the request of TakeBackPart or TakeBack that restores them. It returns nil if there are none.
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
