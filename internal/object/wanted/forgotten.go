package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Forgotten are the fields that we owned after our last apply, that leave the manifest, and that managedFields does not
// list as ours any more, because another client has reset it. The API server would keep them.
type Forgotten struct {
	// Removed are the outermost ones that still have the values of our last apply. Kept are those that have other
	// values, and Needed, without which the server refuses the object. Fields that other managers own are in none of
	// them.
	Removed, Kept, Needed *paths.Set
}

// ForgottenOf returns the forgotten fields of an apply. Those that a part did not add keep their values, and are left
// out, and so are list items of other managers in which we own only pinned values.
func ForgottenOf(w Wanted) Forgotten {
	found := Forgotten{Removed: paths.NewSet(), Kept: paths.NewSet(), Needed: paths.NewSet()}
	own, declared := w.Claims().Own(w.FieldManager).Union(w.Claims().Own(w.PreviousManager())), w.Prior.FilledBefore()
	lost := declared.Difference(own).RecursiveDifference(pinnedItems(w))
	if lost.Empty() || w.Patch != nil {
		return found
	}
	left := projection.WithoutValues(withoutLeavingItems(w), lost)
	ignored, _ := projection.Covered(left, w.Ignored(), w.Manifest.Object)
	pinned, _ := projection.Covered(left, w.Pin, w.Prior.LastBody())
	staying := ignored.Union(pinned).Union(paths.OrEmpty(w.Prior.Snapshot.Pins.Fields))
	left = paths.Filter(left.RecursiveDifference(staying), func(path paths.Path) bool {
		// A map entry goes with its content, what stays included.
		return path[len(path)-1].FieldName == nil || !ownership.HasParts(staying, path)
	})
	if w.IsPart {
		left = left.Intersection(paths.OrEmpty(w.Prior.Snapshot.Fields.Added))
	}
	held := heldByOthers(w, w.Claims())
	paths.Walk(paths.Outermost(left), func(path paths.Path, _ bool) {
		switch {
		case paths.Touches(held, path) || paths.Touches(own, path):
		case isAsApplied(w, partsAt(path, declared)):
			found.Removed.Insert(path.Copy())
		default:
			found.Kept.Insert(path.Copy())
		}
	})
	return found
}

// withoutLeavingItems returns the manifest with all keys, without the list items that it has only because values in
// them are pinned, and that the last one declared: they leave it as they would without the pins.
func withoutLeavingItems(w Wanted) map[string]any {
	declared := projection.WithValues(w.Keys.Complete(w.Prior.Arguments.Manifest.Object), paths.OrEmpty(w.Pins.Items))
	rest, _ := projection.Strip(w.Keys.Complete(w.Manifest.Object), declared).(map[string]any)
	return rest
}

// Whole returns f with the maps around the removed fields of which neither an apply, which leaves applied with us, nor
// another manager has a part: the API server may refuse what else is in them without the fields.
func (f Forgotten) Whole(w Wanted, applied *paths.Set) Forgotten {
	f.Removed = ownership.OutermostLeaving(f.Removed, applied.Union(heldByOthers(w, w.Claims())))
	return f
}

// Keeping returns f without removing what a refusal of the object without the removed fields is about; without removing
// any, if it names none of them.
func (f Forgotten) Keeping(refusal error) Forgotten {
	needed := paths.Filter(f.Removed, func(path paths.Path) bool { return refusals.Refuses(refusal, path) })
	if needed.Empty() {
		needed = f.Removed
	}
	f.Removed, f.Kept, f.Needed = f.Removed.Difference(needed), f.Kept.Union(needed), f.Needed.Union(needed)
	return f
}

// ForgottenPart returns the fields that we owned after the last apply of a part, and that managedFields lists neither
// as ours nor as another manager's now.
func ForgottenPart(prior record.Prior) *paths.Set {
	w := Wanted{Arguments: prior.Arguments, Prior: prior, Keys: prior.DefaultKeys()}
	held := heldByOthers(w, w.Claims()).Union(w.Claims().Own(w.FieldManager))
	return paths.Filter(w.Prior.FilledBefore(), func(path paths.Path) bool { return !paths.Touches(held, path) })
}

// heldByOthers returns the fields of other managers, without those that the API server has given to a manager because
// no manager owned them: also if that is not taken over, since it may be the apply itself that makes it an owner.
func heldByOthers(w Wanted, claims ownership.Claims) *paths.Set {
	return claims.Others(w.FieldManager).Where(func(claim ownership.Claim) bool {
		return claim.Name != ownership.BeforeFirstApply && claim.Name != w.PreviousManager()
	}).Fields()
}

// isAsApplied reports whether fields had the values of our last apply when the object was read.
func isAsApplied(w Wanted, fields *paths.Set) bool {
	prior := w.Prior
	if prior.Snapshot.LiveState == prior.Snapshot.AppliedState {
		return true
	}
	return isShown(w, fields, prior.LastBody())
}

// isShown reports whether the values of fields in object are those that the state shows.
func isShown(w Wanted, fields *paths.Set, object map[string]any) bool {
	renderer := w.Prior.Snapshot.Renderer()
	names := renderer.Names(w.Claims().Formatter(w.Prior.DeclaredBefore()))
	same, reader := true, projection.NewReader(object)
	paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) {
		shown, isDeclared := w.Prior.ManagedState[names.Format(path)]
		value, presence := reader.Lookup(path)
		same = same && isDeclared && presence == projection.Present && shown == renderer.Text(path, value)
	})
	return same
}

// StillForgotten returns those of removed that no other manager owns on a live object, and that have the values that
// the state shows.
func StillForgotten(w Wanted, removed *paths.Set, live map[string]any, claims ownership.Claims) *paths.Set {
	held, declared := heldByOthers(w, claims), w.Prior.FilledBefore()
	unmasked := w.Prior.Snapshot.Renderer().UnmaskSet
	return paths.Filter(unmasked(removed, live), func(path paths.Path) bool {
		return !paths.Touches(held, path) && isShown(w, unmasked(partsAt(path, declared), live), live)
	})
}

// IsWiped reports whether we have applied values to the object, but its managedFields list no owner.
func IsWiped(prior record.Prior) bool {
	return len(prior.Snapshot.Claims) == 0 && len(prior.ManagedState) > 0 && !prior.DeclaredBefore().Empty()
}
