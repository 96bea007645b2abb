package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// KnownFields are the fields that a snapshot remembers in addition to the claims. A nil set is empty.
type KnownFields struct {
	// Declared are the fields that we owned after our last apply, Empty those of them that the manifest gives
	// as empty maps or lists.
	Declared, Empty *paths.Set
	// Kept are the fields that our applies left to other managers or released.
	Kept *paths.Set
	// Added are the fields of ours that had no value before we applied them, and Unowned the outermost fields that have
	// a value and no owner. Both are known only where we apply part of an object.
	Added, Unowned *paths.Set
	// Unwanted are the outermost fields of other managers that are to be removed; see the function Unwanted.
	Unwanted *paths.Set
}

// each returns the fields with change applied to each set. change never gets a nil set.
func (k KnownFields) each(change func(*paths.Set) *paths.Set) KnownFields {
	k.Declared, k.Empty, k.Kept = change(
		paths.OrEmpty(k.Declared)), change(paths.OrEmpty(k.Empty)), change(paths.OrEmpty(k.Kept))
	k.Added, k.Unowned, k.Unwanted = change(
		paths.OrEmpty(k.Added)), change(paths.OrEmpty(k.Unowned)), change(paths.OrEmpty(k.Unwanted))
	return k
}

// in returns the fields as a live object has them: with its list items instead of their digests, and without kept
// fields that have no value any more.
func (k KnownFields) in(live map[string]any, renderer rendering.Renderer) KnownFields {
	k = k.each(func(fields *paths.Set) *paths.Set { return renderer.UnmaskSet(fields, live) })
	k.Kept = projection.WithValues(live, k.Kept)
	return k
}

// withoutEmpty returns the fields of empty that have no value to show. empty are the fields that a manifest gives
// as empty maps or lists. They declare nothing of their content: other managers own what they put there, and the
// server may drop the field. A field that other managers took as a whole is atomic, and shows what they put there.
func withoutEmpty(empty *paths.Set, claims ownership.Claims, fieldManager string) *paths.Set {
	if empty == nil || empty.Empty() {
		return paths.NewSet()
	}
	own, others := claims.Own(fieldManager), claims.Others(fieldManager).Fields()
	return paths.Filter(empty, func(path paths.Path) bool {
		return own.Has(path) || !others.Has(path) || ownership.HasParts(others, path)
	})
}

// OwnedInParts returns the fields of empty of which other managers own parts, whether we own the field itself or not:
// if the server has dropped a map, the first part that another client puts into it takes the map from us.
func OwnedInParts(empty *paths.Set, claims ownership.Claims, fieldManager string) *paths.Set {
	if empty == nil || empty.Empty() {
		return paths.NewSet()
	}
	others := claims.Others(fieldManager).Fields()
	return paths.Filter(empty, func(path paths.Path) bool { return ownership.HasParts(others, path) })
}
