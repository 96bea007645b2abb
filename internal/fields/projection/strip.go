package projection

import (
	"strconv"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Strip returns value without fields, which are paths from value. It removes leaves, list items that are members with
// everything in them, and maps and lists that become empty. It does not mutate value, and returns nil if nothing is
// left.
func Strip(value any, fields *paths.Set) any {
	switch value := value.(type) {
	case map[string]any:
		return stripMap(value, fields)
	case []any:
		return stripList(value, fields)
	default:
		return value
	}
}

func stripMap(fields map[string]any, stripped *paths.Set) any {
	out := make(map[string]any, len(fields))
	for name, value := range fields {
		element := paths.Field(name)
		below := paths.Children(stripped, element)
		switch {
		case below == nil && paths.Has(stripped, element):
			continue
		case below != nil:
			value = Strip(value, below)
		}
		// A null of the object stays. Only what has become empty here is left out.
		if value != nil || below == nil {
			out[name] = value
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func stripList(list []any, stripped *paths.Set) any {
	children := childrenOf(node{value: list, presence: Present, index: -1})
	parts := map[int]paths.Part{}
	for _, part := range paths.Parts(stripped) {
		if child := children.get(part.Element); child.presence == Present {
			parts[child.index] = part
		}
	}
	out := make([]any, 0, len(list))
	for i, item := range list {
		part, has := parts[i]
		if has && part.IsMember {
			continue
		}
		if has {
			if item = Strip(item, part.Below); item == nil {
				continue
			}
		}
		out = append(out, item)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// Pointer returns the steps of a JSON pointer to a field of object, not escaped; false if the field has no value.
func Pointer(object map[string]any, path paths.Path) ([]string, bool) {
	at, steps := root(object), make([]string, 0, len(path))
	for _, element := range path {
		if at = childrenOf(at).get(element); at.presence != Present {
			return nil, false
		}
		if element.FieldName != nil {
			steps = append(steps, *element.FieldName)
			continue
		}
		steps = append(steps, strconv.Itoa(at.index))
	}
	return steps, true
}
