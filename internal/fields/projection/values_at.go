package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// ValuesAt returns the values that patterns cover in an object, each without those below it.
func ValuesAt(object map[string]any, patterns paths.Patterns) []any {
	return valuesAt(object, patterns.Start(), nil)
}

// valuesAt adds to found the values that a cursor covers.
func valuesAt(value any, at paths.Cursor, found []any) []any {
	if at.Matched() {
		return append(found, value)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			found = valuesAt(part, at.Field(name), found)
		}
	case []any:
		for i, item := range value {
			found = valuesAt(item, at.Item(paths.Item{Index: i, Value: item}), found)
		}
	}
	return found
}
