package prediction

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// NewItems returns the outermost list items with keys that the apply of a part adds, sorted by path. For a whole
// object, these are the items that its first apply adds to other items, and those that a later one adds again.
func (in Inputs) NewItems() []ownership.Change {
	if !in.Wanted.IsPart {
		return in.itemsAmongUndeclared()
	}
	added := wanted.AddedBy(in.Wanted.Arguments, in.Wanted.Prior, in.Applied)
	if added == nil || in.Wanted.Prior.Live == nil {
		return nil
	}
	names := in.Wanted.LiveRenderer().Names(in.Wanted.Claims().Formatter(in.Applied))
	declared := paths.OrEmpty(in.Wanted.Prior.Snapshot.Fields.Declared)
	return NewItems(in.Applied, projection.NewReader(in.Wanted.Prior.Live), names, func(path paths.Path) bool {
		return added.Has(path) && !declared.Has(path)
	})
}

// NewItems returns the outermost list items with keys among fields that are new to a live object, sorted by path.
func NewItems(
	fields *paths.Set, live *projection.Reader, names rendering.Formatter, isNew func(paths.Path) bool,
) []ownership.Change {
	var items []ownership.Change
	var visit func(fields *paths.Set, at paths.Path)
	visit = func(fields *paths.Set, at paths.Path) {
		others := sync.OnceValue(func() string { return itemsOf(live, at, fields, names) })
		for _, part := range paths.Parts(fields) {
			path := paths.Below(at, part.Element)
			if !part.IsMember || paths.KeyFields(part.Element) == nil || !isNew(path) {
				visit(part.Below, path)
				continue
			}
			items = append(items, ownership.Change{Field: names.Format(path), What: ownership.Adding, With: others()})
		}
	}
	visit(fields, nil)
	return items
}

// itemsOf returns the items of a list, named as fields names them.
func itemsOf(live *projection.Reader, at paths.Path, fields *paths.Set, names rendering.Formatter) string {
	value, _ := live.Lookup(at)
	list, _ := value.([]any)
	var items []string
	for _, element := range projection.NameItems(list, fields) {
		items = append(items, names.Format(paths.Below(at, element)))
	}
	return strings.Join(items, ", ")
}

// reordered returns the lists of which the apply sends several items in another order than the current one. fields are
// those to which it gives values. No manager owns the order of a list. So the API server reports no conflict about it,
// and not who changed it, and the managers of a change are those that also own one of the items.
func (in Inputs) reordered(fields *paths.Set, formatter *paths.Formatter) []ownership.Change {
	prior, renderer := in.Wanted.Prior, in.Wanted.LiveRenderer()
	names, priorNames := renderer.Names(formatter), prior.Snapshot.Renderer().Names(formatter)
	adopted := map[string]string{}
	if prior.Arguments.Manifest.Object == nil || in.Wanted.IsPart { // The state of a part has no orders.
		adopted = renderer.Orders(prior.Live, in.Result, fields, formatter)
	}
	var changes []ownership.Change
	for _, order := range projection.Orders(in.Result, fields) {
		change := ownership.Change{Field: names.Format(order.Path), What: ownership.Retaking, Why: ownership.Reordered}
		was, shown := prior.ManagedState[priorNames.Format(order.Path)]
		if !shown {
			if was, shown = adopted[change.Field]; shown {
				change.What = ownership.Taking
			}
		}
		becomes, isPublic := renderer.Order(order)
		if !shown || !isPublic || !rendering.IsReordered(was, becomes) {
			continue
		}
		change.Was, change.Becomes, change.Owned = was, becomes, change.What == ownership.Retaking
		change.Owners = in.ownersOfItems(order)
		switch {
		case change.What == ownership.Retaking:
			change.Again = prior.Snapshot.RepeatedConflicts.With(change.Field, change.Owners) + 1
		case len(change.Owners) == 0:
			change.What = ownership.Unclaimed
		}
		changes = append(changes, change)
	}
	return changes
}

