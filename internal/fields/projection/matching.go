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

// FoundList is a value of an object that a pattern names as a list.
type FoundList struct {
	Path paths.Path
	Form ListForm
	// Entries are the elements of its entries, in list order. They are positions if no manager owns an entry.
	Entries []paths.PathElement
}

// ListForm describes how a list is owned.
type ListForm string

// The forms.
const (
	// Associative: each entry has its own owners. A list that is empty, or that no manager owns, counts as associative.
	Associative ListForm = "Associative"
	// AtomicList: the list has one owner as a whole.
	AtomicList ListForm = "AtomicList"
	// NoList: the value is not a list.
	NoList ListForm = "NoList"
)

// Lists returns the values of object that a pattern names, sorted by path, without the values below them. known
// determines how entries are identified.
func Lists(object map[string]any, pattern paths.Pattern, known *paths.Set) []FoundList {
	var found []FoundList
	visitNamed(nil, object, known, paths.Patterns{pattern}.Start(), func(path paths.Path, value any, below *paths.Set) {
		list, isList := value.([]any)
		one := FoundList{Path: path, Form: Associative, Entries: NameItems(list, below)}
		switch {
		case !isList && value != nil:
			one.Form = NoList
		case len(list) > 0 && below == nil && known.Has(path):
			one.Form = AtomicList
		}
		found = append(found, one)
	})
	return found
}

// visitNamed visits the outermost values that a cursor matches, each with the fields of known below it.
func visitNamed(
	path paths.Path, value any, known *paths.Set, at paths.Cursor, visit func(paths.Path, any, *paths.Set),
) {
	if at.Matched() {
		visit(path, value, known)
		return
	}
	if !at.Alive() {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedNames(value) {
			element := paths.Field(name)
			visitNamed(paths.Below(path, element), value[name], paths.Children(known, element), at.Field(name), visit)
		}
	case []any:
		for i, element := range NameItems(value, known) {
			item := paths.Item{Index: i, Value: value[i], Keys: paths.KeyFields(element)}
			visitNamed(paths.Below(path, element), value[i], paths.Children(known, element), at.Item(item), visit)
		}
	}
}

// NamedValue is a value of an object that a pattern names.
type NamedValue struct {
	Path  paths.Path
	Value any
}

// Named returns the values of an object that a pattern names, sorted by path, without the values below them.
func Named(object map[string]any, pattern paths.Pattern) []NamedValue {
	var found []NamedValue
	visitNamed(nil, object, nil, paths.Patterns{pattern}.Start(), func(path paths.Path, value any, _ *paths.Set) {
		found = append(found, NamedValue{Path: path, Value: value})
	})
	return found
}
