package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// List finds the items of one list of an object by the elements of paths.
type List struct{ items items }

// NewList returns a List of values, which is not mutated.
func NewList(values []any) *List { return &List{items{list: values}} }

// Positions returns the positions of the items that match an element: usually one, several if the list contains
// duplicates, none if it does not contain the item.
func (l *List) Positions(element paths.PathElement) []int {
	if exact := l.items.exact(element); len(exact) > 0 {
		return exact
	}
	if position := l.items.find(element); position >= 0 {
		return []int{position}
	}
	return nil
}

// NameItems returns the element of each item of a list: the element in known, else the keys or the value by which known
// identifies its siblings, else its position. No two items get the same element.
func NameItems(list []any, known *paths.Set) []paths.PathElement {
	named := correspond(list, known)
	taken := make(map[string]bool, len(named))
	for _, element := range named {
		taken[paths.ElementID(element)] = true
	}
	forms := formsOf(paths.Elements(known))
	for i, element := range named {
		if element.Index == nil {
			continue
		}
		for _, form := range forms {
			//nolint:gosec // named has an element for each item.
			if name, fits := form.name(list[i]); fits && !taken[paths.ElementID(name)] {
				named[i], taken[paths.ElementID(name)] = name, true
				break
			}
		}
	}
	return named
}

// keyForm describes how the items of a list are identified: by these keys, or by their value if no keys are given.
type keyForm struct{ keys []string }

// formsOf returns the forms among elements, each once. Positions are not forms.
func formsOf(elements []paths.PathElement) []keyForm {
	var forms []keyForm
	for _, element := range elements {
		if element.FieldName != nil || element.Index != nil {
			continue
		}
		keys := sortedNames(paths.KeyFields(element))
		if !slices.ContainsFunc(forms, func(f keyForm) bool { return slices.Equal(f.keys, keys) }) {
			forms = append(forms, keyForm{keys})
		}
	}
	return forms
}

// name returns the element of an item, and false if it cannot have one of this form.
func (f keyForm) name(item any) (paths.PathElement, bool) {
	if len(f.keys) == 0 {
		return paths.Value(item), true
	}
	fields, _ := item.(map[string]any)
	keys := make(map[string]any, len(f.keys))
	for _, name := range f.keys {
		switch value := fields[name].(type) {
		case nil, map[string]any, []any:
			return paths.PathElement{}, false
		default:
			keys[name] = value
		}
	}
	return paths.Key(keys), true
}

// Duplicates returns the list items of an object, by their positions, that have the keys of an earlier item of their
// list, sorted by path. known determines which keys identify the items.
func Duplicates(object map[string]any, known *paths.Set) []paths.Path {
	var found []paths.Path
	var visit func(value any, known *paths.Set, at paths.Path)
	visit = func(value any, known *paths.Set, at paths.Path) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range sortedNames(value) {
				element := paths.Field(name)
				visit(value[name], paths.Children(known, element), paths.Below(at, element))
			}
		case []any:
			isKeyed := slices.ContainsFunc(paths.Elements(known), func(e paths.PathElement) bool {
				return e.Key != nil
			})
			for i, element := range NameItems(value, known) {
				path := paths.Below(at, element)
				if isKeyed && element.Index != nil {
					found = append(found, path)
				}
				visit(value[i], paths.Children(known, element), path)
			}
		}
	}
	visit(object, known, nil)
	return found
}

// PathOf returns a path of names and positions with the elements of list items, as NameItems returns them, instead of
// the positions. The path ends at the first leaf of known: a map or a list with one owner. It is nil if the object does
// not have the field.
func PathOf(object map[string]any, at paths.Path, known *paths.Set) paths.Path {
	var value any = object
	var path paths.Path
	for _, element := range at {
		switch parent := value.(type) {
		case map[string]any:
			if element.FieldName == nil {
				return nil
			}
			value = parent[*element.FieldName]
		case []any:
			if element.Index == nil || *element.Index >= len(parent) {
				return nil
			}
			position := *element.Index
			value, element = parent[position], NameItems(parent, known)[position]
		default:
			return nil
		}
		path = paths.Below(path, element)
		below := paths.Children(known, element)
		if below == nil && paths.Has(known, element) {
			return path
		}
		known = below
	}
	return path
}

