package livediff

import "encoding/json"

// children returns the parts of a value by their elements: the fields of a map, or the items of a list if some
// claims in known identify them. It returns nil for a scalar, and for a list that is one value.
func children(value any, known ...*Claims) map[string]any {
	switch value := value.(type) {
	case map[string]any:
		parts := make(map[string]any, len(value))
		for name, part := range value {
			parts["f:"+name] = part
		}
		return parts
	case []any:
		return items(value, known)
	default:
		return nil
	}
}

func items(list []any, known []*Claims) map[string]any {
	for _, claims := range known {
		for _, element := range claims.elements() {
			if parts := itemsLike(element, list); parts != nil {
				return parts
			}
		}
	}
	return nil
}

// itemsLike returns the items of a list by elements of the same form as element; nil if it cannot name all items. An
// update may repeat the keys of an item: managedFields has one element for all items with the same keys, and so they
// are one value, a list.
func itemsLike(element string, list []any) map[string]any {
	keys, parts, alike := keysOf(element), map[string]any{}, map[string][]any{}
	for _, item := range list {
		fields, isMap := item.(map[string]any)
		switch {
		case keys == nil:
			parts["v:"+encode(item)] = item
			continue
		case !isMap:
			return nil
		}
		own := map[string]any{}
		for name := range keys {
			value, has := fields[name]
			if !has {
				return nil
			}
			own[name] = value
		}
		name := "k:" + encode(own)
		alike[name] = append(alike[name], item)
	}
	for name, items := range alike {
		if parts[name] = items[0]; len(items) > 1 {
			parts[name] = items
		}
	}
	if keys == nil && len(parts) != len(list) {
		return nil
	}
	return parts
}

// entriesBy returns the entries of a list by the keys with these names, or by their value if they lack one.
func entriesBy(names []string, list []any) map[string]any {
	parts := make(map[string]any, len(list))
	for _, entry := range list {
		fields, _ := entry.(map[string]any)
		keys, element := map[string]any{}, "v:"+encode(entry)
		for _, name := range names {
			if value, has := fields[name]; has {
				keys[name] = value
			}
		}
		if len(keys) == len(names) {
			element = "k:" + encode(keys)
		}
		parts[element] = entry
	}
	return parts
}

// Leaves calls visit for each value of an object that has no parts: a scalar, a list whose items no claim identifies,
// and a map that claims own as a whole. Nulls, empty maps and empty lists are not values.
func Leaves(object map[string]any, claims *Claims, visit func(path Path, value any)) {
	leaves(nil, object, claims, visit)
}

func leaves(at Path, value any, held *Claims, visit func(Path, any)) {
	switch encode(value) {
	case "null", "{}", "[]":
		return
	}
	parts := children(value, held)
	if parts == nil || held != nil && len(held.Owners) > 0 && len(held.below) == 0 {
		visit(at, value)
		return
	}
	for _, element := range sortedNames(parts) {
		leaves(at.child(element), parts[element], held.child(element), visit)
	}
}

// Lookup returns the value of a field of an object.
func Lookup(object any, path Path) (any, bool) {
	for _, element := range path {
		var has bool
		if object, has = part(object, element); !has {
			return nil, false
		}
	}
	return object, true
}

func part(value any, element string) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		if len(element) < 2 || element[:2] != "f:" {
			return nil, false
		}
		found, has := value[element[2:]]
		return found, has
	case []any:
		found, has := itemsLike(element, value)[normal(element)]
		return found, has
	default:
		return nil, false
	}
}

// normal returns an element with its keys in the order of encode.
func normal(element string) string {
	if keys := keysOf(element); keys != nil {
		return "k:" + encode(keys)
	}
	return element
}

// Text returns a value as the provider shows it: strings as they are, everything else as JSON.
func Text(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	return encode(value)
}

// SameText reports whether a string represents a value. Numbers may be written in several ways.
func SameText(text string, value any) bool {
	if text == Text(value) {
		return true
	}
	if _, isText := value.(string); isText {
		return false
	}
	var read any
	if json.Unmarshal([]byte(text), &read) != nil {
		return false
	}
	var again any
	return json.Unmarshal([]byte(encode(value)), &again) == nil && encode(read) == encode(again)
}
