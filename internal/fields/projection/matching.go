package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// Matching returns the leaves of object that patterns cover. known determines how list items are identified, and which
// maps and lists are atomic. Parts of list items that only their positions identify are left out.
func Matching(object map[string]any, patterns paths.Patterns, known *paths.Set) *paths.Set {
	m := matcher{found: paths.NewSet()}
	if len(patterns) > 0 {
		m.visit(nil, object, known, patterns.Start())
	}
	return m.found
}

type matcher struct{ found *paths.Set }

func (m *matcher) visit(path paths.Path, value any, known *paths.Set, at paths.Cursor) {
	if !at.Alive() {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedNames(value) {
			element := paths.Field(name)
			m.part(paths.Below(path, element), value[name], known, at.Field(name))
		}
	case []any:
		names, named := itemNames(value, known)
		if !named {
			m.leaf(path, at)
			return
		}
		for i, element := range names {
			item := paths.Item{Index: i, Value: value[i], Keys: paths.KeyFields(element)}
			m.part(paths.Below(path, element), value[i], known, at.Item(item))
		}
	case nil:
	default:
		m.leaf(path, at)
	}
}

// part visits a part of a map or list; known holds the fields of that map or list.
func (m *matcher) part(path paths.Path, value any, known *paths.Set, at paths.Cursor) {
	element := path[len(path)-1]
	below := paths.Children(known, element)
	// A field that is held as a whole is atomic, unless it is an empty map or list, which looks the same in claims.
	if below == nil && paths.Has(known, element) && !isEmpty(value) {
		m.leaf(path, at)
		return
	}
	m.visit(path, value, below, at)
}

func (m *matcher) leaf(path paths.Path, at paths.Cursor) {
	if at.Matched() {
		m.found.Insert(path.Copy())
	}
}
