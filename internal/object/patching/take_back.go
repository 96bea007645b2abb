package patching

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/parts"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/removals"
)

// TakeBack takes a patch back from the object of prior, whose snapshot is of the last read: fields that we added and no
// other manager owns are removed, fields to restore get their values from before, and everything else keeps its value.
// keeps is true if all values stay. It costs a GET and a PATCH, and one PATCH more if values are restored.
func TakeBack(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, keeps bool) error {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return err
	}
	if err := prior.CheckUID(live); err != nil {
		return err
	}
	prior = prior.Unmasked(live.Object)
	giveUp := func(claims ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{Manager: intent.FieldManager, Updates: true, Release: claims.AsApplied(intent.FieldManager).Own(intent.FieldManager)}
	}
	edits := record.NoEdits
	if !keeps {
		edits = func(live map[string]any, _ ownership.Claims) []cluster.Edit {
			claims, err := record.ClaimsOf(prior.Object, &unstructured.Unstructured{Object: live})
			if err != nil {
				return nil // The rewrite has failed with the same error.
			}
			claims = prior.Snapshot.Patched.ClaimsWith(claims, intent.FieldManager, prior.Snapshot.Fields.Declared)
			others := claims.Others(intent.FieldManager).Fields()
			ours := paths.Filter(claims.Own(intent.FieldManager), func(path paths.Path) bool { return !ownership.Holds(others, path) })
			restored := parts.Restoring(live, ours.Leaves(), prior.Snapshot.Before)
			added := ours.Intersection(paths.OrEmpty(prior.Snapshot.Fields.Added))
			return append(restored, removals.WithoutFields(live, paths.Outermost(added))...)
		}
	}
	live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{Claims: giveUp, Edits: edits})
	if err != nil {
		return err
	}
	// We own the values that the edits restored.
	_, err = record.RewriteClaims(ctx, api, prior.Object, live, giveUp)
	return err
}
