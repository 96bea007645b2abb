package ssa

import (
	"cmp"
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// empty empties the maps and lists that the apply would make null according to refusal: a GET and a PATCH. If the
// server refuses them without their parts, it removes them: another PATCH. If other managers own parts of all of them,
// our parts leave them, and the rest stays. If we own nothing there, it returns refusal.
func (a *apply) empty(ctx context.Context, api cluster.Interface, refusal error) error {
	prior := a.wanted.Prior
	live, err := api.Get(ctx, prior.Object)
	if err != nil {
		return err
	}
	if err := prior.CheckUID(live); err != nil {
		return err
	}
	claims, err := record.ClaimsOf(prior.Object, live)
	if err != nil {
		return err
	}
	edits := wanted.Emptied(live.Object, claims, a.wanted.FieldManager, a.emptiedFields(refusal))
	if len(edits) == 0 {
		return leaveToOthers(ctx, api, a, live, refusal)
	}
	patch := cluster.Patch{
		FieldManager: a.wanted.FieldManager, ResourceVersion: live.GetResourceVersion(), Edits: edits,
	}
	emptied, err := api.Patch(ctx, prior.Object, patch)
	if refusals.IsOfObject(err) {
		for i := range edits {
			edits[i].Remove = true
		}
		emptied, err = api.Patch(ctx, prior.Object, patch)
	}
	if err == nil {
		live = emptied
	}
	a.mended(live, claims)
	if cluster.ReasonOf(err) == cluster.ReasonConflict {
		return nil // Another client wrote in between, or our own answer was lost: the apply that follows tells.
	}
	return err
}

// leaveToOthers ends our claims on the parts of the fields that refusal names, and removes those that no other manager
// owns.
func leaveToOthers(
	ctx context.Context, api cluster.Interface, a *apply, live *unstructured.Unstructured, refusal error,
) error {
	own, fields := a.wanted.FieldManager, a.emptiedFields(refusal)
	held, err := record.ClaimsOf(a.wanted.Prior.Object, live)
	if err != nil || wanted.Filled(held, own, fields).Empty() {
		return cmp.Or(err, refusal)
	}
	live, err = record.RewriteAndEdit(ctx, api, a.wanted.Prior.Object, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: own, Release: wanted.Filled(claims, own, fields)}
		},
		Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			return wanted.Stripped(live, claims, own, fields)
		},
	})
	if err != nil {
		return err
	}
	a.mended(live, held)
	a.claimsBefore, err = record.ClaimsOf(a.wanted.Prior.Object, live)
	return err
}

func (a *apply) emptiedFields(refusal error) []paths.Path {
	return refusals.Emptied(refusal, a.wanted.Claims().Own(a.wanted.PreviousManager()))
}
