package prediction

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Outcome returns the object after the apply. A dry-run under another name removes nothing. Outcome then removes the
// fields that leave our claim, and the maps and items that are removed with them. A dry-run that sends released values
// keeps the items around them, which Outcome removes, too. It removes excess list items and forgotten fields in any
// case. If the dry-run was of a new object, the live one gets the fields of ours.
func (in Inputs) Outcome() map[string]any {
	removed := in.removes()
	if in.PrunesNothing {
		removed = removed.Union(in.pruned())
	} else if removed = removed.Union(sentItems(in)); removed.Empty() {
		return in.Result
	}
	base := in.Result
	if in.IsOfNewObject {
		base = in.Wanted.Prior.Live
	}
	object, _ := projection.Strip(runtime.DeepCopyJSON(base), removed).(map[string]any)
	if in.IsOfNewObject && base != nil {
		object = projection.Graft(object, in.Result, in.Applied)
	}
	return object
}

// pruned returns the outermost fields that the apply prunes. Parts of a field that is atomic in the version of the
// apply are not pruned, but replaced.
func (in Inputs) pruned() *paths.Set {
	before, own := in.Rewrite.Claims(in.Wanted.Claims()), in.Wanted.FieldManager
	staying := in.Applied.Union(before.Others(own).Fields()).Union(in.Wanted.Prior.KeptFields(in.Rewrite))
	whole := in.NonEmpty()
	return paths.Filter(ownership.OutermostLeaving(before.Own(own), staying), func(path paths.Path) bool {
		for length := 1; length < len(path); length++ {
			if above := path[:length]; whole.Has(above) && !ownership.HasParts(whole, above) {
				return false
			}
		}
		return true
	})
}

// leavingItems returns the list items that the apply prunes, with the values in them that it releases.
func leavingItems(in Inputs) *paths.Set {
	return paths.Filter(in.pruned(), func(path paths.Path) bool { return path[len(path)-1].FieldName == nil })
}

// sentItems returns those of leavingItems that the answer has only because the dry-run has sent released values in
// them.
func sentItems(in Inputs) *paths.Set {
	sent := paths.OrEmpty(in.Unsent)
	if sent.Empty() {
		return sent
	}
	return paths.Filter(leavingItems(in), func(item paths.Path) bool { return ownership.Holds(sent, item) })
}

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

// HidesRefusal reports whether managers to be taken over may lose more than Rewrite shows, because the server refuses
// what would be left of fields that leave the body, and the dry-run does not show it: another client has written since
// the read, and may have ended our claim, without which a dry-run removes nothing, or the dry-run was of a new object
// and this run has not read the live one. In Terraform's first plan, the dry-run may have shown it.
func (in Inputs) HidesRefusal() bool {
	isKept := !in.PrunesNothing && in.HasMoved
	isUnread := in.IsOfNewObject && in.Wanted.Prior.Live == nil
	return (isKept || isUnread) && wanted.MayPruneMore(in.Wanted)
}
