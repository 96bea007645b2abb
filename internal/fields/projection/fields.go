package projection

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

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
