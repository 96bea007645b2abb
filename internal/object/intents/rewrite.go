package intents

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// BeforeApply returns the rewrite of managedFields before an apply. A renamed manager's claim moves to the new name.
// Ignored fields are released, because an apply that only omits them would remove them. Managers to take over lose the
// fields that leave the body, because these would stay otherwise. They keep fields in list items in which we pinned
// something: without their part, such an item would be removed. Data that we claimed as stringData is claimed by its
// own name, so that the apply can remove it.
func (i Intent) BeforeApply(claims ownership.Claims, previousManager string) ownership.Rewrite {
	own := claims.Own(i.FieldManager)
	if previousManager != i.FieldManager {
		own = own.Union(claims.Own(previousManager))
	}
	released := i.Released(own).Union(paths.OrEmpty(i.leaving).Intersection(own))
	rewrite := ownership.Rewrite{
		Manager:         i.FieldManager,
		PreviousManager: previousManager,
		Release:         released,
		TakeOver:        i.TakeOver,
		Declared:        projection.WithoutValues(i.Manifest.Object, own.Difference(released)).RecursiveDifference(paths.OrEmpty(i.othersItems)),
	}
	if orphaned := i.orphanedStringData(own); !orphaned.Empty() {
		rewrite.Add, rewrite.Declared = orphaned, rewrite.Declared.Union(orphaned)
	}
	return rewrite
}

// TakingOverSource returns the intent that also takes over the managers under which the source of a moved state wrote, until our
// first apply. An intent that takes over nobody stays as it is.
func (i Intent) TakingOverSource(prior record.Prior) Intent {
	if prior.Snapshot.Moved && len(i.TakeOver) > 0 {
		i.TakeOver = slices.Concat(i.TakeOver, prior.Snapshot.MovedFrom)
	}
	return i
}

// AfterApply returns what has to be rewritten once we own what we declare: ignored fields that were sent as
// initial values are released, and managers to be taken over lose their share.
func (i Intent) AfterApply(claims ownership.Claims) ownership.Rewrite {
	own := claims.Own(i.FieldManager)
	released := i.Released(own)
	return ownership.Rewrite{
		Manager:  i.FieldManager,
		Release:  released,
		TakeOver: i.TakeOver,
		Declared: own.Difference(released).RecursiveDifference(paths.OrEmpty(i.othersItems)),
	}
}

// Released returns the fields of own that are left to others: the ignored fields, and the map entries that the body does
// not have without them. If we kept such an entry until an apply removes it, its content would be removed with it.
func (i Intent) Released(own *paths.Set) *paths.Set {
	released, _ := projection.Covered(own, i.Ignored(), i.Manifest.Object)
	if released.Empty() {
		return released
	}
	body := projection.NewReader(i.Split(own))
	for {
		stays := own.Difference(released)
		emptied := paths.Filter(stays, func(path paths.Path) bool {
			if path[len(path)-1].FieldName == nil || !ownership.HasParts(own, path) || ownership.HasParts(stays, path) {
				return false
			}
			_, presence := body.Lookup(path)
			return presence != projection.Present
		})
		if emptied.Empty() {
			return released
		}
		released = released.Union(emptied)
	}
}

// orphanedStringData returns the data that our entry claims as stringData and that leave the manifest. The server would keep
// them, because it removes only fields that an entry claims by their own names.
func (i Intent) orphanedStringData(own *paths.Set) *paths.Set {
	if !i.Manifest.IsSecret() {
		return paths.NewSet()
	}
	left := projection.WithoutValues(i.Manifest.Object, record.DataOf(own))
	ignored, _ := projection.Covered(left, i.Ignored(), i.Manifest.Object)
	return left.Difference(ignored)
}

// KeptBy returns the fields that an apply left to others or released, together with those that the applies
// before it did, without what we declare. answered are the claims in the answer of the apply.
func (i Intent) KeptBy(answered ownership.Claims, before record.KnownFields, declared *paths.Set) *paths.Set {
	kept := paths.OrEmpty(before.Kept)
	held := answered.Fields().Union(paths.OrEmpty(before.Declared)).Union(kept)
	ignored, _ := projection.Covered(held, i.Ignored(), i.Manifest.Object)
	return kept.Union(ignored).Union(paths.OrEmpty(i.leaving)).Difference(declared)
}
