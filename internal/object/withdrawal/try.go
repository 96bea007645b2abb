package withdrawal

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Try returns the live object of prior as the server would leave it after a part or a patch is taken back. It sends the
// removals and restored values of [TakeBackPart] or [TakeBack] as a dry-run, and those of a part without the removals
// if the server refuses them together. It returns nil if nothing changes, and if the server refuses the removals of a
// part that restores no value: the apply then looks for the fields that it can remove.
func Try(ctx context.Context, api cluster.Interface, prior record.Prior) (*unstructured.Unstructured, error) {
	live := &unstructured.Unstructured{Object: prior.Live}
	prior = prior.Unmasked(prior.Live)
	own, kept := prior.Arguments.FieldManager, promised(prior, live)
	send := func(edits []cluster.Edit) (*unstructured.Unstructured, error) {
		if len(edits) == 0 {
			return nil, nil
		}
		return api.Patch(ctx, prior.Object, cluster.Patch{
			FieldManager: own, ResourceVersion: live.GetResourceVersion(), Edits: edits, DryRun: true,
		})
	}
	if prior.Arguments.Patch != nil {
		return send(takingBackPatch(prior.Arguments, prior, prior.Live, kept))
	}
	return sendPart(prior, kept, func(edits record.Editing) (*unstructured.Unstructured, error) {
		return send(edits(prior.Live, prior.Snapshot.Claims))
	})
}
