package acceptance_test

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// merge returns the live value with an applied one laid over it. A missing value is nil.
func (s shape) merge(live, applied any) any {
	switch {
	case applied == nil:
		return live
	case live == nil:
		return applied
	}
	switch s.of(applied) {
	case shapeStruct, shapeMap:
		return s.mergeMaps(live, applied)
	case shapeSet, shapeKeyed:
		return s.mergeLists(live, applied)
	default:
		return applied
	}
}

func (s shape) mergeMaps(live, applied any) map[string]any {
	before, _ := live.(map[string]any)
	over, _ := applied.(map[string]any)
	out := map[string]any{}
	for name, value := range before {
		out[name] = s.member(name).merge(value, over[name])
	}
	for name, value := range over {
		out[name] = s.member(name).merge(before[name], value)
	}
	return out
}

func (s shape) mergeLists(live, applied any) []any {
	before, _ := live.([]any)
	over, _ := applied.([]any)
	out := slices.Clone(before)
	for _, item := range over {
		element := s.elementOf(item)
		at := slices.IndexFunc(out, func(other any) bool { return s.elementOf(other).Equals(element) })
		if at < 0 {
			out = append(out, item)
			continue
		}
		out[at] = s.element.merge(out[at], item)
	}
	return out
}

// cut returns value without the places of removed, each with all below it. What is emptied without being
// removed itself stays, empty; emptied is told of it.
func (s shape) cut(at paths.Path, value any, removed *paths.Set, emptied func()) any {
	if value == nil || removed.Has(at) {
		return nil
	}
	parts := s.parts(value)
	if len(parts) == 0 {
		return value
	}
	fields, items := map[string]any{}, []any{}
	for _, p := range parts {
		left := p.shape.cut(paths.Below(at, p.element), p.value, removed, emptied)
		switch {
		case left == nil:
		case p.element.FieldName != nil:
			fields[*p.element.FieldName] = left
		default:
			items = append(items, left)
		}
	}
	if len(fields)+len(items) == 0 {
		emptied()
	}
	if _, isMap := value.(map[string]any); isMap {
		return fields
	}
	return items
}