// Replace returns object with another value at a path of names and positions. Nothing is mutated. An object that does
// not have the field is returned as it is.
func Replace(object map[string]any, at paths.Path, value any) map[string]any {
	if object == nil {
		return nil
	}
	replaced, _ := replace(object, at, value).(map[string]any)
	return replaced
}

func replace(in any, at paths.Path, value any) any {
	if len(at) == 0 {
		return value
	}
	switch in := in.(type) {
	case map[string]any:
		if at[0].FieldName == nil {
			return in
		}
		out := make(map[string]any, len(in)+1)
		maps.Copy(out, in)
		name := *at[0].FieldName
		out[name] = replace(in[name], at[1:], value)
		return out
	case []any:
		if at[0].Index == nil || *at[0].Index >= len(in) {
			return in
		}
		out := append([]any{}, in...)
		out[*at[0].Index] = replace(in[*at[0].Index], at[1:], value)
		return out
	default:
		return in
	}
}

// Presence describes whether a field has a value.
type Presence bool

// A field set may hold fields that the object no longer has.
const (
	Present Presence = true
	Absent  Presence = false
)

// node is a value at a position in an object. The zero node is absent.
type node struct {
	value    any
	presence Presence
	// index is the position in the parent list, -1 for a map value or an unknown position.
	index int
}

func root(object map[string]any) node { return node{value: object, presence: Present, index: -1} }

// Lookup returns the value of one field. To look at many fields of one object, use a Reader.
func Lookup(object map[string]any, path paths.Path) (any, Presence) {
	return NewReader(object).Lookup(path)
}

// Walk visits every member of set in order with its value in object. A leaf has no member below it.
func Walk(object map[string]any, set *paths.Set, visit func(Field)) {
	walk(root(object), set, nil, visit)
}

// Field is one member of a field set with its value. The value of list items with the same keys is a list of them.
type Field struct {
	Path     paths.Path
	Value    any
	Presence Presence
	// Leaf is true if the set has no member below the field.
	Leaf bool
}

func walk(at node, set *paths.Set, prefix paths.Path, visit func(Field)) {
	children := childrenOf(at)
	for _, part := range paths.Parts(set) {
		child := children.get(part.Element)
		path := paths.Below(prefix, part.Element)
		if part.IsMember {
			visit(Field{
				Path: path, Value: children.whole(child, part, set), Presence: child.presence, Leaf: part.Below == nil,
			})
		}
		if part.Below != nil {
			walk(child, part.Below, path, visit)
		}
	}
}

// childNodes finds the parts of one map or list.
type childNodes struct {
	at node
	// items is nil if the value is not a list.
	items *items
}

func childrenOf(at node) childNodes {
	list, isList := at.value.([]any)
	if !isList {
		return childNodes{at: at}
	}
	return childNodes{at: at, items: &items{list: list}}
}

// whole returns the value of a part of set; a list of the values if several items have the keys of a leaf. The server
// records these items as one leaf, because their parts have no paths of their own. If set has items with other keys,
// these identify the items better.
func (c childNodes) whole(child node, part paths.Part, set *paths.Set) any {
	if part.Below != nil || part.Element.Key == nil || c.items == nil {
		return child.value
	}
	positions := c.items.exact(part.Element)
	if len(positions) < 2 || len(formsOf(paths.Elements(set))) > 1 {
		return child.value
	}
	values := make([]any, len(positions))
	for i, position := range positions {
		values[i] = c.items.list[position]
	}
	return values
}

func (c childNodes) get(element paths.PathElement) node {
	if element.FieldName != nil {
		fields, _ := c.at.value.(map[string]any)
		return childOf(fields, *element.FieldName)
	}
	index := -1
	if c.items != nil {
		index = c.items.find(element)
	}
	if index < 0 {
		return node{index: -1}
	}
	return node{value: c.items.list[index], presence: Present, index: index}
}
