package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// RemovalPatch returns the merge patch that removes from the object in the answer what the apply removes and the
// dry-run has not removed, or from the live object, if the answer is of a new one. It returns nil if that is nothing,
// or if this run has not read the live object.
func (in Inputs) RemovalPatch() map[string]any {
	base, outcome := in.Result, in.Outcome()
	if in.IsOfNewObject {
		base, outcome = in.Wanted.Prior.Live, projection.Graft(outcome, in.Body, in.Applied)
	}
	if !in.PrunesNothing && in.RemovesNothing() || base == nil {
		return nil
	}
	// The uid guards against an object that was recreated.
	unsent := record.ServerFields(in.Wanted.Prior.Object).Difference(paths.NewSet(paths.Path{paths.Field("metadata"),
		paths.Field("uid")}))
	before, _ := projection.Strip(base, unsent).(map[string]any)
	after, _ := projection.Strip(outcome, unsent).(map[string]any)
	if len(projection.Differences(before, after, in.Known().Union(in.Applied))) == 0 {
		return nil
	}
	return projection.MergePatch(before, after)
}

// HidesRefusal reports whether managers to be taken over may lose more than Rewrite says, because the server refuses
// what would be left of fields that leave the body, and the dry-run does not show it: another client has written since
// the read, and may have ended our claim, without which a dry-run removes nothing, or the dry-run was of a new object
// and this run has not read the live one. In Terraform's first plan, the dry-run may have shown it.
func (in Inputs) HidesRefusal() bool {
	isKept := !in.PrunesNothing && in.HasMoved
	isUnread := in.IsOfNewObject && in.Wanted.Prior.Live == nil
	return (isKept || isUnread) && wanted.MayPruneMore(in.Wanted)
}
