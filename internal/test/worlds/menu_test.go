package worlds_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// kind is what a world may do to objects of one kind.
type kind struct {
	name, resource string
	// base is the manifest without which the server refuses the object.
	base string
	// fields are what users and writers set and remove.
	fields []field
	// ignorable are paths for ignore_fields, alone covers those that cannot be ignored alone.
	ignorable []string
	// pinnable are paths for pin_fields.
	pinnable []string
	// countable are paths of lists for list_lengths.
	countable []string
	// others are bases of other versions of the kind, in which writers apply.
	others []version
	// scales says that the kind has the subresource scale, changes that controllers write to its objects, defined that each
	// world has a definition of the kind of its own.
	scales, changes, defined bool
	// unions are parts with alternatives, keyed the keys of list items and the values that they change to.
	unions []union
	keyed  []field
	// extras are what an object that other managers have created has beside the fields.
	extras []choice
}

// version is another version of a kind, in which a writer applies these fields.
type version struct {
	base   string
	fields []field
	// whole is the manifest without which the server refuses an object in this version; "" if the resource keeps to the other.
	whole string
}

// field is a field with the values that it takes. The steps of path are joined by "|"; [k=v,...] is the item of a list
// with these keys, and an item's value {} means its keys alone.
type field struct {
	path   string
	values []any
}

// choice is a field with one value.
type choice struct {
	path  string
	value any
}

// put sets a field in an object, and makes the maps and items on its way. A map or list without content is set only
// where the object has nothing.
func (c choice) put(object map[string]any) { put(object, strings.Split(c.path, "|"), c.value) }

func put(parent any, steps []string, value any) any {
	if len(steps) == 0 {
		return merged(parent, runtime.DeepCopyJSONValue(value))
	}
	keys := keysOf(steps[0])
	if keys == nil {
		fields, isMap := parent.(map[string]any)
		if !isMap {
			fields = map[string]any{}
		}
		fields[steps[0]] = put(fields[steps[0]], steps[1:], value)
		return fields
	}
	list, _ := parent.([]any)
	for i, item := range list {
		if fields, isMap := item.(map[string]any); isMap && matches(fields, keys) {
			list[i] = put(fields, steps[1:], value)
			return list
		}
	}
	return append(list, put(keys, steps[1:], value))
}

// merged keeps what is there where value is an empty map or list.
func merged(there, value any) any {
	switch value := value.(type) {
	case map[string]any:
		if fields, isMap := there.(map[string]any); isMap && len(value) == 0 {
			return fields
		}
	case []any:
		if list, isList := there.([]any); isList && len(value) == 0 {
			return list
		}
	}
	return value
}

// cut removes a field from an object.
func cut(parent any, steps []string) any {
	keys := keysOf(steps[0])
	if keys == nil {
		fields, isMap := parent.(map[string]any)
		if !isMap {
			return parent
		}
		if _, has := fields[steps[0]]; has && len(steps) == 1 {
			delete(fields, steps[0])
		} else if has {
			fields[steps[0]] = cut(fields[steps[0]], steps[1:])
		}
		return fields
	}
	list, _ := parent.([]any)
	for i, item := range list {
		fields, isMap := item.(map[string]any)
		if !isMap || !matches(fields, keys) {
			continue
		}
		if len(steps) == 1 {
			return append(append([]any{}, list[:i]...), list[i+1:]...)
		}
		list[i] = cut(fields, steps[1:])
	}
	return parent
}

// has reports whether an object has a field.
func has(object map[string]any, path string) bool {
	_, found := lookup(object, strings.Split(path, "|"))
	return found
}

func lookup(parent any, steps []string) (any, bool) {
	if len(steps) == 0 {
		return parent, true
	}
	keys := keysOf(steps[0])
	if fields, isMap := parent.(map[string]any); isMap && keys == nil {
		if part, found := fields[steps[0]]; found {
			return lookup(part, steps[1:])
		}
		return nil, false
	}
	list, _ := parent.([]any)
	for _, item := range list {
		if fields, isMap := item.(map[string]any); isMap && keys != nil && matches(fields, keys) {
			return lookup(item, steps[1:])
		}
	}
	return nil, false
}

// keysOf reads [name=app,port=80]; nil for a field's name.
func keysOf(step string) map[string]any {
	text, isItem := strings.CutPrefix(step, "[")
	if !isItem {
		return nil
	}
	keys := map[string]any{}
	for _, part := range strings.Split(strings.TrimSuffix(text, "]"), ",") {
		name, value, _ := strings.Cut(part, "=")
		keys[name] = value
		var number int64
		if _, err := fmt.Sscanf(value, "%d", &number); err == nil && fmt.Sprint(number) == value {
			keys[name] = number
		}
	}
	return keys
}

func matches(fields, keys map[string]any) bool {
	for name, value := range keys {
		if has, found := fields[name]; !found || fmt.Sprint(has) != fmt.Sprint(value) {
			// A protocol that is not written is the server's default.
			if name != "protocol" || found || value != "TCP" {
				return false
			}
		}
	}
	return true
}

// object returns a base with fields, in a namespace.
func object(base, namespace string, choices []choice) *unstructured.Unstructured {
	fields := map[string]any{}
	if err := yaml.Unmarshal([]byte(strings.ReplaceAll(base, "NS", namespace)), &fields); err != nil {
		panic(err)
	}
	fields = exact(fields)
	for _, c := range choices {
		c.put(fields)
	}
	return &unstructured.Unstructured{Object: fields}
}

// exact has whole numbers as int64.
func exact(fields map[string]any) map[string]any {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return object.Object
}
