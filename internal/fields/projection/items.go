package projection

import (
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// items finds the items of one list by path elements. It reads the list once, so an item of a long list costs no more
// than one of a short list.
type items struct {
	list    []any
	byValue map[string][]int
	byKeys  map[string]*keyed
	// latest is the entry of byKeys that was used last; usually it is the only one.
	latest *keyed
	// exactly is true if items that lack a key are not found.
	exactly bool
}

// find returns the position of an element, -1 if the list does not contain it. Items that name all its keys come first,
// then those that leave some to the server's default.
func (l *items) find(element paths.PathElement) int {
	if element.Index != nil {
		if *element.Index < 0 || *element.Index >= len(l.list) {
			return -1
		}
		return *element.Index
	}
	if exact := l.exact(element); len(exact) > 0 {
		return exact[0]
	}
	if l.exactly {
		return -1
	}
	for position := range l.defaulted(element) {
		return position
	}
	return -1
}

// exact returns the positions of the items that name every key of the element, or are the set member.
func (l *items) exact(element paths.PathElement) []int {
	if keys := paths.KeyFields(element); keys != nil {
		index := l.keyedBy(keys)
		return index.positions[signature(index.names, keys)]
	}
	member, isMember := paths.ElementValue(element)
	if !isMember {
		return nil
	}
	if l.byValue == nil {
		l.byValue = make(map[string][]int, len(l.list))
		for i, item := range l.list {
			print := Fingerprint(item)
			l.byValue[print] = append(l.byValue[print], i)
		}
	}
	return l.byValue[Fingerprint(member)]
}

// defaulted yields the positions of the items that may be the element once the server has filled in the keys that they
// lack. These items have at least one of the keys, and all keys that they have are equal.
func (l *items) defaulted(element paths.PathElement) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		keys := paths.KeyFields(element)
		if keys == nil {
			return
		}
		index := l.keyedBy(keys)
		for _, names := range index.incomplete {
			for _, position := range index.positions[signature(names, keys)] {
				if !yield(position) {
					return
				}
			}
		}
	}
}

// keyed is an index of a list of maps by certain key fields.
type keyed struct {
	names []string
	// positions holds the positions of items, by the signature of those key fields that they have.
	positions map[string][]int
	// incomplete are the sets of key fields of items that lack some, those with most names first.
	incomplete [][]string
}

func (l *items) keyedBy(keys map[string]any) *keyed {
	if l.latest != nil && l.latest.isBy(keys) {
		return l.latest
	}
	names := sortedNames(keys)
	id := strings.Join(names, "\x00")
	if index, built := l.byKeys[id]; built {
		l.latest = index
		return index
	}
	index := &keyed{names: names, positions: make(map[string][]int, len(l.list))}
	seen := map[string]bool{}
	for i, item := range l.list {
		fields, _ := item.(map[string]any)
		has := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			_, is := fields[name]
			return !is
		})
		if len(has) == 0 {
			continue
		}
		if id := strings.Join(has, "\x00"); len(has) < len(names) && !seen[id] {
			seen[id] = true
			index.incomplete = append(index.incomplete, has)
		}
		text := signature(has, fields)
		index.positions[text] = append(index.positions[text], i)
	}
	slices.SortStableFunc(index.incomplete, func(a, b []string) int { return len(b) - len(a) })
	if l.byKeys == nil {
		l.byKeys = map[string]*keyed{}
	}
	l.byKeys[id], l.latest = index, index
	return index
}

// isBy reports whether the names of keys are the key fields of the index.
func (k *keyed) isBy(keys map[string]any) bool {
	return len(k.names) == len(keys) && !slices.ContainsFunc(k.names, func(name string) bool {
		_, is := keys[name]
		return !is
	})
}

// signature returns a string that two maps share if they have the same values under names.
func signature(names []string, fields map[string]any) string {
	var text strings.Builder
	for _, name := range names {
		text.WriteString(name + "\x00" + Fingerprint(fields[name]) + "\x00")
	}
	return text.String()
}

// WithItemKeys returns fields with the keys of each list item of which it contains a part, as far as they are in
// object. Without its keys, an item of a manifest is another item, or is not identified at all. All of fields must be
// in object.
func WithItemKeys(object map[string]any, fields *paths.Set) *paths.Set {
	keys := paths.NewSet()
	insertItemKeys(root(object), fields, nil, keys)
	return fields.Union(keys)
}

