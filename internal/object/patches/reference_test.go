package patches

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
)

// referenceMerge implements RFC 7386, section 2.
func referenceMerge(target, patch any) any {
	fields, isMap := patch.(map[string]any)
	if !isMap {
		return patch
	}
	merged := map[string]any{}
	if old, isMap := target.(map[string]any); isMap {
		for name, value := range old {
			merged[name] = value
		}
	}
	for name, value := range fields {
		if value == nil {
			delete(merged, name)
			continue
		}
		merged[name] = referenceMerge(merged[name], value)
	}
	return merged
}

var errReference = errors.New("does not apply")

// referenceOperate implements RFC 6902, section 4. A removal of what is missing, and its replacement by null, do
// nothing.
func referenceOperate(document any, one map[string]any) (any, error) {
	path := referencePointer(one["path"])
	switch one["op"] {
	case "add":
		return referenceEdit(document, path, func(parent any, token string) (any, error) {
			return referencePut(parent, token, one["value"], true)
		})
	case "replace":
		if _, has := referenceGet(document, path); !has && one["value"] == nil {
			return document, nil
		} else if !has {
			return nil, errReference
		}
		return referenceEdit(document, path, func(parent any, token string) (any, error) {
			return referencePut(parent, token, one["value"], false)
		})
	case "remove":
		if _, has := referenceGet(document, path); !has {
			return document, nil
		}
		return referenceEdit(document, path, referenceDelete)
	case "copy":
		value, has := referenceGet(document, referencePointer(one["from"]))
		if !has {
			return nil, errReference
		}
		return referenceOperate(document, map[string]any{"op": "add", "path": one["path"], "value": value})
	case "test":
		if value, _ := referenceGet(document, path); !reflect.DeepEqual(value, one["value"]) {
			return nil, errReference
		}
		return document, nil
	}
	return nil, errReference
}

func referencePointer(text any) []string {
	at, _ := parsePointer("path", text.(string))
	return at
}

func referenceGet(document any, path []string) (any, bool) {
	for _, token := range path {
		switch parent := document.(type) {
		case map[string]any:
			value, has := parent[token]
			if !has {
				return nil, false
			}
			document = value
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || index >= len(parent) {
				return nil, false
			}
			document = parent[index]
		default:
			return nil, false
		}
	}
	return document, true
}

// referenceEdit returns a document with one parent replaced by what edit makes of it.
func referenceEdit(document any, path []string, edit func(parent any, token string) (any, error)) (any, error) {
	if len(path) == 1 {
		return edit(document, path[0])
	}
	child, has := referenceGet(document, path[:1])
	if !has {
		return nil, errReference
	}
	changed, err := referenceEdit(child, path[1:], edit)
	if err != nil {
		return nil, err
	}
	return referencePut(document, path[0], changed, false)
}

func referencePut(parent any, token string, value any, insert bool) (any, error) {
	switch parent := parent.(type) {
	case map[string]any:
		changed := map[string]any{}
		for name, old := range parent {
			changed[name] = old
		}
		changed[token] = value
		return changed, nil
	case []any:
		index, err := strconv.Atoi(token)
		if err != nil || index > len(parent) {
			return nil, errReference
		}
		changed := slices.Clone(parent)
		if insert {
			return slices.Insert(changed, index, value), nil
		}
		changed[index] = value
		return changed, nil
	}
	return nil, errReference
}

func referenceDelete(parent any, token string) (any, error) {
	switch parent := parent.(type) {
	case map[string]any:
		changed := map[string]any{}
		for name, old := range parent {
			if name != token {
				changed[name] = old
			}
		}
		return changed, nil
	case []any:
		index, _ := strconv.Atoi(token)
		return slices.Delete(slices.Clone(parent), index, index+1), nil
	}
	return nil, errReference
}
