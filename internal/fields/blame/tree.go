package blame

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ownedNode is a field or a list item of an object with its owners.
type ownedNode struct {
	path  paths.Path
	value any
	// owners are the positions of the claims that hold it, ascending.
	owners []int
	extent extent
	// wanted is true if the requested path covers it.
	wanted bool
	// isKey is true if it is a part of the key of its list item.
	isKey    bool
	children []*ownedNode
}

// extent tells whether the owners of a field also hold what is below it. The zero value is a node below which fields
// have owners of their own.
type extent int

const (
	// whole: they hold it with all that is below. It is an atomic field, or one with nothing below.
	whole extent = iota + 1
	// inside: it is below a field that is whole.
	inside
)

// grow returns the tree of an object. The fields that patterns cover are wanted; without patterns, all of them.
func grow(object map[string]any, claims ownership.Claims, patterns paths.Patterns) *ownedNode {
	root := treeCursor{cursor: patterns.Start(), wanted: len(patterns) == 0}
	for i, claim := range claims {
		root.views = append(root.views, view{claim: i, fields: claim.Fields})
	}
	return root.grow(object, nil)
}

// view is the part of a claim below a position. A claim has several views of a list item that it holds by several
// elements, as it may after a change of the list's keys.
type view struct {
	claim  int
	fields *paths.Set
}

// treeCursor is the position at which the tree grows.
type treeCursor struct {
	path   paths.Path
	cursor paths.Cursor
	// wanted is true if no path was requested.
	wanted bool
	views  []view
	extent extent
	// keys are the key fields of the list item at this position.
	keys map[string]any
}

func (p treeCursor) grow(value any, owners []int) *ownedNode {
	n := &ownedNode{
		path: p.path, value: value, owners: owners, extent: p.extent, wanted: p.wanted || p.cursor.Matched(),
	}
	if len(owners) > 0 && len(p.views) == 0 {
		n.extent, p.extent = whole, inside
	}
	switch value := value.(type) {
	case map[string]any:
		n.children = p.fields(value)
	case []any:
		n.children = p.items(value)
	}
	return n
}

// pruned returns the tree of the wanted fields and the fields around them, with the keys of list items on the way.
func (n *ownedNode) pruned() *ownedNode {
	if n.wanted {
		return n
	}
	stem := *n
	stem.children = nil
	bears := false
	for _, child := range n.children {
		child = child.pruned()
		if grows := child.wanted || len(child.children) > 0; grows || child.isKey {
			stem.children = append(stem.children, child)
			bears = bears || grows
		}
	}
	// Keys alone are not shown: below this node, nothing is wanted.
	if !bears && len(n.children) > 0 {
		stem.children, stem.value = nil, map[string]any{}
	}
	return &stem
}

func (p treeCursor) fields(object map[string]any) []*ownedNode {
	var children []*ownedNode
	for _, name := range p.order(object) {
		element := paths.Field(name)
		child := p.step(element, p.cursor.Field(name))
		var owners []int
		for _, v := range p.views {
			owners = child.see(v, element, owners)
		}
		grown := child.grow(object[name], owners)
		_, grown.isKey = p.keys[name]
		children = append(children, grown)
	}
	return children
}

func (p treeCursor) items(list []any) []*ownedNode {
	known := paths.NewSet()
	for _, v := range p.views {
		known = known.Union(v.fields)
	}
	names := projection.NameItems(list, known)
	places, owners := make([]treeCursor, len(list)), make([][]int, len(list))
	for i, name := range names {
		cursor := p.cursor.ElementAt(name, i)
		// No manager owns the item, so its keys are not known. By its value, a pattern may find it nevertheless.
		if name.Index != nil {
			cursor = p.cursor.Item(paths.Item{Index: i, Value: list[i]})
		}
		places[i] = p.step(name, cursor)
		places[i].keys = paths.KeyFields(name)
	}
	found := projection.NewList(list)
	for _, v := range p.views {
		for _, element := range paths.Elements(v.fields) {
			for _, i := range found.Positions(element) {
				owners[i] = places[i].see(v, element, owners[i])
			}
		}
	}
	children := make([]*ownedNode, len(list))
	for i, item := range list {
		children[i] = places[i].grow(item, owners[i])
	}
	return children
}

func (p treeCursor) step(element paths.PathElement, cursor paths.Cursor) treeCursor {
	return treeCursor{path: paths.Below(p.path, element), cursor: cursor, wanted: p.wanted, extent: p.extent}
}

// see adds what a view of the position above holds at and below this position, to which element leads. It returns
// owners, and the claim of the view if that holds this position.
func (p *treeCursor) see(above view, element paths.PathElement, owners []int) []int {
	if below := paths.Children(above.fields, element); below != nil {
		p.views = append(p.views, view{claim: above.claim, fields: below})
	}
	if paths.Has(above.fields, element) && !slices.Contains(owners, above.claim) {
		owners = append(owners, above.claim)
	}
	return owners
}

// order returns the names of a map's fields in the order in which they are shown: first the fields that identify it,
// then the rest by name, and the status of the object last.
func (p treeCursor) order(object map[string]any) []string {
	first, last := slices.Sorted(maps.Keys(p.keys)), ""
	switch {
	case len(p.path) == 0:
		first, last = []string{"apiVersion", "kind", "metadata"}, "status"
	case len(p.path) == 1 && p.path[0].Equals(paths.Field("metadata")):
		first = []string{"name", "namespace"}
	}
	rank := func(name string) int {
		if at := slices.Index(first, name); at >= 0 {
			return at
		}
		if name == last {
			return len(first) + 1
		}
		return len(first)
	}
	names := slices.Sorted(maps.Keys(object))
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

// unclaimed are the fields that no claim holds, because they identify the object, or the API server alone writes them.
var unclaimed = func() []paths.Path {
	fields := []paths.Path{paths.FieldPath("apiVersion"), paths.FieldPath("kind")}
	for _, name := range append(manifest.ServerMetadata(), "name", "namespace") {
		fields = append(fields, paths.FieldPath("metadata", name))
	}
	return fields
}()

// unowned returns the values that no claim holds, and the wanted ones among them. A claim on an atomic field holds
// everything below it.
func (n *ownedNode) unowned() (all, wanted *paths.Set) {
	all, wanted = paths.NewSet(), paths.NewSet()
	n.each(func(n *ownedNode) {
		isValue := n.value != nil && len(n.children) == 0
		if !isValue || len(n.owners) > 0 || n.extent == inside || slices.ContainsFunc(unclaimed, n.path.Equals) {
			return
		}
		all.Insert(n.path)
		if n.wanted {
			wanted.Insert(n.path)
		}
	})
	return all, wanted
}

func (n *ownedNode) each(visit func(*ownedNode)) {
	visit(n)
	for _, child := range n.children {
		child.each(visit)
	}
}