func insertItemKeys(at node, fields *paths.Set, prefix paths.Path, keys *paths.Set) {
	children := childrenOf(at)
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if part.Below == nil || child.presence != Present {
			continue // A leaf comes with its whole value.
		}
		path := paths.Below(prefix, part.Element)
		item, _ := child.value.(map[string]any)
		for name := range paths.KeyFields(part.Element) {
			if _, has := item[name]; has {
				keys.Insert(paths.Below(path, paths.Field(name)))
			}
		}
		insertItemKeys(child, part.Below, path, keys)
	}
}

// IsAmbiguous reports whether several elements of fields find the same list item of object, because the item leaves a
// key to its default and the elements differ only in that key.
func IsAmbiguous(object map[string]any, fields *paths.Set) bool {
	return isAmbiguous(root(object), fields)
}

func isAmbiguous(at node, fields *paths.Set) bool {
	children, found := childrenOf(at), map[int]bool{}
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if child.presence != Present {
			continue
		}
		if child.index >= 0 && found[child.index] || isAmbiguous(child, part.Below) {
			return true
		}
		found[child.index] = true
	}
	return false
}

// Order is the order of some items of a list with keys.
type Order struct {
	Path  paths.Path
	Items []paths.PathElement
}

// Orders returns the lists of which fields contains several items with keys that are in object, each with these items
// in the order of object. Other items of the lists do not count.
func Orders(object map[string]any, fields *paths.Set) []Order {
	return ordersIn(nil, root(object), fields, nil)
}

// Reordered returns those of Orders in which object and other do not have their common items in the same order.
func Reordered(object, other map[string]any, fields *paths.Set) []Order {
	here := Orders(object, fields)
	if len(here) == 0 {
		return nil
	}
	positions := map[string]int{}
	for _, order := range Orders(other, fields) {
		for position, item := range order.Items {
			positions[paths.ID(paths.Below(order.Path, item))] = position
		}
	}
	var reordered []Order
	for _, order := range here {
		var common []int
		for _, item := range order.Items {
			if position, has := positions[paths.ID(paths.Below(order.Path, item))]; has {
				common = append(common, position)
			}
		}
		if !slices.IsSorted(common) {
			reordered = append(reordered, order)
		}
	}
	return reordered
}

// Arranged returns object with the items that orders name in that order, at the positions that these items have there.
// Other items keep their positions. object is not mutated.
func Arranged(object map[string]any, orders []Order) map[string]any {
	for _, order := range orders {
		object, _ = arrange(object, order.Path, order.Items).(map[string]any)
	}
	return object
}

func arrange(value any, at paths.Path, order []paths.PathElement) any {
	switch value := value.(type) {
	case map[string]any:
		if len(at) == 0 || at[0].FieldName == nil {
			return value
		}
		if inner, has := value[*at[0].FieldName]; has {
			value = maps.Clone(value)
			value[*at[0].FieldName] = arrange(inner, at[1:], order)
		}
		return value
	case []any:
		known, out := items{list: value}, slices.Clone(value)
		if len(at) > 0 {
			if position := known.find(at[0]); position >= 0 {
				out[position] = arrange(value[position], at[1:], order)
			}
			return out
		}
		var from []int
		for _, item := range order {
			if position := known.find(item); position >= 0 {
				from = append(from, position)
			}
		}
		for i, position := range slices.Sorted(slices.Values(from)) {
			out[position] = value[from[i]]
		}
		return out
	default:
		return value
	}
}

// ordersIn appends to found the lists at and below a node.
func ordersIn(path paths.Path, at node, fields *paths.Set, found []Order) []Order {
	children := childrenOf(at)
	type positioned struct {
		element paths.PathElement
		index   int
	}
	var items []positioned
	for _, part := range paths.Parts(fields) {
		if part.Below == nil && part.Element.Key == nil {
			continue
		}
		child := children.get(part.Element)
		if child.presence != Present {
			continue
		}
		if part.Element.Key != nil {
			items = append(items, positioned{part.Element, child.index})
		}
		if part.Below != nil {
			found = ordersIn(paths.Below(path, part.Element), child, part.Below, found)
		}
	}
	if len(items) < 2 {
		return found
	}
	slices.SortStableFunc(items, func(a, b positioned) int { return a.index - b.index })
	order := Order{Path: path}
	for _, item := range items {
		order.Items = append(order.Items, item.element)
	}
	return append(found, order)
}
