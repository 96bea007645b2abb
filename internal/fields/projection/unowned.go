package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// Unowned returns the outermost fields of an object that have a value and of which owned holds nothing. If owned does
// not show how the items of a list are identified, the whole list counts.
func Unowned(object map[string]any, owned *paths.Set) *paths.Set {
	found := paths.NewSet()
	var visit func(value any, owned *paths.Set, at paths.Path)
	child := func(value any, owned *paths.Set, at paths.Path, element paths.PathElement) {
		path, below := paths.Below(at, element), paths.Children(owned, element)
		switch {
		case below != nil:
			visit(value, below, path)
		case !paths.Has(owned, element):
			found.Insert(path)
		}
	}
	visit = func(value any, owned *paths.Set, at paths.Path) {
		switch value := value.(type) {
		case map[string]any:
			for name, inner := range value {
				child(inner, owned, at, paths.Field(name))
			}
		case []any:
			for i, element := range NameItems(value, owned) {
				// owned does not identify this item.
				if element.Index != nil {
					found.Insert(at)
					continue
				}
				child(value[i], owned, at, element)
			}
		}
	}
	visit(object, owned, nil)
	return found
}
