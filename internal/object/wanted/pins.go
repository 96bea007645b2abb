package wanted

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// pin adds the pinned values to the manifest, except those in list items that the object lacks. A pin that the
// configuration does not ask for any more, leaves to other managers or calls secret is released, as an ignored field
// is.
func pin(w Wanted) Wanted {
	prior, pins := w.Prior, withMoved(w.Arguments, w.Prior)
	w.Moved = paths.OrEmpty(pins.Fields).Difference(paths.OrEmpty(prior.Snapshot.Pins.Fields))
	w.PinnedItems = projection.WithoutValues(w.Keys.Complete(w.Manifest.Object),
		paths.OrEmpty(pins.Items).Union(itemsOfNobody(w)))
	if pins.IsEmpty() {
		return w
	}
	written := projection.WithValues(w.Keys.Complete(w.Manifest.Object), pins.Fields)
	stays, _ := projection.Covered(pins.Fields, w.Pin, pins.Values)
	left, _ := projection.Covered(stays, w.Ignore, pins.Values)
	stays = record.Public(stays.Difference(left), pins.Values, w.Renderer(w.Manifest.Identity, record.Snapshot{}))
	if w.Repin != prior.Arguments.Repin {
		stays, w.Repinned = paths.NewSet(), pins.Items
	}
	w.Pins = pins.Only(stays.Difference(written))
	ends := pins.Held(prior.FilledBefore()).Fields.Difference(stays).Difference(written)
	w.Unpinned = exactly(ends.Union(w.itemsLeft(ends, stays)))
	return w.pinning(w.Pins, w.Claims(), paths.NewSet())
}

// itemsLeft returns the list items of other managers, or of no manager, in which pins end and no pin stays. We own
// their keys only because of the pins.
func (w Wanted) itemsLeft(ends, stays *paths.Set) *paths.Set {
	others := ofOthers(w, w.Claims()).Union(itemsOfNobody(w))
	return paths.Filter(w.PinnedItems, func(item paths.Path) bool {
		return paths.Touches(ends, item) && paths.Touches(others, item) && !paths.Touches(stays, item)
	})
}

// itemsOfNobody returns the list items that no manager owned when our last apply pinned values in them, or when the
// object was read. No other manager can remove them.
func itemsOfNobody(w Wanted) *paths.Set {
	pins := w.Prior.Snapshot.Pins
	return pinnedItems(w).Difference(paths.OrEmpty(pins.Items)).Union(paths.OrEmpty(pins.Unowned))
}

// pinnedItems returns the list items that our last apply left with us only because values in them are pinned.
func pinnedItems(w Wanted) *paths.Set {
	held := w.Prior.Snapshot.Pins.Held(w.Prior.FilledBefore()).Fields
	return undeclaredItems(w.Keys.Complete(w.Prior.Arguments.Manifest.Object), paths.OrEmpty(held))
}

// ofOthers returns the fields of claims that managers hold who are neither ours nor ours under its former name.
func ofOthers(w Wanted, claims ownership.Claims) *paths.Set {
	return claims.Others(w.FieldManager).Others(w.PreviousManager()).Fields()
}

// withMoved returns the pins of the snapshot, and those of our fields that were in the manifest and are to be pinned
// now.
func withMoved(a arguments.Arguments, prior record.Prior) record.Pins {
	pins, last := prior.Snapshot.Pins, prior.LastBody()
	if len(a.Pin) == 0 || last == nil {
		return pins
	}
	own := prior.Snapshot.Claims.Own(prior.PreviousManager(a.FieldManager))
	moved, _ := projection.Covered(own.Leaves(), a.Pin, last)
	return pins.With(last, projection.WithValues(last, moved).Difference(projection.EmptyCollections(last, moved)))
}

// PinsAfter returns the pins after an apply that left own with us, of the claims on the object. A value that the server
// did not keep is not pinned any more. A value that was in the manifest before is pinned as the server writes it.
func (w Wanted) PinsAfter(live map[string]any, claims ownership.Claims, own *paths.Set) record.Pins {
	if len(w.Pin) == 0 {
		return record.Pins{}
	}
	written := w.Manifest.Object
	if w.AsWritten.Object != nil {
		written = w.AsWritten.Object
	}
	written = w.Keys.Complete(written)
	owned, _ := projection.Covered(own.Leaves(), w.Pin, live)
	owned = owned.Difference(projection.WithValues(written, owned))
	held, gone := projection.WithValues(live, owned), paths.OrEmpty(w.Pins.Fields).Difference(paths.OrEmpty(w.Pinned))
	pins := w.Pins.Only(paths.OrEmpty(w.Pins.Fields).Difference(paths.OrEmpty(w.Moved))).With(live,
		held).Only(held.Union(gone))
	others := ofOthers(w, claims)
	pins.Items = paths.Filter(undeclaredItems(written, pins.Fields.Union(owned)), func(item paths.Path) bool {
		return ownership.Holds(others, item) || !ownership.Holds(own, item)
	})
	return pins
}

