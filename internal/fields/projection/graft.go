package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Graft returns base with the values of fields from source. A leaf gets its whole value from source. List items that
// base lacks come last, with their keys. Fields without a value in source are left out. Neither object is mutated.
func Graft(base, source map[string]any, fields *paths.Set) map[string]any {
	return graftMap(base, root(source), fields)
}

func graft(base any, source node, fields *paths.Set) any {
	switch source.value.(type) {
	case map[string]any:
		known, _ := base.(map[string]any)
		return graftMap(known, source, fields)
	case []any:
		known, _ := base.([]any)
		return graftList(known, source, fields)
	default:
		return source.value
	}
}

func graftMap(base map[string]any, source node, fields *paths.Set) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	children := childrenOf(source)
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if child.presence != Present || part.Element.FieldName == nil {
			continue
		}
		name := *part.Element.FieldName
		if part.Below == nil {
			out[name] = child.value
			continue
		}
		out[name] = graft(out[name], child, part.Below)
	}
	return out
}

func graftList(base []any, source node, fields *paths.Set) []any {
	out := slices.Clone(base)
	known, children := items{list: base}, childrenOf(source)
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if child.presence != Present {
			continue
		}
		position := known.find(part.Element)
		if position < 0 {
			position, out = len(out), append(out, nil)
		}
		if part.Below == nil {
			out[position] = child.value
			continue
		}
		item := graft(out[position], child, part.Below)
		if fields, isMap := item.(map[string]any); isMap {
			// A new item lacks its keys if fields does not hold them.
			for name, value := range paths.KeyFields(part.Element) {
				fields[name] = value
			}
		}
		out[position] = item
	}
	return out
}
