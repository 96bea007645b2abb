package validation_test

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
)

// mutation is an object with one change.
type mutation struct {
	what   string
	object map[string]any
}

// mutations returns an object once without each of its fields, once with another type in it, once with an unknown field
// beside it and once with each item of a list twice.
func mutations(object map[string]any) []mutation {
	var all []mutation
	var visit func(value any, at string, set func(root map[string]any, value any, remove bool))
	root := func() map[string]any { return runtime.DeepCopyJSON(object) }
	note := func(what string, change func(root map[string]any)) {
		changed := root()
		change(changed)
		all = append(all, mutation{what, changed})
	}
	visit = func(value any, at string, set func(map[string]any, any, bool)) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				if at == "" && slices.Contains([]string{"apiVersion", "kind"}, name) || at == ".metadata" && name != "labels" {
					continue
				}
				inner := func(to map[string]any, replacement any, remove bool) {
					parent := runtime.DeepCopyJSON(value)
					if parent[name] = replacement; remove {
						delete(parent, name)
					}
					set(to, parent, false)
				}
				if at != "" || name != "metadata" {
					note(at+"."+name+" is missing", func(to map[string]any) { inner(to, nil, true) })
				}
				visit(value[name], at+"."+name, inner)
			}
			note(at+".surplus is there", func(to map[string]any) {
				parent := runtime.DeepCopyJSON(value)
				parent["surplus"] = "x"
				set(to, parent, false)
			})
			if at != "" && at != ".metadata" {
				note(at+" is a text", func(to map[string]any) { set(to, "x", false) })
			}
		case []any:
			for i := range value {
				inner := func(to map[string]any, replacement any, _ bool) {
					list := runtime.DeepCopyJSONValue(value).([]any)
					list[i] = replacement
					set(to, list, false)
				}
				visit(value[i], fmt.Sprintf("%s[%d]", at, i), inner)
			}
			if len(value) > 0 {
				note(at+" has its first item twice", func(to map[string]any) {
					list := runtime.DeepCopyJSONValue(value).([]any)
					set(to, append(list, list[0]), false)
				})
			}
			note(at+" is a map", func(to map[string]any) { set(to, map[string]any{"a": "b"}, false) })
		case string:
			note(at+" is a number", func(to map[string]any) { set(to, int64(7), false) })
			note(at+" is another text", func(to map[string]any) { set(to, "Any thing!", false) })
			note(at+" is empty", func(to map[string]any) { set(to, "", false) })
			note(at+" is a list", func(to map[string]any) { set(to, []any{"x"}, false) })
		default:
			note(at+" is a text", func(to map[string]any) { set(to, "x", false) })
			note(at+" is a fraction", func(to map[string]any) { set(to, 1.5, false) })
			note(at+" is large", func(to map[string]any) { set(to, int64(1)<<40, false) })
			note(at+" is negative", func(to map[string]any) { set(to, int64(-1), false) })
			note(at+" is a map", func(to map[string]any) { set(to, map[string]any{"a": "b"}, false) })
		}
	}
	visit(object, "", func(to map[string]any, value any, _ bool) {
		if fields, is := value.(map[string]any); is {
			clear(to)
			maps.Copy(to, fields)
		}
	})
	return all
}