// Pinning returns w with more pins: those of fields, with their values in live. claims are those on the object.
// Fields that ignored managers own by now are left to them. Pins that live has no value for end: the server has dropped
// them. Those in list items that have come back since the read stay as they are: the next plan shows what their values
// change.
func (w Wanted) Pinning(live map[string]any, fields *paths.Set, claims ownership.Claims) Wanted {
	gone := projection.WithoutValues(live, paths.OrEmpty(w.Pinned))
	w.Pins = w.Pins.Only(paths.OrEmpty(w.Pins.Fields).Difference(gone))
	whole := exactly(fields)
	w.Unpinned = slices.DeleteFunc(slices.Clone(w.Unpinned), func(pattern paths.Pattern) bool {
		again, _ := projection.Covered(fields, paths.Patterns{pattern}, live)
		return !again.Empty() || pattern.Covering(whole) != nil
	})
	values := w.Renderer(w.Manifest.Identity, record.Snapshot{}).Fingerprints(live,
		claims.Others(w.FieldManager).Fields().Leaves())
	shown := paths.OrEmpty(w.Pinned).Union(fields)
	pins := w.Pins.With(live, fields)
	w = w.pinning(pins, claims, projection.UnownedItems(live, paths.OrEmpty(pins.Fields), claims.Fields()))
	w.Pinned = w.Pinned.Intersection(shown)
	return w.grafted().Ignoring(claims, w.FieldManager, values)
}

// pinning returns w with pins. The manifest contains those that are not in missing list items. unowned are list items
// of the object that no manager owns now, in addition to those of the last read.
func (w Wanted) pinning(pins record.Pins, claims ownership.Claims, unowned *paths.Set) Wanted {
	if w.AsWritten.Object == nil {
		w.AsWritten = w.Manifest
	}
	pins.Items = undeclaredItems(w.Keys.Complete(w.AsWritten.Object), paths.OrEmpty(pins.Fields))
	leaving := projection.WithValues(w.Keys.Complete(w.Prior.Arguments.Manifest.Object), pins.Items)
	held := ofOthers(w, claims).Union(itemsOfNobody(w).RecursiveDifference(leaving)).Union(unowned)
	gone := paths.Filter(pins.Items, func(item paths.Path) bool { return !ownership.Holds(held, item) })
	w.Pins, w.Pinned = pins, paths.OrEmpty(pins.Fields).RecursiveDifference(gone)
	w.PinnedItems = paths.OrEmpty(w.PinnedItems).Union(pins.Items)
	return w.grafted()
}

// withoutPins returns w without the pins of fields, which it releases.
func (w Wanted) withoutPins(fields *paths.Set) Wanted {
	w.Unpinned = slices.Concat(w.Unpinned, exactly(fields))
	w.Pins, w.Pinned = w.Pins.Only(w.Pins.Fields.Difference(fields)), w.Pinned.Difference(fields)
	return w.grafted()
}

// WithoutPinsIn returns w without the pins in list items that the manifest lacks and that the apply removes. Those that
// an apply has pinned stay in the snapshot, as if other managers had removed the items.
func (w Wanted) WithoutPinsIn(items *paths.Set) Wanted {
	removed := paths.OrEmpty(w.Pins.Items).Intersection(items)
	if removed.Empty() {
		return w
	}
	w.Pinned, w.PinnedItems = w.Pinned.RecursiveDifference(removed), w.PinnedItems.RecursiveDifference(removed)
	before := w.Prior.Snapshot.Pins
	found := w.Pins.Fields.Difference(w.Pinned).RecursiveDifference(paths.OrEmpty(before.Items))
	w.Pins = w.Pins.Only(w.Pins.Fields.Difference(found.Difference(
		paths.OrEmpty(before.Held(w.Prior.FilledBefore()).Fields))))
	return w.grafted()
}

