package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// Presence describes whether a field has a value.
type Presence string

// A field set may hold fields that the object no longer has.
const (
	Present Presence = "Present"
	Absent  Presence = "Absent"
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

func presenceOf(at node) Presence {
	if at.presence == Present {
		return Present
	}
	return Absent
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
				Path: path, Value: children.whole(child, part, set), Presence: presenceOf(child),
				Leaf: part.Below == nil,
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
		value, has := fields[*element.FieldName]
		if !has {
			return node{index: -1}
		}
		return node{value: value, presence: Present, index: -1}
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
