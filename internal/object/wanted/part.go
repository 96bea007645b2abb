package wanted

import (
	"encoding/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// preserve finds the fields of ours that leave a part and keep their values: those that had a value before us, that no
// other manager owns, and that Remove does not cover. A field that we added is removed with our claim, unless other
// managers own a part of it; see sharedItems.
func preserve(w Wanted) Wanted {
	if !w.IsPart {
		return w
	}
	claims := ownership.Rewrite{Manager: w.FieldManager, PreviousManager: w.PreviousManager()}.Claims(w.Claims())
	others := claims.Others(w.FieldManager).Fields()
	left := projection.WithoutValues(w.Keys.Complete(w.Manifest.Object), claims.Own(w.FieldManager)).Difference(others)
	stays := left.Difference(paths.OrEmpty(w.Prior.Snapshot.Fields.Added)).Union(sharedItems(left, others))
	unwanted, _ := projection.Covered(stays, w.Remove, nil)
	w.Preserved = stays.Difference(unwanted)
	return w
}

// sharedItems returns the list items of own in which other managers contain a part, with their keys, and the maps that
// own contains as a whole and other managers in part. If the owner of this item or map no longer applies it, the server
// removes it with all that other managers own in it.
func sharedItems(own, others *paths.Set) *paths.Set {
	return paths.Filter(own, func(path paths.Path) bool {
		if paths.IsKeyField(path) {
			path = path[:len(path)-1]
		}
		isItem := path[len(path)-1].FieldName == nil
		return (isItem || !ownership.HasParts(own, path)) && ownership.HasParts(others, path)
	})
}

// AddedBy returns the fields of owned that had no value before we applied them; nil if we apply a whole object. owned
// are our fields after the apply.
func AddedBy(a arguments.Arguments, prior record.Prior, owned *paths.Set) *paths.Set {
	if !a.IsPart {
		return nil
	}
	known := prior.Snapshot.Fields
	before, declared := paths.OrEmpty(known.Added), paths.OrEmpty(known.Declared)
	existed := prior.Existed(prior.PreviousManager(a.FieldManager))
	return paths.Filter(owned, func(path paths.Path) bool {
		return before.Has(path) || !declared.Has(path) && !existed(path)
	})
}

// ObstaclesBefore returns the fields that the applies of a part have removed as obstacles, those of removed included,
// with the values that they had. Those next to which we own nothing any more are left out, and so are secret ones. It
// returns nothing if nothing is to be restored. owned are our fields after the apply.
func ObstaclesBefore(w Wanted, removed, owned *paths.Set) record.Pins {
	if !w.Restores {
		return record.Pins{}
	}
	found := projection.WithValues(w.Prior.Live, paths.OrEmpty(removed))
	found = record.Public(found, w.Prior.Live, w.LiveRenderer().Knowing(w.Prior.Live))
	obstacles := w.Prior.Snapshot.Obstacles.With(w.Prior.Live, found)
	return obstacles.Only(paths.Filter(paths.OrEmpty(obstacles.Fields), func(path paths.Path) bool {
		return ownership.HasParts(owned, path[:len(path)-1]) && !ownership.Holds(owned, path)
	}))
}

// Restorable returns the obstacles that can be put back on an object: has reports whether it has a field. It has the
// list items that they were in, and no value at their paths.
func Restorable(obstacles record.Pins, has func(paths.Path) bool) *paths.Set {
	return paths.Filter(paths.OrEmpty(obstacles.Fields), func(path paths.Path) bool {
		for length := 1; length < len(path); length++ {
			if path[length-1].FieldName == nil && !has(path[:length]) {
				return false
			}
		}
		return !has(path)
	})
}

// Withdrawn returns what taking back ours removes from an object: the outermost fields that we added. The keys of a
// list item stay as long as the item does. Other managers own no part of ours.
func Withdrawn(ours, added *paths.Set) *paths.Set {
	gone := ours.Intersection(paths.OrEmpty(added))
	return paths.Outermost(paths.Filter(gone, func(path paths.Path) bool {
		return !paths.IsKeyField(path) || gone.Has(path[:len(path)-1])
	}))
}

// Inside reports whether one of roots is a field, or a field around it.
func Inside(roots *paths.Set, path paths.Path) bool {
	for length := range path {
		if roots.Has(path[:length+1]) {
			return true
		}
	}
	return false
}

// Unwanted returns the fields of the object that Remove covers, as far as prior knows the object, without those that
// the API server has put back.
func Unwanted(a arguments.Arguments, prior record.Prior) *paths.Set {
	claims, snapshot := prior.Snapshot.Claims, prior.Snapshot
	if prior.Live != nil {
		found := record.Unwanted(prior.Live, a.Remove, claims)
		return snapshot.Refilled.Without(found, prior.Live, snapshot.Renderer())
	}
	theirs := claims.Others(a.FieldManager).Fields()
	counted, _ := projection.Covered(theirs, prior.Arguments.Remove, nil) // The last read has looked at the object.
	known := theirs.Difference(counted).Union(paths.OrEmpty(snapshot.Fields.Unwanted))
	unwanted, _ := projection.Covered(known, a.Remove, nil)
	return unwanted
}

// ValuesBefore returns the values that the fields of owned had before our first apply to them, by paths.ID; nil if
// nothing is to be restored. owned are our fields after the apply.
func ValuesBefore(a arguments.Arguments, prior record.Prior, owned *paths.Set) map[string]json.RawMessage {
	if !a.Restores {
		return nil
	}
	before, live := map[string]json.RawMessage{}, projection.NewReader(prior.Live).Exact()
	declared := paths.OrEmpty(prior.Snapshot.Fields.Declared)
	paths.Walk(owned.Leaves(), func(path paths.Path, _ bool) {
		id := paths.ID(path)
		if known, has := prior.Snapshot.Before[id]; has {
			before[id] = known
			return
		}
		// The live value of a declared field is that of our last apply, and not the one before us.
		if declared.Has(path) || paths.IsKeyField(path) {
			return
		}
		value, presence := live.Lookup(path)
		if text, err := json.Marshal(value); presence == projection.Present && err == nil {
			before[id] = text
		}
	})
	return before
}
