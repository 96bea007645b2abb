package paths

import "strings"

func ambiguityMarks(sets []*Set) map[string]mark {
	all := NewSet()
	for _, set := range sets {
		if set != nil {
			all = all.Union(set)
		}
	}
	s := ambiguityScan{
		nodes: []pathNode{{parent: -1}}, words: map[edge]int{}, readers: []int{0}, shared: map[int]*reading{},
		alone: map[int]bool{},
	}
	s.visit(all, 0, 0)
	return s.marks()
}

// ambiguityScan finds the paths that print as the same string. It walks the tree of all paths together with the tree of
// all strings, whose steps are the words between dots, and notes which paths end at the same place. An item of a list
// starts a new string: paths through different items print differently.
type ambiguityScan struct {
	nodes   []pathNode
	words   map[edge]int     // the tree of strings
	readers []int            // by string: the first node that it leads to, -1 for none
	shared  map[int]*reading // strings that lead to more than one node
	alone   map[int]bool     // nodes of items whose string matches a sibling too
}

type pathNode struct {
	parent  int
	depth   int
	element PathElement
}

type edge struct {
	text int
	word string
}

// reading is a string with all the nodes that it leads to, and their deepest common ancestor.
type reading struct {
	nodes    []int
	ancestor int
}

func (s *ambiguityScan) visit(set *Set, parent, text int) {
	elements := Elements(set)
	ambiguous := ambiguousItems(elements)
	for _, pe := range elements {
		at := len(s.nodes)
		s.nodes = append(s.nodes, pathNode{parent: parent, depth: s.nodes[parent].depth + 1, element: pe})
		var below int
		if pe.FieldName != nil {
			below = s.read(text, *pe.FieldName)
			s.note(below, at)
		} else {
			below = s.newText(at)
			if ambiguous(pe) {
				s.alone[at] = true
			}
		}
		if children := Children(set, pe); children != nil {
			s.visit(children, at, below)
		}
	}
}

// read follows the words of a name from a node of the tree of strings, and adds the nodes that are missing.
func (s *ambiguityScan) read(text int, name string) int {
	for word := range strings.SplitSeq(name, ".") {
		step := edge{text, word}
		next, ok := s.words[step]
		if !ok {
			next = s.newText(-1)
			s.words[step] = next
		}
		text = next
	}
	return text
}

func (s *ambiguityScan) newText(reader int) int {
	s.readers = append(s.readers, reader)
	return len(s.readers) - 1
}

func (s *ambiguityScan) note(text, at int) {
	first := s.readers[text]
	if first < 0 {
		s.readers[text] = at
		return
	}
	r := s.shared[text]
	if r == nil {
		r = &reading{nodes: []int{first}, ancestor: first}
		s.shared[text] = r
	}
	r.nodes = append(r.nodes, at)
	r.ancestor = s.commonAncestor(r.ancestor, at)
}

func (s *ambiguityScan) commonAncestor(a, b int) int {
	for a != b {
		if s.nodes[a].depth < s.nodes[b].depth {
			a, b = b, a
		}
		a = s.nodes[a].parent
	}
	return a
}

func (s *ambiguityScan) marks() map[string]mark {
	marks := make(map[string]mark, len(s.shared)+len(s.alone))
	for _, r := range s.shared {
		for _, at := range r.nodes {
			marks[ID(s.path(at))] = mark{from: s.nodes[r.ancestor].depth}
		}
	}
	for at := range s.alone {
		marks[ID(s.path(at))] = mark{from: s.nodes[at].depth - 1}
	}
	return marks
}

func (s *ambiguityScan) path(at int) Path {
	p := make(Path, s.nodes[at].depth)
	for ; at > 0; at = s.nodes[at].parent {
		p[s.nodes[at].depth-1] = s.nodes[at].element
	}
	return p
}

// mayBeAmbiguous checks the elements of all paths of an object for the conditions under which two paths can print as
// the same string: a name of several words, and another name that is the first of these words and has fields below; or
// items of one list that have keys of several kinds. It ignores where the elements are, so it may report a false
// positive, but never misses a case.
type mayBeAmbiguous struct {
	// dotted are the names of several words, parents the names that have something below.
	dotted  []string
	parents map[string]struct{}
	// kinds holds the kind of the values of each key, by its name; "" is for the members of sets.
	kinds map[string]kind
	// mixed is true if some key has values of several kinds.
	mixed bool
}

