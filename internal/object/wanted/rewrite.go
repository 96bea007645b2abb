package wanted

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// BeforeApply returns the rewrite of managedFields before an apply. A renamed manager's claim moves to the new name.
// Ignored fields are released, because an apply that only omits them would remove them. Managers to take over lose the
// fields that leave the body, because these would stay otherwise. They keep fields in list items in which we pinned
// something: without their part, the item would be removed. Data that we claimed as stringData is claimed as data,
// because the apply could not remove it otherwise. Promised fields that no other manager owns any more are released.
func (w Wanted) BeforeApply(claims ownership.Claims, previousManager string) ownership.Rewrite {
	own := claims.Own(w.FieldManager)
	if previousManager != w.FieldManager {
		own = own.Union(claims.Own(previousManager))
	}
	released := w.Released(own).Union(paths.OrEmpty(w.Preserved).Intersection(own))
	released = released.Union(abandoned(w, claims, previousManager).Intersection(own))
	rewrite := ownership.Rewrite{
		Manager:         w.FieldManager,
		PreviousManager: previousManager,
		Release:         released,
		TakeOver:        w.TakeOver,
		Declared: projection.WithoutValues(w.Keys.Complete(w.Manifest.Object),
			own.Difference(released)).RecursiveDifference(paths.OrEmpty(w.PinnedItems)),
	}
	if orphaned := w.orphanedStringData(own); !orphaned.Empty() {
		rewrite.Add, rewrite.Declared = orphaned, rewrite.Declared.Union(orphaned)
	}
	return rewrite
}

// AfterApply returns what has to be rewritten once we own what we declare: ignored fields that were sent as
// initial values are released, and managers to be taken over lose their share.
func (w Wanted) AfterApply(claims ownership.Claims) ownership.Rewrite {
	own := claims.Own(w.FieldManager)
	released := w.Released(own)
	return ownership.Rewrite{
		Manager: w.FieldManager, Release: released, TakeOver: w.TakeOver,
		Declared: own.Difference(released).RecursiveDifference(paths.OrEmpty(w.PinnedItems)),
	}
}

// Released returns the fields of own that are left to other managers: the ignored fields, and the map entries that the
// body does not have without them, even if other managers own them by now. If we kept the entry until an apply removes
// it, its content would be removed with it.
func (w Wanted) Released(own *paths.Set) *paths.Set {
	ignored := w.Ignored()
	if len(ignored) == 0 {
		return paths.NewSet()
	}
	released, _ := projection.Covered(own, ignored, w.Manifest.Object)
	left, _ := projection.Covered(ofOthers(w, w.Claims()), ignored, w.Manifest.Object)
	if released.Empty() && left.Empty() {
		return released
	}
	body := projection.NewReader(w.Keys.Complete(w.Split(own)))
	// A map that only had emptied maps is empty itself after a round.
	for {
		stays := own.Difference(released)
		emptied := paths.Filter(stays, func(path paths.Path) bool {
			hadParts := ownership.HasParts(own, path) || ownership.HasParts(left, path)
			isEmptied := path[len(path)-1].FieldName != nil && hadParts && !ownership.HasParts(stays, path)
			return isEmptied && !body.Has(path)
		})
		if emptied.Empty() {
			return released
		}
		released = released.Union(emptied)
	}
}

// keepReleased adds to the fields that earlier applies kept those that one has released before it failed: they were
// declared, are ignored now, and have no owner.
func keepReleased(w Wanted) Wanted {
	ignored, _ := projection.Covered(w.Prior.DeclaredBefore(), w.Ignored(), w.Manifest.Object)
	if free := ignored.Difference(w.Claims().Fields()); !free.Empty() {
		w.Prior.Snapshot.Fields.Kept = paths.OrEmpty(w.Prior.Snapshot.Fields.Kept).Union(free)
	}
	return w
}

// orphanedStringData returns the data that our entry claims as stringData and that leave the manifest. The server would
// keep them, because it removes only fields that an entry claims by their own names.
func (w Wanted) orphanedStringData(own *paths.Set) *paths.Set {
	if !w.Manifest.IsSecret() {
		return paths.NewSet()
	}
	left := projection.WithoutValues(w.Manifest.Object, record.DataOf(own))
	ignored, _ := projection.Covered(left, w.Ignored(), w.Manifest.Object)
	return left.Difference(ignored)
}

