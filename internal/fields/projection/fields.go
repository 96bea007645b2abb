package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// WithoutValues returns the part of fields that has no value in object.
func WithoutValues(object map[string]any, fields *paths.Set) *paths.Set {
	return fields.Difference(WithValues(object, fields))
}

// WithValues returns the part of fields that has a value in object.
func WithValues(object map[string]any, fields *paths.Set) *paths.Set {
	out := paths.NewSet()
	Walk(object, fields, func(field Field) {
		if field.Presence == Present {
			out.Insert(field.Path)
		}
	})
	return out
}

// EmptyCollections returns the leaves of fields whose value in object is a map or list without content.
func EmptyCollections(object map[string]any, fields *paths.Set) *paths.Set {
	empty := paths.NewSet()
	Walk(object, fields, func(field Field) {
		if field.Leaf && IsEmptyCollection(field.Value) {
			empty.Insert(field.Path)
		}
	})
	return empty
}

// IsEmptyCollection reports whether value is a map or list without content. Null is not a map or list.
func IsEmptyCollection(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	default:
		return false
	}
}

// UnownedItems returns the list items that are part of fields or contain one, that object has, and of which owned holds
// nothing.
func UnownedItems(object map[string]any, fields, owned *paths.Set) *paths.Set {
	return paths.Filter(WithValues(object, paths.Items(fields)), func(item paths.Path) bool {
		return !owned.Has(item) && paths.PartsOf(owned, item) == nil
	})
}

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
