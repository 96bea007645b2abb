package refusals

import (
	"errors"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Emptied returns the maps and lists of own that an apply would make null according to err; nil if err names any other
// fault. Server-side apply removes the last part of a map or list and leaves null if another manager, or the body
// itself, owns the map: Kubernetes 1.36 refuses null there for custom resources. The server writes a path without
// quotes and with positions, so several fields may have the same path.
func Emptied(err error, own *paths.Set) []paths.Path {
	var invalid *cluster.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	var fields []paths.Path
	for _, cause := range invalid.Causes {
		isNull := strings.HasSuffix(cause.Message, `must be of type object: "null"`) ||
			strings.HasSuffix(cause.Message, `must be of type array: "null"`)
		if !isNull {
			return nil
		}
		about := strings.Join(NamesIn(cause.Field), ".")
		before := len(fields)
		paths.Walk(inner(own), func(path paths.Path, _ bool) {
			if strings.Join(NamesOf(path), ".") == about {
				fields = append(fields, path)
			}
		})
		if len(fields) == before {
			return nil
		}
	}
	return fields
}

// inner returns the maps and lists that contain members of fields.
func inner(fields *paths.Set) *paths.Set {
	parents := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		for length := len(path) - 1; length > 0; length-- {
			if parents.Has(path[:length]) {
				return
			}
			parents.Insert(path[:length].Copy())
		}
	})
	return parents
}
