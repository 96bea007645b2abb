package withdrawal

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// TakeBackOnly takes some fields of a part or a patch back, because another resource has applied the others under the
// same field manager: these and their claims stay. keeps is true if all values stay. Fields that other managers own
// keep their values, as in [TakeBack]. It returns the object as it is then. It costs a GET and a PATCH, and one PATCH
// more if values are restored.
func TakeBackOnly(
	ctx context.Context, api cluster.Interface, prior record.Prior, fields *paths.Set, keeps bool,
) (*unstructured.Unstructured, error) {
	live, err := prior.Read(ctx, api)
	if err != nil {
		return nil, err
	}
	own, kept := prior.Arguments.FieldManager, promised(prior, live)
	fields = prior.Snapshot.Renderer().UnmaskSet(fields, live.Object)
	prior = prior.Unmasked(live.Object)
	giveUp := func(updates bool) func(ownership.Claims) ownership.Rewrite {
		return func(ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: own, Updates: updates, Tracks: true, Release: fields}
		}
	}
	claims, edits := giveUp(prior.Arguments.Patch != nil), record.NoEdits
	if prior.Object.Subresource != "" {
		claims = keepClaims(own)
	}
	if !keeps {
		edits = func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			theirs := claims.AsApplied(own).Others(own).Fields().Union(kept)
			ours := paths.Filter(fields, func(path paths.Path) bool { return !ownership.Holds(theirs, path) })
			return takingBack(live, ours, prior.Snapshot)
		}
	}
	live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{Claims: claims, Edits: edits})
	if err != nil {
		return nil, err
	}
	// The edits leave an update of ours that owns the restored values.
	return record.RewriteClaims(ctx, api, prior.Object, live, giveUp(true))
}
