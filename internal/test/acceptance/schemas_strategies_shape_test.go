package acceptance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// shape is a schema as server-side apply reads it.
type shape struct {
	kind shapeKind
	// schema is the OpenAPI schema in flow style.
	schema string
	// fields are the named fields of a structure.
	fields map[string]shape
	// element is what a map's values and a list's items are like.
	element *shape
	// keys identify the items of a list by keys; defaults are the values of keys that an item leaves out.
	keys     []string
	defaults map[string]any
}

type shapeKind string

const (
	// shapeWhole has its owners as a whole: scalars, atomic lists and atomic maps.
	shapeWhole shapeKind = "whole"
	// shapeStruct has owners for each of its named fields.
	shapeStruct shapeKind = "struct"
	// shapeMap has owners for each key.
	shapeMap shapeKind = "map"
	// shapeSet is a list of which each member has owners.
	shapeSet shapeKind = "set"
	// shapeKeyed is a list whose items are known by their keys and have owners for each field.
	shapeKeyed shapeKind = "keyed"
	// shapeFree has no schema: maps are maps, and everything else is whole.
	shapeFree shapeKind = "free"
)

var (
	aString  = shape{kind: shapeWhole, schema: "{type: string}"}
	anInt    = shape{kind: shapeWhole, schema: "{type: integer}"}
	freeForm = shape{kind: shapeFree, schema: "{type: object, x-kubernetes-preserve-unknown-fields: true}"}
)

// untypedList returns a list without a list type, which is atomic.
func untypedList(item shape) shape {
	return shape{kind: shapeWhole, schema: "{type: array, items: " + item.schema + "}"}
}

func atomicList(item shape) shape {
	return shape{kind: shapeWhole, schema: "{type: array, x-kubernetes-list-type: atomic, items: " + item.schema + "}"}
}

func setOf(item shape) shape {
	return shape{kind: shapeSet, element: &item, schema: "{type: array, x-kubernetes-list-type: set, items: " + item.schema + "}"}
}

// keyedList returns a list of structures. A key of defaults is left to its default where an item has none.
func keyedList(item shape, defaults map[string]any, keys ...string) shape {
	return shape{
		kind: shapeKeyed, element: &item, keys: keys, defaults: defaults,
		schema: "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + strings.Join(keys, ", ") + "], items: " + item.schema + "}",
	}
}

func mapOf(value shape) shape {
	return shape{kind: shapeMap, element: &value, schema: "{type: object, x-kubernetes-map-type: granular, additionalProperties: " + value.schema + "}"}
}

func atomicMap(value shape) shape {
	return shape{kind: shapeWhole, schema: "{type: object, x-kubernetes-map-type: atomic, additionalProperties: " + value.schema + "}"}
}

func structOf(fields map[string]shape) shape {
	return shape{kind: shapeStruct, fields: fields, schema: "{type: object, x-kubernetes-map-type: granular, properties: {" + properties(fields) + "}}"}
}

func atomicStruct(fields map[string]shape) shape {
	return shape{kind: shapeWhole, schema: "{type: object, x-kubernetes-map-type: atomic, properties: {" + properties(fields) + "}}"}
}

// itemOf returns the structure of a list item; required are its keys without a default, defaults those with one.
func itemOf(fields map[string]shape, required string) shape {
	return shape{kind: shapeStruct, fields: fields, schema: "{type: object, required: [" + required + "], properties: {" + properties(fields) + "}}"}
}

func (s shape) withDefault(value any) shape {
	s.schema = strings.TrimSuffix(s.schema, "}") + fmt.Sprintf(", default: %v}", value)
	return s
}

func properties(fields map[string]shape) string {
	texts := []string{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		texts = append(texts, name+": "+fields[name].schema)
	}
	return strings.Join(texts, ", ")
}

// of returns the kind for a value, which decides where there is no schema.
func (s shape) of(value any) shapeKind {
	_, isMap := value.(map[string]any)
	switch {
	case s.kind != shapeFree:
		return s.kind
	case isMap:
		return shapeMap
	default:
		return shapeWhole
	}
}

// ownedPart is one part of a value that has owners of its own.
type ownedPart struct {
	path  paths.Path
	value any
	// leaf is true if the server compares it as a whole.
	leaf bool
	// named is true if it is a field of a structure, which an applier owns by what is below.
	named bool
}

// part is a part of a value one level down, with its shape.
type part struct {
	element paths.PathElement
	value   any
	shape   shape
	named   bool
}

// parts returns what a value is made of; none if it is whole, empty or missing.
func (s shape) parts(value any) []part {
	var all []part
	switch kind := s.of(value); kind {
	case shapeStruct, shapeMap:
		fields, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			all = append(all, part{paths.Field(name), fields[name], s.member(name), kind == shapeStruct})
		}
	case shapeSet, shapeKeyed:
		items, _ := value.([]any)
		for _, item := range items {
			all = append(all, part{s.elementOf(item), item, *s.element, false})
		}
	}
	return all
}

// member returns the shape of the value of a key.
func (s shape) member(name string) shape {
	switch s.kind {
	case shapeStruct:
		return s.fields[name]
	case shapeFree:
		return s
	default:
		return *s.element
	}
}

// elementOf returns how the server knows a list item.
func (s shape) elementOf(item any) paths.PathElement {
	if s.kind == shapeSet {
		return paths.Value(item)
	}
	fields, _ := item.(map[string]any)
	keys := maps.Clone(s.defaults)
	if keys == nil {
		keys = map[string]any{}
	}
	for _, name := range s.keys {
		if value, has := fields[name]; has {
			keys[name] = value
		}
	}
	return paths.Key(keys)
}

// walk visits the part at path and all below it.
func (s shape) walk(at ownedPart, visit func(ownedPart)) {
	at.leaf = s.of(at.value) == shapeWhole
	visit(at)
	for _, p := range s.parts(at.value) {
		p.shape.walk(ownedPart{path: paths.Below(at.path, p.element), value: p.value, named: p.named}, visit)
	}
}

// settled returns a value with the defaults that the server fills in, and lists that are known by their members
// in one order.
func (s shape) settled(value any) any {
	switch s.of(value) {
	case shapeStruct, shapeMap:
		fields, _ := value.(map[string]any)
		if fields == nil {
			return value
		}
		out := map[string]any{}
		for name, field := range fields {
			out[name] = s.member(name).settled(field)
		}
		return out
	case shapeSet, shapeKeyed:
		items, isList := value.([]any)
		if !isList {
			return value
		}
		out := []any{}
		for _, item := range items {
			item = s.element.settled(item)
			if fields, isMap := item.(map[string]any); isMap {
				for key, value := range s.defaults {
					if _, has := fields[key]; !has {
						fields[key] = value
					}
				}
			}
			out = append(out, item)
		}
		slices.SortFunc(out, func(a, b any) int { return strings.Compare(story.AsJSON(a), story.AsJSON(b)) })
		return out
	default:
		return value
	}
}