// ownersOfItems returns the other managers that own one of the items whose order is given.
func (in Inputs) ownersOfItems(order projection.Order) []ownership.Holder {
	others := in.Wanted.Claims().Others(in.Wanted.FieldManager)
	return ownership.HoldersOf(others, func(fields *paths.Set) bool {
		items := paths.PartsOf(fields, order.Path)
		return slices.ContainsFunc(order.Items, func(item paths.PathElement) bool { return paths.Has(items, item) })
	})
}

// IsTurned reports whether managed_state has the order of a list at a field, which it has if that is not the order of
// the manifest, and not a string that looks like one.
func IsTurned(state map[string]string, field string) bool {
	return rendering.IsOrder(state[field]) && slices.ContainsFunc(slices.Collect(maps.Keys(state)),
		func(other string) bool { return strings.HasPrefix(other, field+"[") })
}

// BecameAtomic returns the fields that the schema has made atomic since the claims were recorded, according to the
// answer to body. answer is the object in it, and answered are the claims in it, with ours under the name of manager.
func BecameAtomic(
	w wanted.Wanted, body map[string]any, answered ownership.Claims, manager string, answer map[string]any,
) *paths.Set {
	own := w.FieldManager
	as := func(name string) ownership.Rewrite { return ownership.Rewrite{Manager: own, PreviousManager: name} }
	before, after := as(w.PreviousManager()).Claims(w.Claims()), Unwritten(w.Claims(), as(manager).Claims(answered),
		own)
	reader := projection.NewReader(body)
	given := func(path paths.Path) any {
		value, _ := reader.Lookup(path)
		return value
	}
	held, whole := before.Fields(), projection.NewReader(answer)
	byOthers := before.BecameAtomic(after, func(path paths.Path) bool {
		value, _ := whole.Lookup(path)
		return projection.IsEmptyCollection(given(path)) || projection.IsEmptyCollection(value) ||
			!IsLikeBefore(value, held, path)
	})
	return byOthers.Union(before.BecameAtomicUnder(after.Own(own), after, given))
}

// Unwritten returns answered without the claims that managers other than fieldManager changed since claims were
// recorded. Their writes between Terraform's two plans of one change must not look like a change of the schema.
func Unwritten(claims, answered ownership.Claims, fieldManager string) ownership.Claims {
	return slices.DeleteFunc(slices.Clone(answered), func(now ownership.Claim) bool {
		before := slices.IndexFunc(claims, func(c ownership.Claim) bool { return c.Manager == now.Manager })
		return !now.IsOwn(fieldManager) && before >= 0 && !claims[before].Time.Equal(now.Time)
	})
}

// IsLikeBefore reports whether a value is of the kind that the held parts need: a map for named parts, a list for
// items. A manager that writes a value of another kind holds it as a whole, without any change of the schema.
func IsLikeBefore(value any, held *paths.Set, path paths.Path) bool {
	switch value.(type) {
	case map[string]any:
		return ownership.HasNamedParts(held, path)
	case []any:
		return !ownership.HasNamedParts(held, path)
	default:
		return false
	}
}

// replaces reports whether the body gives a scalar or a list to a field that is a map, because held has named parts of
// it. The server then replaces the map with all its parts. It merges maps, empty ones too, and leaves a map alone if
// the body contains null.
func replaces(held *paths.Set, field paths.Path, body *projection.Reader) bool {
	value, presence := body.Lookup(field)
	if presence != projection.Present || value == nil {
		return false
	}
	_, isMap := value.(map[string]any)
	return !isMap && ownership.HasNamedParts(held, field)
}

// ReplacesAny reports whether the body replaces a map that other managers hold in addition to its parts.
func ReplacesAny(body map[string]any, others *paths.Set) bool {
	reader, found := projection.NewReader(body), false
	paths.Walk(others, func(path paths.Path, leaf bool) {
		found = found || !leaf && replaces(others, path, reader)
	})
	return found
}
