package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

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
