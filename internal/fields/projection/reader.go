package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

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
	reader := NewReader(object).Exact()
	return paths.Filter(fields, func(path paths.Path) bool {
		_, presence := reader.Lookup(path)
		return presence == Present
	})
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
	return at.value, presenceOf(at)
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
