package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

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
