package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// WithoutFields returns the edits that remove fields of maps, and that set each list around fields to its remaining
// items.
func WithoutFields(live map[string]any, fields *paths.Set) []cluster.Edit {
	var edits []cluster.Edit
	done := map[string]bool{}
	rest, _ := projection.Strip(live, fields).(map[string]any)
	// A field goes with a map that goes, and could not be removed after it.
	paths.Walk(paths.Outermost(projection.WithValues(live, fields)), func(field paths.Path, _ bool) {
		list := outermostList(field)
		if list == nil {
			if pointer, has := projection.Pointer(live, field); has {
				edits = append(edits, cluster.Edit{Pointer: pointer, Remove: true})
			}
			return
		}
		pointer, has := projection.Pointer(live, list)
		if !has || done[paths.ID(list)] {
			return
		}
		done[paths.ID(list)] = true
		value, _ := projection.Lookup(rest, list)
		if value == nil {
			value = []any{} // Strip leaves out empty lists.
		}
		edits = append(edits, cluster.Edit{Pointer: pointer, Value: value})
	})
	return edits
}

// outermostList returns the outermost list around a field; nil without one. The positions of its items change as items
// are removed.
func outermostList(field paths.Path) paths.Path {
	for length, element := range field {
		if element.FieldName == nil {
			return field[:length]
		}
	}
	return nil
}
