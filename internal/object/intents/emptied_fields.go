package intents

import (
	"errors"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// EmptiedFields returns the maps and lists of own that an error says an apply would make null; nil if the error
// also says anything else. Server-side apply removes the last part of a map or list and leaves null if another
// manager, or the body itself, owns the map: Kubernetes 1.36 refuses null there for custom resources. The server
// writes a path without quotes and with positions, so several fields may have the same path.
func EmptiedFields(err error, own *paths.Set) []paths.Path {
	var invalid *cluster.InvalidError
	if !errors.As(err, &invalid) {
		return nil
	}
	var fields []paths.Path
	for _, cause := range invalid.Causes {
		if !strings.HasSuffix(cause.Message, `must be of type object: "null"`) && !strings.HasSuffix(cause.Message, `must be of type array: "null"`) {
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

// inner returns the maps and lists that hold members of fields.
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

// withItemsWhole returns fields without the fields inside of the list items and map entries that it holds: an apply that leaves
// out such an item removes it with all that is in it.
func withItemsWhole(fields *paths.Set) *paths.Set {
	items := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, isLeaf bool) {
		if !isLeaf && !paths.Touches(items, path) {
			items.Insert(path)
		}
	})
	return fields.RecursiveDifference(items).Union(items)
}

// Emptied returns the edits that empty each of fields if every part of it would be removed with our claim. An item is
// removed with all that others hold inside of it, unless they hold the item itself.
func (i Intent) Emptied(live map[string]any, claims ownership.Claims, fields []paths.Path) []cluster.Edit {
	ours := claims.Own(i.FieldManager).Difference(claims.Others(i.FieldManager).Fields())
	var edits []cluster.Edit
	for _, path := range fields {
		value, _ := projection.Lookup(live, path)
		pointer, has := projection.Pointer(live, path)
		if !has || projection.IsEmptyCollection(value) || projection.Strip(value, withItemsWhole(paths.OrEmpty(paths.PartsOf(ours, path)))) != nil {
			continue
		}
		switch value.(type) {
		case map[string]any:
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: map[string]any{}})
		case []any:
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: []any{}})
		}
	}
	// Inner maps come first, because emptying an outer one removes them.
	slices.SortFunc(edits, func(a, b cluster.Edit) int { return len(b.Pointer) - len(a.Pointer) })
	return edits
}
