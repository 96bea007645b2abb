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

// Field is one member of a field set with its value.
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
			visit(Field{Path: path, Value: child.value, Presence: presenceOf(child), Leaf: part.Below == nil})
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
