package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// empty empties the maps and lists that refusal says the apply would make null: a GET and a PATCH. It leaves
// those alone of which somebody else owns a part by now. If none is left, it returns refusal.
func (u *update) empty(ctx context.Context, api cluster.Interface, refusal error) error {
	prior := u.Prior
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
	edits := u.Intent.Emptied(live.Object, claims, u.emptiedFields(refusal))
	if len(edits) == 0 {
		return refusal
	}
	emptied, err := api.Patch(ctx, prior.Object, cluster.Patch{FieldManager: u.Intent.FieldManager, ResourceVersion: live.GetResourceVersion(), Edits: edits})
	if err == nil {
		live = emptied
	}
	u.mended(live, claims)
	if cluster.ReasonOf(err) == cluster.ReasonConflict {
		return nil // Somebody wrote in between, or our own answer was lost: the apply that follows tells.
	}
	return err
}

func (u *update) emptiedFields(refusal error) []paths.Path {
	return intents.EmptiedFields(refusal, u.Claims.Own(u.PreviousManager()))
}
