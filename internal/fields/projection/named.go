package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// NamedValue is a value of an object that a pattern names.
type NamedValue struct {
	Path  paths.Path
	Value any
}

// Named returns the values of an object that a pattern names, in order of their paths. It does not return what is below
// them.
func Named(object map[string]any, pattern paths.Pattern) []NamedValue {
	var found []NamedValue
	visitNamed(nil, object, nil, paths.Patterns{pattern}.Start(), func(path paths.Path, value any, _ *paths.Set) {
		found = append(found, NamedValue{Path: path, Value: value})
	})
	return found
}
