package intents

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// WithPins returns the intent towards an object with pinned fields: the manifest has their values, except in list items
// that are gone. A pin that the configuration does not ask for any more, leaves to others or calls secret is released,
// as an ignored field is.
func (i Intent) WithPins(prior record.Prior) Intent {
	pins := i.withMoved(prior)
	i.moved = paths.OrEmpty(pins.Fields).Difference(paths.OrEmpty(prior.Snapshot.Pins.Fields))
	i.pins, i.unpinned = record.Pins{}, nil
	reader := projection.NewReader(i.Manifest.Object)
	i.othersItems = paths.Filter(paths.OrEmpty(pins.Items), func(item paths.Path) bool {
		_, presence := reader.Lookup(item)
		return presence != projection.Present
	})
	if pins.IsEmpty() {
		return i
	}
	written := projection.WithValues(i.Manifest.Object, pins.Fields)
	stays, _ := projection.Covered(pins.Fields, i.Pin, pins.Values)
	left, _ := projection.Covered(stays, i.Ignore, pins.Values)
	stays = record.Public(stays.Difference(left), pins.Values, i.Renderer(i.Manifest.Identity, record.Snapshot{}))
	if i.Repin != prior.Settings.Repin {
		stays, i.repinned = paths.NewSet(), pins.Items
	}
	i.pins = pins.Only(stays.Difference(written))
	ends := pins.Held(prior.FilledBefore()).Fields.Difference(stays).Difference(written)
	i.unpinned = released(ends.Union(i.itemsLeft(prior, ends, stays)))
	return i.pinning(i.pins, prior.Snapshot.Claims)
}

// itemsLeft returns the list items of others in which pins end and no pin stays. We hold their keys only for the pins.
func (i Intent) itemsLeft(prior record.Prior, ends, stays *paths.Set) *paths.Set {
	others := prior.Snapshot.Claims.Others(i.FieldManager).Others(prior.PreviousManager(i.FieldManager)).Fields()
	return paths.Filter(i.othersItems, func(item paths.Path) bool {
		return paths.Touches(ends, item) && paths.Touches(others, item) && !paths.Touches(stays, item)
	})
}

// withMoved returns the pins of prior with the fields of ours that were in the manifest, and are to be pinned now.
func (i Intent) withMoved(prior record.Prior) record.Pins {
	pins, last := prior.Snapshot.Pins, prior.LastBody()
	if len(i.Pin) == 0 || last == nil {
		return pins
	}
	own := prior.Snapshot.Claims.Own(prior.PreviousManager(i.FieldManager))
	moved, _ := projection.Covered(own.Leaves(), i.Pin, last)
	return pins.With(last, projection.WithValues(last, moved).Difference(projection.EmptyCollections(last, moved)))
}

// PinsAfter returns the pins after an apply that left own with us. A value that the server did not keep is not pinned any
// more. A value that was in the manifest before is pinned as the server writes it.
func (i Intent) PinsAfter(live map[string]any, own *paths.Set) record.Pins {
	if len(i.Pin) == 0 {
		return record.Pins{}
	}
	written := i.Manifest.Object
	if i.asWritten.Object != nil {
		written = i.asWritten.Object
	}
	owned, _ := projection.Covered(own.Leaves(), i.Pin, live)
	owned = owned.Difference(projection.WithValues(written, owned))
	held, gone := projection.WithValues(live, owned), paths.OrEmpty(i.pins.Fields).Difference(paths.OrEmpty(i.pinned))
	pins := i.pins.Only(paths.OrEmpty(i.pins.Fields).Difference(paths.OrEmpty(i.moved))).With(live, held).Only(held.Union(gone))
	pins.Items = undeclaredItems(written, pins.Fields.Union(owned))
	return pins
}

// Pinning returns the intent with more pins: those of fields, with their values in live. claims are those on the object.
// Fields that ignored managers own by now are left to them.
func (i Intent) Pinning(live map[string]any, fields *paths.Set, claims ownership.Claims) Intent {
	whole := released(fields)
	i.unpinned = slices.DeleteFunc(slices.Clone(i.unpinned), func(pattern paths.Pattern) bool {
		again, _ := projection.Covered(fields, paths.Patterns{pattern}, live)
		return !again.Empty() || around(pattern, whole) != nil
	})
	values := i.Renderer(i.Manifest.Identity, record.Snapshot{}).Fingerprints(live, claims.Others(i.FieldManager).Fields().Leaves())
	return i.pinning(i.pins.With(live, fields), claims).WithIgnoredManagers(claims, i.FieldManager, values)
}

// pinning returns the intent with pins. The manifest has those that are not in missing list items.
func (i Intent) pinning(pins record.Pins, claims ownership.Claims) Intent {
	if i.asWritten.Object == nil {
		i.asWritten = i.Manifest
	}
	pins.Items = undeclaredItems(i.asWritten.Object, paths.OrEmpty(pins.Fields))
	others := claims.Others(i.FieldManager).Fields()
	gone := paths.Filter(pins.Items, func(item paths.Path) bool { return !paths.Touches(others, item) })
	i.pins, i.pinned = pins, paths.OrEmpty(pins.Fields).RecursiveDifference(gone)
	i.othersItems = paths.OrEmpty(i.othersItems).Union(pins.Items)
	return i.grafted()
}

