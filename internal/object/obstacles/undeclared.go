package obstacles

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// undeclared is a field of a live object that a body does not declare.
type undeclared struct {
	path paths.Path
	// names are those of the path, in which "[]" is any list item.
	names []string
	// isItem is true for a whole list item.
	isItem bool
	value  any
	// beside is the value in the body of the map or list that contains the field.
	beside any
}

// undeclaredIn returns the outermost fields of live that the body does not declare, next to something that it declares,
// and the list items that the body contains only because values in them are pinned. known determines how list items are
// identified.
func (a Apply) undeclaredIn(live map[string]any, known *paths.Set) []undeclared {
	w := undeclaredWalk{
		body: projection.NewReader(a.Body), known: known, pinned: paths.OrEmpty(a.Wanted.Pins.Items),
		declared: projection.NewReader(a.withoutPinnedItems()),
	}
	w.visit(nil, live, a.Body)
	return w.found
}

// withoutPinnedItems returns the body without the list items that it has only because values in them are pinned.
func (a Apply) withoutPinnedItems() map[string]any {
	body, _ := projection.Strip(a.Body, paths.OrEmpty(a.Wanted.Pins.Items)).(map[string]any)
	return body
}

type undeclaredWalk struct {
	// body is the body of the apply, declared the same without the items in pinned.
	body, declared *projection.Reader
	known, pinned  *paths.Set
	found          []undeclared
}

func (w *undeclaredWalk) visit(at paths.Path, live, declared any) {
	if len(at) > 0 && isAtomic(w.known, at) {
		return // The apply replaces it.
	}
	switch live := live.(type) {
	case map[string]any:
		fields, isMap := declared.(map[string]any)
		if !isMap {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(live)) {
			w.child(paths.Below(at, paths.Field(name)), live[name], fields)
		}
	case []any:
		if _, isList := declared.([]any); !isList {
			return
		}
		for i, element := range projection.NameItems(live, paths.PartsOf(w.known, at)) {
			if element.Index == nil {
				w.child(paths.Below(at, element), live[i], declared)
			}
		}
	}
}

func (w *undeclaredWalk) child(path paths.Path, live, beside any) {
	if declared, presence := w.body.Lookup(path); presence == projection.Present {
		if w.pinned.Has(path) {
			others, _ := w.declared.Lookup(path[:len(path)-1])
			w.add(path, live, others)
		}
		w.visit(path, live, declared)
		return
	}
	if live == nil || paths.IsKeyField(path) || len(path) == 1 && !declaresMore(beside) {
		return
	}
	w.add(path, live, beside)
}

func (w *undeclaredWalk) add(path paths.Path, live, beside any) {
	w.found = append(w.found, undeclared{
		path: path, names: refusals.NamesOf(path), isItem: path[len(path)-1].FieldName == nil, value: live,
		beside: beside,
	})
}

// declaresMore reports whether a body contains fields other than apiVersion, kind and metadata.
func declaresMore(body any) bool {
	fields, _ := body.(map[string]any)
	for name := range fields {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			return true
		}
	}
	return false
}
