package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// Extract returns the part of object that fields holds: leaves with their whole value, lists in the order of
// the object. Fields without a value are left out. object is not mutated; values are shared with it.
func Extract(object map[string]any, fields *paths.Set) map[string]any {
	extracted, _ := extract(root(object), fields).(map[string]any)
	if extracted == nil {
		extracted = map[string]any{}
	}
	return extracted
}

func extract(at node, fields *paths.Set) any {
	switch value := at.value.(type) {
	case map[string]any:
		return extractMap(at, value, fields)
	case []any:
		return extractList(at, value, fields)
	default:
		return value
	}
}

func extractMap(at node, object map[string]any, fields *paths.Set) map[string]any {
	out := make(map[string]any)
	children := childrenOf(at)
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if child.presence != Present || part.Element.FieldName == nil {
			continue
		}
		name := *part.Element.FieldName
		if part.Below == nil {
			out[name] = object[name]
			continue
		}
		value := extract(child, part.Below)
		if part.IsMember || !isEmpty(value) {
			out[name] = value
		}
	}
	return out
}

func extractList(at node, list []any, fields *paths.Set) []any {
	parts := paths.Parts(fields)
	children := childrenOf(at)
	wanted := make(map[int]paths.Part, len(parts))
	for _, part := range parts {
		if child := children.get(part.Element); child.presence == Present {
			wanted[child.index] = part
		}
	}
	out := make([]any, 0, len(wanted))
	for i, item := range list {
		part, is := wanted[i]
		if !is {
			continue
		}
		if part.Below == nil {
			out = append(out, item)
			continue
		}
		value := extract(node{value: item, presence: Present, index: i}, part.Below)
		if !part.IsMember && isEmpty(value) {
			continue
		}
		out = append(out, value)
	}
	return out
}

// isEmpty reports whether value is null, or a map or list without content.
func isEmpty(value any) bool { return value == nil || IsEmptyCollection(value) }
