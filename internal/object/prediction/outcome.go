package prediction

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
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

// sentItems returns those of leavingItems that the answer contains only because the dry-run has sent released values in
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
	unsent := record.ServerFields(in.Wanted.Prior.Object).Difference(paths.NewSet(paths.FieldPath("metadata", "uid")))
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

// dropped returns the values that the server changes or removes by itself because the apply removes other fields by a
// request of its own: sessionAffinityConfig with sessionAffinity, or the node ports of a Service with its type. Only
// the dry-run of that request shows them. It returns nil without one, and leaves out what already reports.
func (in Inputs) dropped(
	already []ownership.Change, names rendering.Formatter, renderer rendering.Renderer,
) []ownership.Change {
	if in.Tried == nil || in.RemovesNothing() {
		return nil
	}
	var changes []ownership.Change
	known, claims, own := in.Known().Union(in.Applied), in.Wanted.Claims(), in.Wanted.FieldManager
	serverFields, removed := record.ServerFields(in.Wanted.Prior.Object), in.removedNames(names)
	for _, difference := range projection.Differences(in.Outcome(), in.Tried, known) {
		path, field := difference.Path, names.Format(difference.Path)
		isReported := slices.ContainsFunc(already, func(c ownership.Change) bool { return c.Field == field })
		if isReported || paths.Touches(serverFields, path) || paths.Touches(in.Unsent, path) {
			continue
		}
		change := ownership.Change{
			Field: field, What: ownership.Unclaimed, Owners: claims.Others(own).HoldersWithin(path),
			Owned: paths.Touches(claims.Own(own), path), Was: renderer.Text(path, difference.Before),
			Becomes: ownership.RemovedValue, With: removed, Why: ownership.Dropped,
		}
		if len(change.Owners) > 0 {
			change.What = ownership.Removing
		}
		if len(renderer.RedactedPath(path)) < len(path) {
			change.Was = rendering.Redacted
		}
		if difference.Presence == projection.Present {
			change.Becomes = renderer.Text(path, difference.After)
			if len(change.Owners) > 0 {
				change.What = ownership.Taking
			}
		}
		changes = append(changes, change)
	}
	return changes
}

// removedNames returns the outermost fields that the apply removes by requests of its own, as a list.
func (in Inputs) removedNames(names rendering.Formatter) string {
	var fields []string
	paths.Walk(paths.Outermost(in.removes()), func(path paths.Path, _ bool) {
		fields = append(fields, names.Format(path))
	})
	return strings.Join(fields, ", ")
}

// whyRemoved returns why something is removed, with or without the fields of ours around it. isExplicit is true if the
// apply removes it by a request of its own, isObstacle if the server refuses it together with the body.
func (in Inputs) whyRemoved(path paths.Path, isExplicit, isObstacle bool) ownership.Why {
	switch isUnwanted := in.Wanted.Remove.Match(path); {
	case isUnwanted && (isExplicit || isObstacle):
		return ownership.Unwanted
	case isObstacle:
		return ownership.Obstacle
	case isExplicit:
		return ownership.Dropped
	case isUnwanted:
		return ownership.Covered
	}
	return ""
}

// refill completes the change of a field at path that an apply removes, if remove_fields covers removed, which is the
// field or the one with which it is removed. It notes the value that the server sets again, a default for instance. It
// drops our own manager's updates from the owners that lose the field: they come from the server, which filled the
// field in again after an earlier apply of ours removed it. tried is the answer to the dry-run that tries the removal.
func (in Inputs) refill(
	change *ownership.Change, path, removed paths.Path, tried *projection.Reader, renderer rendering.Renderer,
) {
	if !in.Wanted.Remove.Match(removed) {
		return
	}
	change.Owners = slices.DeleteFunc(slices.Clone(change.Owners), func(holder ownership.Holder) bool {
		return holder.IsUpdater(in.Wanted.FieldManager)
	})
	value, presence := tried.Lookup(path)
	switch {
	case presence != projection.Present || value == nil:
	case renderer.Hides(path, value):
		change.Refilled = rendering.Redacted
	default:
		change.Refilled = renderer.Text(path, value)
	}
}
