package removals

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Fields removes fields of other managers from an object that was just applied: one PATCH if it has any of them. On an
// error, it returns the object as it was last seen, and the next plan removes the fields.
func Fields(ctx context.Context, api cluster.Interface, a prediction.Attempt, answer cluster.Applied, fields *paths.Set) (cluster.Applied, error) {
	if fields.Empty() {
		return answer, nil
	}
	live, err := record.RewriteAndEdit(ctx, api, a.Prior.Object, answer.Object, record.Rewriting{
		Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: a.Intent.FieldManager} },
		Edits:  func(live map[string]any, _ ownership.Claims) []cluster.Edit { return WithoutFields(live, fields) },
	})
	answer.Object = live
	return answer, err
}

// WithoutFields returns the edits that remove fields of maps, and that set each list around fields to its remaining
// items.
func WithoutFields(live map[string]any, fields *paths.Set) []cluster.Edit {
	var edits []cluster.Edit
	done := map[string]bool{}
	rest, _ := projection.Strip(live, fields).(map[string]any)
	paths.Walk(projection.WithValues(live, fields), func(field paths.Path, _ bool) {
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
