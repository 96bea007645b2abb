package paths

import "slices"

// path builds a Path: strings are field names, ints are positions, elements are themselves.
func path(parts ...any) Path {
	p := Path{}
	for _, part := range parts {
		switch v := part.(type) {
		case string:
			p = append(p, Field(v))
		case int:
			p = append(p, Index(v))
		case PathElement:
			p = append(p, v)
		default:
			panic("not a part of a path")
		}
	}
	return p
}

type keys = map[string]any

// isPrefix reports whether p is q or one of its ancestors.
func isPrefix(p, q Path) bool {
	return len(p) <= len(q) && slices.EqualFunc(p, q[:len(p)], PathElement.Equals)
}

// withAncestors returns each path of the set and each of their ancestors once.
func withAncestors(set *Set) []Path {
	seen := map[string]bool{}
	var all []Path
	Walk(set, func(p Path, _ bool) {
		for i := range p {
			if id := ID(p[:i+1]); !seen[id] {
				seen[id] = true
				all = append(all, p[:i+1])
			}
		}
	})
	return all
}