// WithoutPins returns w with the manifest of the configuration, without pinned values.
func (w Wanted) WithoutPins() Wanted {
	if w.AsWritten.Object != nil {
		w.Manifest = w.AsWritten
	}
	w.Pins, w.Pinned = record.Pins{}, paths.NewSet()
	return w
}

// grafted returns w with the pinned values in the manifest.
func (w Wanted) grafted() Wanted {
	w.Manifest.Object = w.AsWritten.Object
	if !w.Pinned.Empty() {
		w.Manifest.Object = w.Keys.Graft(w.AsWritten.Object, w.Pins.Values,
			projection.WithItemKeys(w.Pins.Values, w.Pinned))
	}
	return w
}

// PinsAgain reports whether the apply releases a field in order to pin its new value: a pinned field, or a field of the
// list item around one, if the manifest does not have the item.
func (w Wanted) PinsAgain(field paths.Path) bool {
	if w.Unpinned.Match(field) && w.Pin.Match(field) {
		return true
	}
	for length := range field {
		if w.Repinned != nil && w.Repinned.Has(field[:length+1]) {
			return true
		}
	}
	return false
}

// LacksPins reports whether own, the fields that we own, lacks a pin that is not left to other managers.
func (w Wanted) LacksPins(own *paths.Set) bool {
	left, _ := projection.Covered(paths.OrEmpty(w.Pinned), w.Ignored(), w.Pins.Values)
	return !paths.OrEmpty(w.Pinned).Difference(left).Difference(own).Empty()
}

// pinsPending reports whether a pin that is not left to other managers is not ours yet, or a list item is gone except
// for the fields that we hold in it.
func (w Wanted) pinsPending(own *paths.Set) bool {
	if w.Pins.IsEmpty() {
		return false
	}
	gone := w.Pins.Fields.Difference(w.Pinned)
	return w.LacksPins(own) || !gone.Intersection(own).Empty()
}

func (w Wanted) pinnable(live map[string]any, claims ownership.Claims) *paths.Set {
	return record.Pinnable(live, w.Pin, claims, w.Renderer(w.Manifest.Identity, record.Snapshot{}).Knowing(live))
}

// NewPins returns the fields of an object that are to be pinned, and are not yet.
func (w Wanted) NewPins(live map[string]any, claims ownership.Claims) *paths.Set {
	found := w.Pins.New(w.pinnable(live, claims))
	found = found.Difference(projection.WithValues(w.Keys.Complete(w.Manifest.Object), found))
	left, _ := projection.Covered(found, w.Ignore, live)
	if found = found.Difference(left); found.Empty() {
		return found
	}
	return found.Intersection(paths.OrEmpty(w.Pinning(live, found, claims).Pins.Fields))
}

// unseenPins returns the strings of the pin patterns that cover no value of the object.
func (w Wanted) unseenPins(live map[string]any, claims ownership.Claims) []string {
	found := w.pinnable(live, claims).Union(paths.OrEmpty(w.Pins.Fields))
	_, seen := projection.Covered(found, w.Pin, live)
	var unseen []string
	for index, pattern := range w.Pin {
		if !slices.Contains(seen, index) {
			unseen = append(unseen, pattern.String())
		}
	}
	return unseen
}

// AddsPins reports whether the configuration asks for pins that the last apply was not asked for: of more paths, of new
// values, or of values that were secret until now, which no read has found therefore.
func AddsPins(a arguments.Arguments, prior record.Prior) bool {
	last := prior.Arguments
	if len(a.Pin) == 0 {
		return false
	}
	return a.Repin != last.Repin || lacks(last.Pin, a.Pin) || lacks(a.Sensitive, last.Sensitive)
}

func lacks(patterns, needed paths.Patterns) bool {
	written := paths.Texts(patterns)
	return slices.ContainsFunc(paths.Texts(needed), func(pattern string) bool {
		return !slices.Contains(written, pattern)
	})
}

// exactly returns patterns that cover fields and everything below them.
func exactly(fields *paths.Set) paths.Patterns {
	var all []paths.Path
	paths.Walk(fields, func(path paths.Path, _ bool) { all = append(all, path) })
	return paths.Covering(all, paths.NewFormatter(fields))
}

// undeclaredItems returns the list items around fields that the manifest does not have.
func undeclaredItems(object map[string]any, fields *paths.Set) *paths.Set {
	return projection.WithoutValues(object, paths.Items(fields))
}
