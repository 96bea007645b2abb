package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Graft returns base with the values of fields from source. A leaf gets its whole value from source. List items that
// base lacks come last, with their keys. Fields without a value in source are left out. Neither object is mutated.
func Graft(base, source map[string]any, fields *paths.Set) map[string]any {
	return DefaultKeys(nil).Graft(base, source, fields)
}

// Graft does what [Graft] does, for objects whose list items may lack these keys.
func (d DefaultKeys) Graft(base, source map[string]any, fields *paths.Set) map[string]any {
	return graftMap(base, d.Complete(base), root(d.Complete(source)), fields)
}

func graft(base, completed any, source node, fields *paths.Set) any {
	switch source.value.(type) {
	case map[string]any:
		known, _ := base.(map[string]any)
		completed, _ := completed.(map[string]any)
		return graftMap(known, completed, source, fields)
	case []any:
		known, _ := base.([]any)
		completed, _ := completed.([]any)
		return graftList(known, completed, source, fields)
	default:
		return source.value
	}
}

func graftMap(base, completed map[string]any, source node, fields *paths.Set) map[string]any {
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
		out[name] = graft(out[name], completed[name], child, part.Below)
	}
	return out
}

// graftList finds the items of base by their keys in completed, which has the same items.
func graftList(base, completed []any, source node, fields *paths.Set) []any {
	out := slices.Clone(base)
	known, children := items{list: completed}, childrenOf(source)
	for _, part := range paths.Parts(fields) {
		child := children.get(part.Element)
		if child.presence != Present {
			continue
		}
		position, at := known.find(part.Element), any(nil)
		isNew := position < 0
		if isNew {
			position, out = len(out), append(out, nil)
		} else {
			at = completed[position]
		}
		if part.Below == nil {
			out[position] = child.value
			continue
		}
		before, _ := out[position].(map[string]any)
		item := graft(out[position], at, child, part.Below)
		if fields, isMap := item.(map[string]any); isMap {
			for name, value := range paths.KeyFields(part.Element) {
				// A new item lacks its keys if fields does not hold them. One of base may leave some to the default.
				if fields[name] = value; !isNew && before != nil && before[name] == nil {
					delete(fields, name)
				}
			}
		}
		out[position] = item
	}
	return out
}
