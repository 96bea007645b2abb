package paths

// Has says whether the element itself is a member of the set. A nil set has no members.
func Has(set *Set, pe PathElement) bool { return set != nil && set.Members.Has(pe) }

// Children returns the members below an element, as paths from there; nil when there are none. The
// result is part of set and not to be mutated.
func Children(set *Set, pe PathElement) *Set {
	if set == nil {
		return nil
	}
	children, ok := set.Children.Get(pe)
	if !ok || children.Empty() {
		return nil
	}
	return children
}

// Elements returns the first elements of all paths in the set, each once and in the set's order.
func Elements(set *Set) []PathElement {
	if set == nil {
		return nil
	}
	members := make([]PathElement, 0, set.Members.Size())
	set.Members.Iterate(func(pe PathElement) { members = append(members, pe) })
	var elements []PathElement
	set.Children.Iterate(func(parent PathElement) {
		for len(members) > 0 && members[0].Less(parent) {
			elements, members = append(elements, members[0]), members[1:]
		}
		if len(members) > 0 && members[0].Equals(parent) {
			members = members[1:]
		} else if Children(set, parent) == nil {
			return
		}
		elements = append(elements, parent)
	})
	return append(elements, members...)
}

// Walk visits each member of the set in order, parents before children. A leaf has no members below
// it. The path is the visitor's own.
func Walk(set *Set, visit func(p Path, isLeaf bool)) { walk(nil, set, visit) }

func walk(parent Path, set *Set, visit func(p Path, isLeaf bool)) {
	for _, pe := range Elements(set) {
		p := Below(parent, pe)
		children := Children(set, pe)
		if Has(set, pe) {
			visit(p.Copy(), children == nil)
		}
		walk(p, children, visit)
	}
}

// Below is the path of an element of what parent leads to. It shares no memory that a later call with
// the same parent writes to.
func Below(parent Path, element PathElement) Path {
	path := make(Path, len(parent), len(parent)+1)
	copy(path, parent)
	return append(path, element)
}
