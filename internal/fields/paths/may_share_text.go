package paths

import "strings"

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
