package paths

import "slices"

// OrEmpty returns fields, or an empty set if fields is nil.
func OrEmpty(fields *Set) *Set {
	if fields == nil {
		return NewSet()
	}
	return fields
}

// Filter returns the members of fields for which keep returns true.
func Filter(fields *Set, keep func(Path) bool) *Set {
	sifted := NewSet()
	Walk(fields, func(path Path, _ bool) {
		if keep(path) {
			sifted.Insert(path)
		}
	})
	return sifted
}

// Items returns the list items that are members of fields or contain one.
func Items(fields *Set) *Set {
	items := NewSet()
	Walk(fields, func(path Path, _ bool) {
		for i, element := range path {
			if element.FieldName == nil {
				items.Insert(path[:i+1].Copy())
			}
		}
	})
	return items
}

// Has reports whether the element itself is a member of the set. A nil set has no members.
func Has(set *Set, pe PathElement) bool { return set != nil && set.Members.Has(pe) }

// Children returns the members below an element, as paths from there; nil if it has no members below the element. The
// result is part of set. Do not mutate it.
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

// PartsOf returns the members below a path, as paths from there; nil if nothing is below it.
func PartsOf(set *Set, path Path) *Set {
	for _, element := range path {
		set = Children(set, element)
	}
	return set
}

// Part is a first element of paths in a set.
type Part struct {
	Element PathElement
	// IsMember is true if the element itself is a member.
	IsMember bool
	// Below is the result of Children for the element.
	Below *Set
}

// Parts returns the first elements of all paths in the set, each once and in the set's order.
func Parts(set *Set) []Part {
	if set == nil {
		return nil
	}
	members := make([]Part, 0, set.Members.Size())
	set.Members.Iterate(func(pe PathElement) { members = append(members, Part{Element: pe, IsMember: true}) })
	if set.Children.Empty() {
		return members
	}
	parents := 0
	set.Children.Iterate(func(PathElement) { parents++ })
	parts := make([]Part, 0, len(members)+parents)
	set.Children.Iterate(func(parent PathElement) {
		for len(members) > 0 && members[0].Element.Less(parent) {
			parts, members = append(parts, members[0]), members[1:]
		}
		part := Part{Element: parent, Below: Children(set, parent)}
		if len(members) > 0 && members[0].Element.Equals(parent) {
			part.IsMember, members = true, members[1:]
		}
		if part.IsMember || part.Below != nil {
			parts = append(parts, part)
		}
	})
	return append(parts, members...)
}

// Elements returns the elements of Parts.
func Elements(set *Set) []PathElement {
	parts := Parts(set)
	elements := make([]PathElement, len(parts))
	for i, part := range parts {
		elements[i] = part.Element
	}
	return elements
}

// Walk visits each member of the set in order, parents before children. A leaf has no members below
// it. The visitor may keep the path, and not mutate it.
func Walk(set *Set, visit func(p Path, isLeaf bool)) { walk(nil, set, visit) }

func walk(parent Path, set *Set, visit func(p Path, isLeaf bool)) {
	for _, part := range Parts(set) {
		p := Below(parent, part.Element)
		if part.IsMember {
			visit(p, part.Below == nil)
		}
		walk(p, part.Below, visit)
	}
}

// FieldTexts returns the strings of all members of a set and of the fields that they are part of, sorted.
func FieldTexts(set *Set, format func(Path) string) []string {
	var texts []string
	var visit func(set *Set, above Path)
	visit = func(set *Set, above Path) {
		for _, part := range Parts(set) {
			path := Below(above, part.Element)
			texts = append(texts, format(path))
			visit(part.Below, path)
		}
	}
	visit(set, nil)
	slices.Sort(texts)
	return slices.Compact(texts)
}

// Each visits each member of the set, in another order than Walk. The visitor may use the path only until it returns.
func Each(set *Set, visit func(p Path)) { each(make(Path, 0, 16), set, visit) }

func each(parent Path, set *Set, visit func(p Path)) {
	set.Members.Iterate(func(pe PathElement) { visit(append(parent, pe)) })
	set.Children.Iterate(func(pe PathElement) {
		below, _ := set.Children.Get(pe)
		each(append(parent, pe), below, visit)
	})
}

// Below returns parent with one more element. It shares no memory that a later call with the same parent writes to.
func Below(parent Path, element PathElement) Path {
	path := make(Path, len(parent), len(parent)+1)
	copy(path, parent)
	return append(path, element)
}

// Touches reports whether the set holds the field, a field that it is part of, or a part of it. If a changed schema
// splits a field or joins its parts, it still counts as the same field.
func Touches(set *Set, path Path) bool {
	for i, element := range path {
		below := Children(set, element)
		if below == nil {
			return Has(set, element)
		}
		if i == len(path)-1 {
			return true
		}
		set = below
	}
	return false
}

// TouchesAny reports whether the set touches one of fields.
func TouchesAny(set, fields *Set) bool {
	return !Filter(fields, func(path Path) bool { return Touches(set, path) }).Empty()
}

// Outermost returns the members of the set without those that are part of another member. A nil set is empty.
func Outermost(set *Set) *Set {
	outermost := NewSet()
	var visit func(set *Set, at Path)
	visit = func(set *Set, at Path) {
		for _, part := range Parts(set) {
			path := Below(at, part.Element)
			if part.IsMember {
				outermost.Insert(path)
				continue
			}
			visit(part.Below, path)
		}
	}
	visit(set, nil)
	return outermost
}
