package intents

import (
	"encoding/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// WithLeaving returns the intent of a part towards its object: a field of ours that leaves the part keeps its value, if it had one
// before us and nobody else owns it. A field that we added is removed with our claim, unless others have a part in it; see
// sharedItems.
func (i Intent) WithLeaving(prior record.Prior) Intent {
	if !i.IsPart {
		return i
	}
	claims := ownership.Rewrite{Manager: i.FieldManager, PreviousManager: prior.PreviousManager(i.FieldManager)}.Claims(prior.Snapshot.Claims)
	others := claims.Others(i.FieldManager).Fields()
	left := projection.WithoutValues(i.Manifest.Object, claims.Own(i.FieldManager)).Difference(others)
	i.leaving = left.Difference(paths.OrEmpty(prior.Snapshot.Fields.Added)).Union(sharedItems(left, others))
	return i
}

// WithLeavingAs returns the intent with name applied to the fields that leave and keep their values. A snapshot has digests
// instead of secret items, and the object has the items.
func (i Intent) WithLeavingAs(name func(*paths.Set) *paths.Set) Intent {
	if i.leaving != nil {
		i.leaving = name(i.leaving)
	}
	return i
}

// sharedItems returns the list items of own in which others have a part, with their keys, and the maps that own holds as a whole and
// others in part. The server removes such an item or map with all that others have in it, if its owner no longer applies it.
func sharedItems(own, others *paths.Set) *paths.Set {
	return paths.Filter(own, func(path paths.Path) bool {
		if paths.IsKeyField(path) {
			path = path[:len(path)-1]
		}
		isItem := path[len(path)-1].FieldName == nil
		return (isItem || !ownership.HasParts(own, path)) && ownership.HasParts(others, path)
	})
}

// AddedBy returns the fields of owned that had no value before we applied them; nil if the intent is of a whole object.
// owned are our fields after an apply to the object of prior.
func (i Intent) AddedBy(prior record.Prior, owned *paths.Set) *paths.Set {
	if !i.IsPart {
		return nil
	}
	before, declared := paths.OrEmpty(prior.Snapshot.Fields.Added), paths.OrEmpty(prior.Snapshot.Fields.Declared)
	existed := prior.Existed(prior.PreviousManager(i.FieldManager))
	return paths.Filter(owned, func(path paths.Path) bool {
		return before.Has(path) || !declared.Has(path) && !existed(path)
	})
}

// Unwanted returns the fields of the object of prior that Remove covers, as far as prior knows the object.
func (i Intent) Unwanted(prior record.Prior) *paths.Set {
	claims := prior.Snapshot.Claims
	if prior.Live != nil {
		return record.Unwanted(prior.Live, i.Remove, claims)
	}
	known := claims.Others(i.FieldManager).Fields().Union(paths.OrEmpty(prior.Snapshot.Fields.Unwanted))
	unwanted, _ := projection.Covered(known, i.Remove, nil)
	return unwanted
}

// ValuesBefore returns the values that the fields of owned had before our first apply to them, by paths.ID; nil if nothing
// is to be restored. owned are our fields after an apply to the object of prior.
func (i Intent) ValuesBefore(prior record.Prior, owned *paths.Set) map[string]json.RawMessage {
	if !i.Restores {
		return nil
	}
	before, live := map[string]json.RawMessage{}, projection.NewReader(prior.Live)
	declared := paths.OrEmpty(prior.Snapshot.Fields.Declared)
	paths.Walk(owned.Leaves(), func(path paths.Path, _ bool) {
		id := paths.ID(path)
		if known, has := prior.Snapshot.Before[id]; has {
			before[id] = known
			return
		}
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