// withoutPins returns the intent without the pins of fields, which it releases.
func (i Intent) withoutPins(fields *paths.Set) Intent {
	i.unpinned = slices.Concat(i.unpinned, released(fields))
	i.pins, i.pinned = i.pins.Only(i.pins.Fields.Difference(fields)), i.pinned.Difference(fields)
	return i.grafted()
}

// WithoutPins returns the intent as the configuration has it, without what is pinned.
func (i Intent) WithoutPins() Intent {
	if i.asWritten.Object != nil {
		i.Manifest = i.asWritten
	}
	i.pins, i.pinned = record.Pins{}, paths.NewSet()
	return i
}

// grafted returns the intent with the pinned values in its manifest.
func (i Intent) grafted() Intent {
	i.Manifest.Object = i.asWritten.Object
	if !i.pinned.Empty() {
		i.Manifest.Object = projection.Graft(i.asWritten.Object, i.pins.Values, projection.WithItemKeys(i.pins.Values, i.pinned))
	}
	return i
}

// PinsAgain reports whether the apply releases a field in order to pin its new value: a pinned field, or a field of the
// list item around one, if the manifest does not have the item.
func (i Intent) PinsAgain(field paths.Path) bool {
	if i.unpinned.Match(field) && i.Pin.Match(field) {
		return true
	}
	for length := range field {
		if i.repinned != nil && i.repinned.Has(field[:length+1]) {
			return true
		}
	}
	return false
}

// LacksPins reports whether own, the fields that we own, lacks a pin that is not left to others.
func (i Intent) LacksPins(own *paths.Set) bool {
	left, _ := projection.Covered(paths.OrEmpty(i.pinned), i.Ignored(), i.pins.Values)
	return !paths.OrEmpty(i.pinned).Difference(left).Difference(own).Empty()
}

// pinsPending reports whether a pin that is not left to others is not ours yet, or a list item is gone except for the
// fields that we hold in it.
func (i Intent) pinsPending(own *paths.Set) bool {
	if i.pins.IsEmpty() {
		return false
	}
	gone := i.pins.Fields.Difference(i.pinned)
	return i.LacksPins(own) || !gone.Intersection(own).Empty()
}

// Pins returns the values that somebody else chose and that the intent holds.
func (i Intent) Pins() record.Pins { return i.pins }

func (i Intent) pinnable(live map[string]any, claims ownership.Claims) *paths.Set {
	return record.Pinnable(live, i.Pin, claims, i.Renderer(i.Manifest.Identity, record.Snapshot{}).Knowing(live))
}

// NewPins returns the fields of an object that are to be pinned, and are not yet.
func (i Intent) NewPins(live map[string]any, claims ownership.Claims) *paths.Set {
	found := i.pins.New(i.pinnable(live, claims))
	found = found.Difference(projection.WithValues(i.Manifest.Object, found))
	left, _ := projection.Covered(found, i.Ignore, live)
	if found = found.Difference(left); found.Empty() {
		return found
	}
	return found.Intersection(paths.OrEmpty(i.Pinning(live, found, claims).pins.Fields))
}

// UnseenPins returns the texts of the patterns that the object has no value for.
func (i Intent) UnseenPins(live map[string]any, claims ownership.Claims) []string {
	found := i.pinnable(live, claims).Union(paths.OrEmpty(i.pins.Fields))
	_, seen := projection.Covered(found, i.Pin, live)
	var unseen []string
	for index, pattern := range i.Pin {
		if !slices.Contains(seen, index) {
			unseen = append(unseen, pattern.String())
		}
	}
	return unseen
}

// AddsPins reports whether the configuration asks for pins that the last apply was not asked for: of more paths, of new
// values, or of values that were secret until now, so that no read has found them.
func (i Intent) AddsPins(last record.Settings) bool {
	if len(i.Pin) == 0 {
		return false
	}
	return i.Repin != last.Repin || lacks(last.Pin, i.Pin) || lacks(record.Texts(i.Sensitive), record.PatternsOf(last.Sensitive))
}

// lacks reports whether texts do not have one of patterns.
func lacks(texts []string, patterns paths.Patterns) bool {
	return slices.ContainsFunc(record.Texts(patterns), func(text string) bool { return !slices.Contains(texts, text) })
}

// released returns patterns for fields.
func released(fields *paths.Set) paths.Patterns {
	var all []paths.Path
	paths.Walk(fields, func(path paths.Path, _ bool) { all = append(all, path) })
	return exactly(paths.NewFormatter(fields), all)
}

// undeclaredItems returns the list items around fields that the manifest does not have.
func undeclaredItems(object map[string]any, fields *paths.Set) *paths.Set {
	items, reader := paths.NewSet(), projection.NewReader(object)
	paths.Walk(fields, func(path paths.Path, _ bool) {
		for length := 1; length <= len(path); length++ {
			if path[length-1].FieldName != nil {
				continue
			}
			if _, presence := reader.Lookup(path[:length]); presence != projection.Present {
				items.Insert(path[:length].Copy())
			}
		}
	})
	return items
}