// kind describes a value at a key of list items; keys is the number of keys that the item has.
type kind struct {
	keys     int
	isString bool
}

// mayShareText reports whether paths of the sets, or their ancestors, may print as the same string.
func mayShareText(sets []*Set) bool {
	g := mayBeAmbiguous{parents: map[string]struct{}{}, kinds: map[string]kind{}}
	for _, set := range sets {
		if set != nil {
			g.look(set)
		}
	}
	if g.mixed {
		return true
	}
	for _, name := range g.dotted {
		for end := range len(name) {
			if _, is := g.parents[name[:end]]; is && name[end] == '.' {
				return true
			}
		}
	}
	return false
}

func (g *mayBeAmbiguous) look(set *Set) {
	set.Members.Iterate(g.note)
	set.Children.Iterate(func(pe PathElement) {
		g.note(pe)
		if pe.FieldName != nil {
			g.parents[*pe.FieldName] = struct{}{}
		}
		below, _ := set.Children.Get(pe)
		g.look(below)
	})
}

func (g *mayBeAmbiguous) note(pe PathElement) {
	switch {
	case pe.FieldName != nil:
		if strings.Contains(*pe.FieldName, ".") {
			g.dotted = append(g.dotted, *pe.FieldName)
		}
	case pe.Value != nil:
		g.noteValue("", 0, (*pe.Value).Unstructured())
	case pe.Key != nil:
		g.mixed = g.mixed || len(*pe.Key) == 0
		for _, field := range *pe.Key {
			g.noteValue(field.Name, len(*pe.Key), field.Value.Unstructured())
		}
	}
}

func (g *mayBeAmbiguous) noteValue(key string, keys int, v any) {
	_, isString := v.(string)
	now := kind{keys: keys, isString: isString}
	before, seen := g.kinds[key]
	if !seen {
		g.kinds[key] = now
	}
	g.mixed = g.mixed || seen && before != now || !isScalar(plain(v))
}

// slot is a key and its value as an unquoted string. Set members have no key.
type slot struct {
	isKey      bool
	name, text string
}

// holders describes the items of a list that have the same value at the same key.
type holders struct {
	hasString bool
	most      int // the most keys that one of the items has
	mostOfStr int // the same among those that hold a string
}

// ambiguousItems returns a function that reports whether an item of the list, as the API server prints it, may match
// another item too: a number and a string of the same digits, or an item that lacks keys that another item has. For
// lists of mixed keys, and for items that have only one form, it may report more items than needed, never fewer.
func ambiguousItems(elements []PathElement) func(PathElement) bool {
	held := map[slot]holders{}
	for _, pe := range elements {
		eachSlot(pe, func(s slot, v any, size int) {
			h := held[s]
			h.most = max(h.most, size)
			if _, isString := v.(string); isString {
				h.hasString = true
				h.mostOfStr = max(h.mostOfStr, size)
			}
			held[s] = h
		})
	}
	return func(pe PathElement) bool {
		otherType, fewerKeys := false, true
		eachSlot(pe, func(s slot, v any, size int) {
			h := held[s]
			if _, isString := v.(string); isString {
				fewerKeys = fewerKeys && h.mostOfStr > size
				return
			}
			otherType = otherType || h.hasString
			fewerKeys = fewerKeys && h.most > size
		})
		return otherType || fewerKeys
	}
}

// eachSlot visits the scalars of an item with the number of its keys.
func eachSlot(pe PathElement, visit func(s slot, v any, size int)) {
	if v, ok := ElementValue(pe); ok && isScalar(v) {
		visit(slot{text: bareText(v)}, v, 1)
		return
	}
	if pe.Key == nil {
		return
	}
	eachKey(pe, func(name string, v any) {
		if isScalar(v) {
			visit(slot{isKey: true, name: name, text: bareText(v)}, v, len(*pe.Key))
		}
	})
}
