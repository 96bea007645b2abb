package wanted

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Ignoring leaves to the managers of IgnoreManagers the fields of the manifest that they own by claims, as if Ignore
// listed these fields. values are fingerprints of the fields that other managers own.
func (w Wanted) Ignoring(claims ownership.Claims, previousManager string, values map[string]string) Wanted {
	w.IgnoredByManager = nil
	if len(w.IgnoreManagers) == 0 {
		return w
	}
	held := paths.NewSet()
	for _, claim := range claims {
		if !claim.IsOwn(w.FieldManager) && !claim.IsOwn(previousManager) && w.Left().To(claim.Name) {
			held = held.Union(claim.Fields)
		}
	}
	w.IgnoredByManager = separable(w.Keys.Complete(w.Manifest.Object), held, claims,
		withContent(held.Leaves().Intersection(claims.Fields().Leaves()), values))
	left, _ := projection.Covered(paths.OrEmpty(w.Pinned), w.IgnoredByManager, w.Pins.Values)
	if left.Empty() {
		return w
	}
	// Without the pins, the manifest lacks these fields. Each round has fewer pins, so this ends.
	return w.withoutPins(left).Ignoring(claims, previousManager, values)
}

// givenUp returns patterns of the fields of the manifest that an apply has left to ignored managers, by the patterns
// left, and that those managers have lost until claims were read, to others or to nobody. The next plan finds that w
// does not leave them any more, so that they are enforced.
func givenUp(w Wanted, left paths.Patterns, claims ownership.Claims) paths.Patterns {
	known := w.Claims().Fields().Union(claims.Fields()).Leaves()
	fields := projection.WithValues(w.Manifest.Object, known.Difference(claims.Own(w.FieldManager)))
	were, _ := projection.Covered(fields, left, w.Manifest.Object)
	are, _ := projection.Covered(fields, w.Ignored(), w.Manifest.Object)
	return exactly(were.Difference(are))
}

// withContent returns the leaves whose value is not empty. Other managers often own a map or list itself in addition to
// its parts, and still hold it when they lose those: this leaf shows nothing about its content, unless no manager holds
// a part of it.
func withContent(leaves *paths.Set, values map[string]string) *paths.Set {
	out := paths.NewSet()
	paths.Walk(leaves, func(path paths.Path, _ bool) {
		switch values[paths.ID(path)] {
		case "", "{}", "[]":
		default:
			out.Insert(path)
		}
	})
	return out
}

// separable returns the patterns that cover the fields of object, the completed manifest, in held, which other managers
// own. leaves are those of held. A key field stays with its list item. An item of which other managers own all but the
// keys is covered as a whole.
func separable(object map[string]any, held *paths.Set, claims ownership.Claims, leaves *paths.Set) paths.Patterns {
	known := claims.Fields()
	formatter := claims.Formatter()
	var fields []paths.Path
	paths.Walk(projection.WithValues(object, leaves), func(path paths.Path, _ bool) { fields = append(fields, path) })
	patterns := paths.Covering(fields, formatter)
	split := projection.SplitBody(object, patterns, known, nil)
	for _, refused := range split.NotIgnorable {
		if refused.Why == projection.Atomic {
			fields[refused.Pattern] = refused.Whole
		} else {
			fields[refused.Pattern] = nil
		}
	}
	fields = slices.DeleteFunc(fields, func(path paths.Path) bool { return path == nil })
	rest := projection.NewReader(projection.SplitBody(object, paths.Covering(fields, formatter), known, nil).Body)
	paths.Walk(held, func(path paths.Path, leaf bool) {
		keys := paths.KeyFields(path[len(path)-1])
		item, _ := rest.Lookup(path)
		if values, isMap := item.(map[string]any); isMap && !leaf && keys != nil && onlyKeys(values, keys) {
			fields = append(fields, path)
		}
	})
	slices.SortFunc(fields, paths.Path.Compare)
	return paths.Covering(fields, formatter)
}

func onlyKeys(item, keys map[string]any) bool {
	for name := range item {
		if _, isKey := keys[name]; !isKey {
			return false
		}
	}
	return true
}

// LeftTexts returns the patterns of the fields that are left to ignored managers, as strings without secret values.
func (w Wanted) LeftTexts() []string {
	all, sensitive := paths.Texts(w.IgnoredByManager), w.Renderer(w.Manifest.Identity, record.Snapshot{}).Sensitive
	for n, text := range all {
		if shown := rendering.Field(sensitive, text, false); shown != text {
			all[n] = shown + `[="` + rendering.Redacted + `"]` // No field, rather than the whole list.
		}
	}
	return all
}
