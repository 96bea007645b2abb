package intents

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// WithIgnoredManagers returns the intent towards an object with these claims: the fields of the manifest that the
// managers of IgnoreManagers own are left to them, as if Ignore listed these fields. values are fingerprints of the
// fields that others own.
func (i Intent) WithIgnoredManagers(claims ownership.Claims, previousManager string, values map[string]string) Intent {
	i.ignoredByManager = nil
	if len(i.IgnoreManagers) == 0 {
		return i
	}
	held := paths.NewSet()
	for _, claim := range claims {
		if !claim.IsOwn(i.FieldManager) && !claim.IsOwn(previousManager) && i.ignoresManager(claim.Name) {
			held = held.Union(claim.Fields)
		}
	}
	i.ignoredByManager = i.separable(held, claims, withContent(held.Leaves().Intersection(claims.Fields().Leaves()), values))
	left, _ := projection.Covered(paths.OrEmpty(i.pinned), i.ignoredByManager, i.pins.Values)
	if left.Empty() {
		return i
	}
	return i.withoutPins(left).WithIgnoredManagers(claims, previousManager, values)
}

// withContent returns the leaves whose value is not empty. Others often hold a map or list itself in addition to its
// parts, and still hold it when they lose those: such a leaf says nothing about its content, unless nobody
// holds a part of it.
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

func (i Intent) ignoresManager(name string) bool {
	return slices.ContainsFunc(i.IgnoreManagers, func(pattern string) bool {
		return ownership.IsCalled(name, pattern)
	})
}

// separable returns the patterns that cover the fields of the manifest in held, which others own. leaves are
// those of held. A key field stays with its list item. An item of which others own all but the keys is covered as a whole.
func (i Intent) separable(held *paths.Set, claims ownership.Claims, leaves *paths.Set) paths.Patterns {
	known := claims.Fields()
	formatter := claims.Formatter()
	var fields []paths.Path
	paths.Walk(projection.WithValues(i.Manifest.Object, leaves), func(path paths.Path, _ bool) { fields = append(fields, path) })
	patterns := exactly(formatter, fields)
	split := projection.SplitBody(i.Manifest.Object, patterns, known)
	for _, refused := range split.NotIgnorable {
		if refused.Why == projection.Atomic {
			fields[refused.Pattern] = refused.Whole
		} else {
			fields[refused.Pattern] = nil
		}
	}
	fields = slices.DeleteFunc(fields, func(path paths.Path) bool { return path == nil })
	rest := projection.NewReader(projection.SplitBody(i.Manifest.Object, exactly(formatter, fields), known).Body)
	paths.Walk(held, func(path paths.Path, leaf bool) {
		keys := paths.KeyFields(path[len(path)-1])
		item, _ := rest.Lookup(path)
		if values, isMap := item.(map[string]any); isMap && !leaf && keys != nil && onlyKeys(values, keys) {
			fields = append(fields, path)
		}
	})
	slices.SortFunc(fields, paths.Path.Compare)
	return exactly(formatter, fields)
}

func onlyKeys(item, keys map[string]any) bool {
	for name := range item {
		if _, isKey := keys[name]; !isKey {
			return false
		}
	}
	return true
}

// exactly returns patterns for fields: the text of a path matches that path and no other.
func exactly(formatter *paths.Formatter, fields []paths.Path) paths.Patterns {
	patterns := make(paths.Patterns, 0, len(fields))
	for _, field := range fields {
		pattern, err := paths.Parse(formatter.Format(field))
		if err != nil {
			pattern = paths.Pattern{} // It matches nothing; every text of a formatter parses.
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

// LeftTexts returns the patterns, as texts, of the fields that the intent leaves to ignored managers, without secret values.
func (i Intent) LeftTexts() []string {
	all := record.Texts(i.ignoredByManager)
	if len(all) == 0 || len(i.Sensitive)+len(i.WriteOnly.Fields) == 0 {
		return all
	}
	secrets := i.Secrets()
	for n, text := range all {
		all[n] = secrets.Scrub(text)
	}
	return all
}
