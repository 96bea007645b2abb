package owners

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// untypedList is a list of a schema that has no type, and is atomic therefore.
type untypedList struct {
	// path is as people write it: spec.rules[*].hosts.
	path string
	// pointer is the JSON pointer to the schema of the list, in the definition.
	pointer string
	items   map[string]any
}

// atomicLists returns a finding for each version of a definition whose schema contains lists of objects without a list
// type: only one manager can own a whole list of this form.
func atomicLists(definition map[string]any) []Finding {
	name, _, _ := unstructured.NestedString(definition, "metadata", "name")
	versions, _, _ := unstructured.NestedSlice(definition, "spec", "versions")
	var found []Finding
	for i, element := range versions {
		version, _ := element.(map[string]any)
		schema, has, _ := unstructured.NestedMap(version, "schema", "openAPIV3Schema")
		if served, _ := version["served"].(bool); !served || !has {
			continue
		}
		lists := untypedLists(schema, "", fmt.Sprintf("/spec/versions/%d/schema/openAPIV3Schema", i))
		if len(lists) == 0 {
			continue
		}
		finding := Finding{Problem: AtomicLists, Resource: name, Name: fmt.Sprint(version["name"])}
		var steps []step
		for _, list := range lists {
			finding.Fields = append(finding.Fields, list.path)
			steps = append(steps, list.typed()...)
		}
		finding.Mend = "# in the schema of each list, with a required field of its items as the key:\n" +
			"x-kubernetes-list-type: map\nx-kubernetes-list-map-keys: [KEY]"
		if len(steps) > 0 {
			finding.Mend = patch("customresourcedefinitions.apiextensions.k8s.io "+name, steps)
		}
		found = append(found, finding)
	}
	return found
}

// untypedLists returns the lists of objects in a schema that have no list type, in order.
func untypedLists(schema map[string]any, path, pointer string) []untypedList {
	var found []untypedList
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, _ := properties[name].(map[string]any)
		if path == "" && (name == "metadata" || name == "status") {
			continue
		}
		escaped := strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		at := strings.TrimPrefix(path+"."+name, ".")
		found = append(found, untypedLists(property, at, pointer+"/properties/"+escaped)...)
	}
	if more, is := schema["additionalProperties"].(map[string]any); is {
		found = append(found, untypedLists(more, path+".*", pointer+"/additionalProperties")...)
	}
	items, is := schema["items"].(map[string]any)
	switch kind := schema["x-kubernetes-list-type"]; {
	case !is || kind == "atomic":
		return found
	case kind == nil && items["type"] == "object":
		// Everything below an atomic list belongs to it.
		return append(found, untypedList{path, pointer, items})
	}
	return append(found, untypedLists(items, path+"[*]", pointer+"/items")...)
}

// typed returns the steps that make it a list with keys; none if its items have no field that has to be there and is a
// name by convention.
func (l untypedList) typed() []step {
	required, _, _ := unstructured.NestedStringSlice(l.items, "required")
	for _, key := range []string{"name", "id", "key", "type", "host", "path"} {
		kind, _, _ := unstructured.NestedString(l.items, "properties", key, "type")
		if slices.Contains(required, key) && kind == "string" {
			return []step{
				{"add", l.pointer + "/x-kubernetes-list-type", "map"},
				{"add", l.pointer + "/x-kubernetes-list-map-keys", []string{key}},
			}
		}
	}
	return nil
}
