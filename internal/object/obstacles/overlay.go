package obstacles

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// overlay returns base with the values of body, as server-side apply merges them: maps by name, and the lists whose
// items known identifies by item. A field that known contains as a whole is replaced. Neither object is mutated.
func overlay(base, body map[string]any, known *paths.Set) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for name, value := range body {
		element := paths.Field(name)
		if out[name] == nil {
			out[name] = value
			continue
		}
		out[name] = overlayValue(out[name], value, paths.Children(known, element), paths.Has(known, element))
	}
	return out
}

func overlayValue(base, value any, known *paths.Set, isMember bool) any {
	// Claims hold an atomic field as a whole, and an empty map or list, too, to which parts can be added.
	if isMember && known == nil && !projection.IsEmptyCollection(base) {
		return value // It is atomic.
	}
	switch value := value.(type) {
	case map[string]any:
		if was, isMap := base.(map[string]any); isMap {
			return overlay(was, value, known)
		}
	case []any:
		if was, isList := base.([]any); isList {
			return overlayItems(was, value, known)
		}
	}
	return value
}

func overlayItems(base, list []any, known *paths.Set) []any {
	names := projection.NameItems(list, known)
	hasKeys := slices.ContainsFunc(paths.Elements(known), func(e paths.PathElement) bool { return e.Key != nil })
	if !hasKeys && slices.ContainsFunc(names, func(e paths.PathElement) bool { return e.Index != nil }) {
		return list
	}
	both := merging{
		base: base, inList: slices.Repeat([]int{alone}, len(base)), inBase: slices.Repeat([]int{alone}, len(list)),
	}
	items := projection.NewList(base)
	for i, element := range names {
		// A new item may leave one of its keys to the server's default.
		if positions := items.Positions(element); element.Index == nil && len(positions) > 0 {
			both.inList[positions[0]], both.inBase[i] = i, positions[0]
		}
	}
	return both.merge(func(at, i int) any {
		if at == alone {
			return list[i]
		}
		return overlayValue(base[at], list[i], paths.Children(known, names[i]), false)
	})
}

// Applied returns what server-side apply records for the body: its leaves and list items among known and the fields of
// our last apply, which managedFields may not list any more.
func (a Apply) Applied(known *paths.Set) *paths.Set {
	fields := projection.WithValues(a.Body, known.Union(a.named()))
	return paths.Filter(fields, func(path paths.Path) bool {
		return path[len(path)-1].FieldName == nil || !ownership.HasParts(fields, path)
	})
}

// isAtomic reports whether known contains a field as a whole: its parts have no owners of their own.
func isAtomic(known *paths.Set, path paths.Path) bool {
	return known.Has(path) && !ownership.HasParts(known, path)
}

// alone is the position of the partner of an item that has none.
const alone = -1

// merging merges a list into another one in the order of server-side apply: items of the list are in its order, and
// those of base alone keep their place before the next item that both have.
type merging struct {
	base []any
	// inList and inBase contain the position of an item's partner in the other list, or alone.
	inList, inBase []int
}

// merge returns the merged list. item returns an item of the list, merged with its partner in base.
func (m merging) merge(item func(at, i int) any) []any {
	var out []any
	at, i := 0, 0
	for at < len(m.base) || i < len(m.inBase) {
		switch {
		case at < len(m.base) && m.inList[at] == alone:
			out = append(out, m.base[at])
			at++
		case at < len(m.base) && m.inList[at] != m.nextShared(i):
			at++ // Its turn comes with the list, or was before.
		default:
			out = append(out, item(m.inBase[i], i))
			i++
		}
	}
	return out
}

// nextShared returns the position of the first item from i on that both lists have; alone without one.
func (m merging) nextShared(i int) int {
	for ; i < len(m.inBase); i++ {
		if m.inBase[i] != alone {
			return i
		}
	}
	return alone
}

// undeclared is a field of a live object that a body does not declare.
type undeclared struct {
	path paths.Path
	// names are those of the path, in which "[]" is any list item.
	names []string
	// isItem is true for a whole list item.
	isItem bool
	value  any
	// beside is the value in the body of the map or list that contains the field.
	beside any
}

// undeclaredIn returns the outermost fields of live that the body does not declare, next to something that it declares,
// and the list items that the body contains only because values in them are pinned. known determines how list items are
// identified.
func (a Apply) undeclaredIn(live map[string]any, known *paths.Set) []undeclared {
	w := undeclaredWalk{
		body: projection.NewReader(a.Body), known: known, pinned: paths.OrEmpty(a.Wanted.Pins.Items),
		declared: projection.NewReader(a.withoutPinnedItems()), hasContent: wanted.HasContent(a.Body),
	}
	w.visit(nil, live, a.Body)
	return w.found
}

// withoutPinnedItems returns the body without the list items that it has only because values in them are pinned.
func (a Apply) withoutPinnedItems() map[string]any {
	body, _ := projection.Strip(a.Body, paths.OrEmpty(a.Wanted.Pins.Items)).(map[string]any)
	return body
}

type undeclaredWalk struct {
	// body is the body of the apply, declared the same without the items in pinned.
	body, declared *projection.Reader
	known, pinned  *paths.Set
	// hasContent is true if the body has content of the object, and not only metadata.
	hasContent bool
	found      []undeclared
}

func (w *undeclaredWalk) visit(at paths.Path, live, declared any) {
	if len(at) > 0 && isAtomic(w.known, at) {
		return // The apply replaces it.
	}
	switch live := live.(type) {
	case map[string]any:
		fields, isMap := declared.(map[string]any)
		if !isMap {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(live)) {
			w.child(paths.Below(at, paths.Field(name)), live[name], fields)
		}
	case []any:
		if _, isList := declared.([]any); !isList {
			return
		}
		for i, element := range projection.NameItems(live, paths.PartsOf(w.known, at)) {
			if element.Index == nil {
				w.child(paths.Below(at, element), live[i], declared)
			}
		}
	}
}

func (w *undeclaredWalk) child(path paths.Path, live, beside any) {
	if declared, presence := w.body.Lookup(path); presence == projection.Present {
		if w.pinned.Has(path) {
			others, _ := w.declared.Lookup(path[:len(path)-1])
			w.add(path, live, others)
		}
		w.visit(path, live, declared)
		return
	}
	if live == nil || paths.IsKeyField(path) || len(path) == 1 && !w.hasContent {
		return
	}
	w.add(path, live, beside)
}

func (w *undeclaredWalk) add(path paths.Path, live, beside any) {
	w.found = append(w.found, undeclared{
		path: path, names: refusals.NamesOf(path), isItem: path[len(path)-1].FieldName == nil, value: live,
		beside: beside,
	})
}
