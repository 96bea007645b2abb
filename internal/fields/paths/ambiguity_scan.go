package paths

import "strings"

// ambiguityMarks returns the marks of a Formatter for sets.
func ambiguityMarks(sets []*Set) map[string]mark {
	all := NewSet()
	for _, set := range sets {
		if set != nil {
			all = all.Union(set)
		}
	}
	s := ambiguityScan{
		nodes:   []pathNode{{parent: -1}},
		words:   map[edge]int{},
		readers: []int{0},
		shared:  map[int]*reading{},
		alone:   map[int]bool{},
	}
	s.visit(all, 0)
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

func (s *ambiguityScan) visit(set *Set, text int) {
	s.visitBelow(set, 0, text)
}

func (s *ambiguityScan) visitBelow(set *Set, parent, text int) {
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
			if ambiguous != nil && ambiguous(pe) {
				s.alone[at] = true
			}
		}
		if children := Children(set, pe); children != nil {
			s.visitBelow(children, at, below)
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
