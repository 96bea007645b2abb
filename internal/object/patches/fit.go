package patches

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// fit returns the part of a body that changes an object; the arguments are not mutated. Removals of missing fields are
// left out: to merge them would create the map around them, or write an empty string. If a map, list or item is
// missing, its directives are left out too, because they could change nothing: the server would drop the value around
// them, or take them for fields. model determines how lists are merged. It is nil for a merge patch, and if it is not
// known how they are merged.
func fit(fields, object map[string]any, model strategicpatch.LookupPatchMeta) map[string]any {
	if fields[directive] == directiveReplace {
		// The map is replaced, so all its fields are new.
		object = nil
	}
	kept := make(map[string]any, len(fields))
	for name, value := range fields {
		there, has := object[name]
		switch there := there.(type) {
		case map[string]any:
			if inner, isMap := value.(map[string]any); isMap {
				value = fit(inner, there, modelOfMap(model, name))
			}
		case []any:
			if inner, isList := value.([]any); isList {
				_, isOrdered := fields[setOrder+name]
				value = fitItems(inner, there, name, isOrdered, model)
			}
		}
		sets := has
		if !has {
			value, sets = set(value, model != nil)
		}
		if sets {
			kept[name] = value
		}
	}
	return kept
}

func modelOfMap(model strategicpatch.LookupPatchMeta, name string) strategicpatch.LookupPatchMeta {
	if model == nil {
		return nil
	}
	inner, _, err := model.LookupPatchMetadataForStruct(name)
	if err != nil {
		return nil
	}
	return inner
}

// fitItems does what fit does, for the items of a list that is merged by a key. Unless a directive orders them, they
// get the order that they have in the object: the server would give the object the order of the body.
func fitItems(list, there []any, name string, isOrdered bool, model strategicpatch.LookupPatchMeta) []any {
	if model == nil {
		return list
	}
	inner, meta, err := model.LookupPatchMetadataForSlice(name)
	key := meta.GetPatchMergeKey()
	if err != nil || key == "" || !slices.Contains(meta.GetPatchStrategies(), "merge") {
		return list
	}
	if slices.ContainsFunc(list, func(item any) bool { return directiveOf(item) == directiveReplace }) {
		// The list is replaced, so all its items are new.
		there = nil
	}
	byKey := ListKeys{Names: []string{key}}
	kept, positions := make([]any, 0, len(list)), byKey.positionsIn(there)
	for _, item := range list {
		fields, isMap := item.(map[string]any)
		if isMap && directiveOf(item) == nil {
			if at, has := positions[byKey.idOf(item)]; has {
				old, _ := there[at].(map[string]any)
				item = fit(fields, old, inner)
			} else if added, sets := set(item, true); sets {
				item = added
			}
		}
		kept = append(kept, item)
	}
	// Each apply of a manifest of the object would set back the order of the patch, and the patch that of the manifest.
	if !isOrdered {
		position := func(item any) int {
			if at, has := positions[byKey.idOf(item)]; has {
				return at
			}
			return len(there)
		}
		slices.SortStableFunc(kept, func(a, b any) int { return cmp.Compare(position(a), position(b)) })
	}
	return kept
}

func directiveOf(value any) any {
	fields, _ := value.(map[string]any)
	return fields[directive]
}

// set returns the value that a value of a body sets if the object has no value there, and false if it sets nothing.
func set(value any, strategic bool) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		if onlyRemoves(value) || value[directive] == directiveDelete {
			return nil, false
		}
		kept := make(map[string]any, len(value))
		for name, field := range value {
			if set, sets := set(field, strategic); sets && !isDirective(name) {
				kept[name] = set
			}
		}
		return kept, true
	case []any:
		if !strategic {
			return value, true
		}
		kept := []any{}
		for _, item := range value {
			if set, sets := set(item, true); item == nil || sets && directiveOf(item) == nil {
				kept = append(kept, set)
			}
		}
		return kept, len(kept) > 0 || len(value) == 0
	default:
		return value, value != nil
	}
}

// onlyRemoves reports whether a map of the body sets no field.
func onlyRemoves(fields map[string]any) bool {
	for name, value := range fields {
		inner, isMap := value.(map[string]any)
		removes := value == nil || isDirective(name) || isMap && onlyRemoves(inner)
		if !removes {
			return false
		}
	}
	return len(fields) > 0
}
