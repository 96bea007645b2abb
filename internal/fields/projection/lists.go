package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// FoundList is a value of an object that a pattern names as a list.
type FoundList struct {
	Path paths.Path
	Form ListForm
	// Entries are the elements of its entries, in their order. They are positions if no manager owns an entry.
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

// Lists returns the values of object that a pattern names, in order of their paths. It does not return what is below
// them. known determines how entries are identified.
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
