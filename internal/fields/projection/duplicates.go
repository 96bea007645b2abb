package projection

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Duplicates returns the list items of an object, by their positions, that have the keys of an earlier item of their
// list, in order of their paths. known determines which keys identify the items.
func Duplicates(object map[string]any, known *paths.Set) []paths.Path {
	var found []paths.Path
	var visit func(value any, known *paths.Set, at paths.Path)
	visit = func(value any, known *paths.Set, at paths.Path) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range sortedNames(value) {
				element := paths.Field(name)
				visit(value[name], paths.Children(known, element), paths.Below(at, element))
			}
		case []any:
			isKeyed := slices.ContainsFunc(paths.Elements(known), func(e paths.PathElement) bool {
				return e.Key != nil
			})
			for i, element := range NameItems(value, known) {
				path := paths.Below(at, element)
				if isKeyed && element.Index != nil {
					found = append(found, path)
				}
				visit(value[i], paths.Children(known, element), path)
			}
		}
	}
	visit(object, known, nil)
	return found
}
