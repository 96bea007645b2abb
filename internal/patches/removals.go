package patches

// withoutMissing returns the fields of a body without maps that do nothing but remove fields of a map which the object
// does not have: to merge them would create it. The arguments are not mutated.
func withoutMissing(fields, object map[string]any) map[string]any {
	kept := make(map[string]any, len(fields))
	for name, value := range fields {
		inner, isMap := value.(map[string]any)
		there, has := object[name]
		if isMap && !has && onlyRemoves(inner) {
			continue
		}
		if around, isMapThere := there.(map[string]any); isMap && isMapThere {
			value = withoutMissing(inner, around)
		}
		kept[name] = value
	}
	return kept
}

func onlyRemoves(fields map[string]any) bool {
	for _, value := range fields {
		inner, isMap := value.(map[string]any)
		if value != nil && !(isMap && onlyRemoves(inner)) {
			return false
		}
	}
	return len(fields) > 0
}

// withoutEmptyLists removes fields that are empty lists from a value: to the built-in kinds they are the same as missing
// ones.
func withoutEmptyLists(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			if list, isList := field.([]any); isList && len(list) == 0 {
				delete(value, name)
				continue
			}
			withoutEmptyLists(field)
		}
	case []any:
		for _, item := range value {
			withoutEmptyLists(item)
		}
	}
}
