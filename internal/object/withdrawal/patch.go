package withdrawal

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// TakeBack takes a patch back from the object of prior, whose snapshot is of the last read: fields that we added and no
// other manager owns are removed, fields to restore get their values from before, and everything else keeps its value.
// So does what other managers owned at that read, even if they have given it up since. keeps is true if all values
// stay. TakeBack returns the object as it is then. It costs a GET and a PATCH, and one PATCH more if values are
// restored.
func TakeBack(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, keeps bool,
) (*unstructured.Unstructured, error) {
	live, err := prior.Read(ctx, api)
	if err != nil {
		return nil, err
	}
	edits, kept := record.NoEdits, promised(prior, live)
	if !keeps {
		if live, err = takeBackForgotten(ctx, api, prior, live, kept); err != nil {
			return nil, err
		}
	}
	prior = prior.Unmasked(live.Object)
	giveUp := func(claims ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{
			Manager: args.FieldManager, Updates: true, Tracks: true,
			Release: claims.AsApplied(args.FieldManager).Own(args.FieldManager),
		}
	}
	if !keeps {
		edits = func(live map[string]any, _ ownership.Claims) []cluster.Edit {
			return takingBackPatch(args, prior, live, kept)
		}
	}
	claims := giveUp
	if prior.Object.Subresource != "" {
		// The server takes claims with another request. Until the values are taken back, they tell which are ours.
		claims = keepClaims(args.FieldManager)
	}
	live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{Claims: claims, Edits: edits})
	if err != nil {
		return nil, err
	}
	// We own the values that the edits restored.
	return record.RewriteClaims(ctx, api, prior.Object, live, giveUp)
}

// takingBackPatch returns the edits that take the patch of args back from live, the object of prior, without kept.
func takingBackPatch(
	args arguments.Arguments, prior record.Prior, live map[string]any, kept *paths.Set,
) []cluster.Edit {
	own, declared := args.FieldManager, prior.Snapshot.Fields.Declared
	claims, err := record.ClaimsOnPatched(prior.Object, &unstructured.Unstructured{Object: live}, own, *args.Patch,
		declared)
	if err != nil {
		return nil // The rewrite has failed with the same error.
	}
	claims = prior.Snapshot.Patched.ClaimsWith(claims, own, declared)
	ours := onlyOurs(claims, own, claims.Others(own).Fields()).Difference(kept)
	return takingBack(live, ours, prior.Snapshot)
}
