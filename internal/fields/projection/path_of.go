package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// PathOf returns a path of names and positions with the elements of list items, as NameItems returns them, instead of
// the positions. The path ends at the first leaf of known: a map or a list with one owner. It is nil if the object does
// not have the field.
func PathOf(object map[string]any, at paths.Path, known *paths.Set) paths.Path {
	var value any = object
	var path paths.Path
	for _, element := range at {
		switch parent := value.(type) {
		case map[string]any:
			if element.FieldName == nil {
				return nil
			}
			value = parent[*element.FieldName]
		case []any:
			if element.Index == nil || *element.Index >= len(parent) {
				return nil
			}
			position := *element.Index
			value, element = parent[position], NameItems(parent, known)[position]
		default:
			return nil
		}
		path = paths.Below(path, element)
		below := paths.Children(known, element)
		if below == nil && paths.Has(known, element) {
			return path
		}
		known = below
	}
	return path
}

// Replace returns object with another value at a path of names and positions. Nothing is mutated. An object that does
// not have the field is returned as it is.
func Replace(object map[string]any, at paths.Path, value any) map[string]any {
	if object == nil {
		return nil
	}
	replaced, _ := replace(object, at, value).(map[string]any)
	return replaced
}

func replace(in any, at paths.Path, value any) any {
	if len(at) == 0 {
		return value
	}
	switch in := in.(type) {
	case map[string]any:
		if at[0].FieldName == nil {
			return in
		}
		out := make(map[string]any, len(in)+1)
		for name, part := range in {
			out[name] = part
		}
		name := *at[0].FieldName
		out[name] = replace(in[name], at[1:], value)
		return out
	case []any:
		if at[0].Index == nil || *at[0].Index >= len(in) {
			return in
		}
		out := append([]any{}, in...)
		out[*at[0].Index] = replace(in[*at[0].Index], at[1:], value)
		return out
	default:
		return in
	}
}