// KeptBy returns the fields that an apply left to other managers or released, together with those that the applies
// before it did, without what we declare. answered are the claims in the answer of the apply.
func (w Wanted) KeptBy(answered ownership.Claims, before record.KnownFields, declared *paths.Set) *paths.Set {
	kept := paths.OrEmpty(before.Kept)
	held := answered.Fields().Union(paths.OrEmpty(before.Declared)).Union(kept)
	ignored, _ := projection.Covered(held, w.Ignored(), w.Manifest.Object)
	abandoned := paths.OrEmpty(w.Promised).Difference(answered.Fields())
	return kept.Union(ignored).Union(paths.OrEmpty(w.Preserved)).Union(abandoned).Difference(declared)
}

// EndedApplies returns what managers that apply lose to an apply of the fields of applied, because they are taken over.
// A tool that is still in use claims the fields again when it next applies the object.
func EndedApplies(w Wanted, applied *paths.Set) ownership.Claims {
	var ended ownership.Claims
	rewrite := ownership.Rewrite{Manager: w.FieldManager, PreviousManager: w.PreviousManager(), TakeOver: w.TakeOver}
	for _, claim := range w.Claims() {
		if claim.Operation != metav1.ManagedFieldsOperationApply || !rewrite.TakesOver(claim.Manager) ||
			claim.IsOwn(rewrite.Manager) || claim.IsOwn(rewrite.PreviousManager) {
			continue
		}
		if claim.Fields = claim.Fields.Intersection(applied); !claim.Fields.Empty() {
			ended = append(ended, claim)
		}
	}
	return ended
}

// Promising returns w with the fields that its plan promised to keep, derived from the claims of the last read.
// Server-side apply removes a field that leaves the manifest if its other owners have given it up since, so the apply
// has to look once more, and to release what no other manager owns.
func Promising(w Wanted) Wanted {
	claims := w.BeforeApply(w.Claims(), w.PreviousManager()).Claims(w.Claims())
	left := projection.WithoutValues(w.Keys.Complete(w.Manifest.Object), claims.Own(w.FieldManager))
	w.Promised = left.Intersection(claims.Others(w.FieldManager).Fields())
	return w
}

// OnlyPromises reports whether fields leave the manifest, and its plan promises to keep all of them.
func OnlyPromises(w Wanted) bool {
	left := projection.WithoutValues(w.Keys.Complete(w.Manifest.Object), w.Claims().Own(w.FieldManager))
	return !left.Empty() && left.Difference(Promising(w).Promised).Empty()
}

// abandoned returns the promised fields that no other manager owns any more. Managers to be taken over do not count:
// they lose what leaves the manifest.
func abandoned(w Wanted, claims ownership.Claims, previousManager string) *paths.Set {
	if paths.OrEmpty(w.Promised).Empty() {
		return paths.NewSet()
	}
	taken := ownership.Rewrite{
		Manager: w.FieldManager, PreviousManager: previousManager, TakeOver: w.TakeOver, Declared: claims.Fields(),
	}.Claims(claims)
	return w.Promised.Difference(taken.Others(w.FieldManager).Fields())
}

// Abandons reports whether we own promised fields that no other manager owns any more.
func Abandons(w Wanted, claims ownership.Claims) bool {
	return !abandoned(w, claims, w.PreviousManager()).Intersection(claims.Own(w.FieldManager)).Empty()
}

// Releasing returns w with all promised fields as preserved ones: the apply releases them, even if other managers own
// them.
func Releasing(w Wanted) Wanted {
	w.Preserved = paths.OrEmpty(w.Preserved).Union(paths.OrEmpty(w.Promised))
	return w
}

// IsPromised reports whether the apply would remove promised fields if no other manager owned them. claims are those on
// the object when the apply is sent.
func IsPromised(w Wanted, claims ownership.Claims) bool {
	return !claims.Own(w.FieldManager).Intersection(paths.OrEmpty(w.Promised)).Empty()
}
