// Package projection reads the values at owned fields: it walks an object and a field set side by side,
// renders values for display with secrets masked, fingerprints them, and splits a body into the fields
// that ignore patterns cover and those they do not. Plain Go in, plain Go out.
package projection

import (
	"fmt"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// Presence tells a value that is there from a field that has none.
type Presence string

// A field set may hold fields that the object no longer has.
const (
	Present Presence = "Present"
	Absent  Presence = "Absent"
)

// node is a place in an object. The zero node is absent.
type node struct {
	value    any
	presence Presence
	// index is the position in the parent list, -1 for a map value or an unknown position.
	index int
}

func root(object map[string]any) node { return node{value: object, presence: Present, index: -1} }

// Lookup is the value of one field.
func Lookup(object map[string]any, path paths.Path) (any, Presence) {
	at := root(object)
	for _, element := range path {
		at = childrenOf(at, nil).get(element)
	}
	return at.value, presenceOf(at)
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
	// Leaf says that the set has no member below the field.
	Leaf bool
}

func walk(at node, set *paths.Set, prefix paths.Path, visit func(Field)) {
	elements := paths.Elements(set)
	children := childrenOf(at, elements)
	for _, element := range elements {
		child := children.get(element)
		path := append(prefix[:len(prefix):len(prefix)], element)
		below := paths.Children(set, element)
		if set.Members.Has(element) {
			visit(Field{Path: path, Value: child.value, Presence: presenceOf(child), Leaf: below == nil})
		}
		if below != nil {
			walk(child, below, path, visit)
		}
	}
}

// children finds the parts of one map or list. Lists of maps are indexed by the key fields that the
// wanted elements name, so that long lists cost no more per item than short ones.
type children struct {
	at    node
	names []string
	byKey map[string]int
}

func childrenOf(at node, wanted []paths.PathElement) children {
	c := children{at: at}
	list, isList := at.value.([]any)
	if !isList || len(list) == 0 {
		return c
	}
	for _, element := range wanted {
		if keys := paths.KeyFields(element); keys != nil {
			c.names = sortedNames(keys)
			break
		}
	}
	c.byKey = make(map[string]int, len(list))
	for i, item := range list {
		signature, ok := c.signature(item)
		if _, taken := c.byKey[signature]; ok && !taken {
			c.byKey[signature] = i
		}
	}
	return c
}

// signature is the text by which an item of the list is found: its key fields, or the item itself for
// a set. An item that lacks a key field has none.
func (c children) signature(item any) (string, bool) {
	if c.names == nil {
		return fmt.Sprintf("%v", canonicalNumber(item)), true
	}
	fields, isMap := item.(map[string]any)
	if !isMap {
		return "", false
	}
	var text strings.Builder
	for _, name := range c.names {
		value, has := fields[name]
		if !has {
			return "", false
		}
		fmt.Fprintf(&text, "%q", fmt.Sprint(canonicalNumber(value)))
	}
	return text.String(), true
}

func (c children) get(element paths.PathElement) node {
	if element.FieldName != nil {
		fields, _ := c.at.value.(map[string]any)
		value, has := fields[*element.FieldName]
		if !has {
			return node{index: -1}
		}
		return node{value: value, presence: Present, index: -1}
	}
	list, isList := c.at.value.([]any)
	if !isList {
		return node{index: -1}
	}
	index := c.find(list, element)
	if index < 0 || index >= len(list) {
		return node{index: -1}
	}
	return node{value: list[index], presence: Present, index: index}
}

func (c children) find(list []any, element paths.PathElement) int {
	if element.Index != nil {
		return *element.Index
	}
	if keys := paths.KeyFields(element); keys != nil {
		return c.findByKeys(list, keys)
	}
	value, _ := paths.ElementValue(element)
	if index, found := c.byKey[fmt.Sprintf("%v", canonicalNumber(value))]; found && c.names == nil {
		return index
	}
	for i, item := range list {
		if Fingerprint(item) == Fingerprint(value) {
			return i
		}
	}
	return -1
}

// findByKeys falls back on items that leave a key field to the server's default, which the exact index
// cannot hold.
func (c children) findByKeys(list []any, keys map[string]any) int {
	if signature, ok := c.signature(keys); ok && c.names != nil {
		if index, found := c.byKey[signature]; found {
			return index
		}
		if len(c.byKey) == len(list) {
			return -1
		}
	}
	for i, item := range list {
		if agrees(item, keys) {
			return i
		}
	}
	return -1
}

// agrees says whether an item may be the one with these keys: the key fields that it has are equal, and
// it has at least one.
func agrees(item any, keys map[string]any) bool {
	fields, isMap := item.(map[string]any)
	if !isMap {
		return false
	}
	equal := 0
	for name, want := range keys {
		got, has := fields[name]
		if !has {
			continue
		}
		if Fingerprint(got) != Fingerprint(want) {
			return false
		}
		equal++
	}
	return equal > 0
}
