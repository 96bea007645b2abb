package projection

import (
	"strconv"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Reader reads single fields of one object. It reads each list once, so a field of a long list costs no more than one
// of a short list. It is not safe for concurrent use.
type Reader struct {
	object map[string]any
	// lists holds lists by the address of their first item, which no two lists of an object share.
	lists map[*any]*items
	// last is the path looked up before, and nodes are what its elements lead to: fields come in order, and
	// those of an item one after the other.
	last  paths.Path
	nodes []node
	// exact is true if items have all their keys.
	exact bool
}

// NewReader returns a Reader of object, which is not mutated, and must not be mutated while it is read.
func NewReader(object map[string]any) *Reader { return &Reader{object: object} }

// Exact returns a reader of the same object that finds only list items with all their keys. Lists from a server contain
// all keys; a manifest may leave some to the server's default.
func (r *Reader) Exact() *Reader { return &Reader{object: r.object, exact: true} }

// Exactly returns those of fields that have a value in an object, comparing all keys of list items.
func Exactly(object map[string]any, fields *paths.Set) *paths.Set {
	return paths.Filter(fields, NewReader(object).Exact().Has)
}

// Has reports whether one field has a value.
func (r *Reader) Has(path paths.Path) bool {
	_, presence := r.Lookup(path)
	return presence == Present
}

// Lookup returns the value of one field.
func (r *Reader) Lookup(path paths.Path) (any, Presence) {
	at, known := root(r.object), 0
	// This compares pointers. The paths of one walk share their elements. Equal elements of other paths cost a lookup.
	for known < min(len(path), len(r.last)) && path[known] == r.last[known] {
		at = r.nodes[known]
		known++
	}
	r.last, r.nodes = append(r.last[:known], path[known:]...), r.nodes[:known]
	for _, element := range path[known:] {
		at = r.childrenOf(at).get(element)
		r.nodes = append(r.nodes, at)
	}
	return at.value, at.presence
}

// Pointer returns the steps of a JSON pointer to one field, not escaped; false if the field has no value.
func (r *Reader) Pointer(path paths.Path) ([]string, bool) {
	if !r.Has(path) {
		return nil, false
	}
	steps := make([]string, 0, len(path))
	for i, element := range path {
		if element.FieldName != nil {
			steps = append(steps, *element.FieldName)
		} else {
			steps = append(steps, strconv.Itoa(r.nodes[i].index))
		}
	}
	return steps, true
}

func (r *Reader) childrenOf(at node) childNodes {
	list, _ := at.value.([]any)
	if len(list) == 0 {
		return childrenOf(at)
	}
	known, has := r.lists[&list[0]]
	if !has {
		known = &items{list: list, exactly: r.exact}
		if r.lists == nil {
			r.lists = map[*any]*items{}
		}
		r.lists[&list[0]] = known
	}
	return childNodes{at: at, items: known}
}

// WithoutValues returns the part of fields that has no value in object.
func WithoutValues(object map[string]any, fields *paths.Set) *paths.Set {
	return fields.Difference(WithValues(object, fields))
}

// WithValues returns the part of fields that has a value in object.
func WithValues(object map[string]any, fields *paths.Set) *paths.Set {
	out := paths.NewSet()
	Walk(object, fields, func(field Field) {
		if field.Presence == Present {
			out.Insert(field.Path)
		}
	})
	return out
}

// EmptyCollections returns the leaves of fields whose value in object is a map or list without content.
func EmptyCollections(object map[string]any, fields *paths.Set) *paths.Set {
	empty := paths.NewSet()
	Walk(object, fields, func(field Field) {
		if field.Leaf && IsEmptyCollection(field.Value) {
			empty.Insert(field.Path)
		}
	})
	return empty
}

// IsEmptyCollection reports whether value is a map or list without content. Null is not a map or list.
func IsEmptyCollection(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	default:
		return false
	}
}

// UnownedItems returns the list items of object that are part of fields or contain one, and of which owned holds
// nothing.
func UnownedItems(object map[string]any, fields, owned *paths.Set) *paths.Set {
	return paths.Filter(WithValues(object, paths.Items(fields)), func(item paths.Path) bool {
		return !owned.Has(item) && paths.PartsOf(owned, item) == nil
	})
}

// Unowned returns the outermost fields of an object that have a value and of which owned holds nothing. If owned does
// not show how the items of a list are identified, the whole list counts.
func Unowned(object map[string]any, owned *paths.Set) *paths.Set {
	found := paths.NewSet()
	var visit func(value any, owned *paths.Set, at paths.Path)
	child := func(value any, owned *paths.Set, at paths.Path, element paths.PathElement) {
		path, below := paths.Below(at, element), paths.Children(owned, element)
		switch {
		case below != nil:
			visit(value, below, path)
		case !paths.Has(owned, element):
			found.Insert(path)
		}
	}
	visit = func(value any, owned *paths.Set, at paths.Path) {
		switch value := value.(type) {
		case map[string]any:
			for name, inner := range value {
				child(inner, owned, at, paths.Field(name))
			}
		case []any:
			for i, element := range NameItems(value, owned) {
				// owned does not identify this item.
				if element.Index != nil {
					found.Insert(at)
					continue
				}
				child(value[i], owned, at, element)
			}
		}
	}
	visit(object, owned, nil)
	return found
}
