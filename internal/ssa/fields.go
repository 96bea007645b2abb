package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// withValues returns the part of fields that has a value in object.
func withValues(object map[string]any, fields *paths.Set) *paths.Set {
	out := paths.NewSet()
	projection.Walk(object, fields, func(field projection.Field) {
		if field.Presence == projection.Present {
			out.Insert(field.Path)
		}
	})
	return out
}

// emptyCollections returns the leaves of fields that object gives as a map or list without content.
func emptyCollections(object map[string]any, fields *paths.Set) *paths.Set {
	empty := paths.NewSet()
	projection.Walk(object, fields, func(field projection.Field) {
		if field.Leaf && isEmptyCollection(field.Value) {
			empty.Insert(field.Path)
		}
	})
	return empty
}

func isEmptyCollection(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	default:
		return false
	}
}
