package projection

import (
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// DefaultKeys are the keys that the API server gives to list items which lack them, for each list by the field names on
// the way to it. Without them, an item that leaves a key to its default could be any sibling that differs in that key:
// 443/TCP or 443/UDP.
type DefaultKeys map[string]map[string]any

// DefaultKeysOf returns those that a manifest shows together with known, the fields by which the server knows it.
func DefaultKeysOf(manifest map[string]any, known *paths.Set) DefaultKeys {
	found := DefaultKeys{}
	found.learn(manifest, known, "")
	return found.Assuming(manifest)
}

// Assuming adds the only key for which Kubernetes' own kinds have a default, the protocol of the ports of Services and
// containers, if nothing else was learned. The manifest is not mutated.
func (d DefaultKeys) Assuming(manifest map[string]any) DefaultKeys {
	version, _ := manifest["apiVersion"].(string)
	if group, _, _ := strings.Cut(version, "/"); !strings.Contains(group, ".") {
		d.assume(manifest, "")
	}
	return d
}

func (d DefaultKeys) assume(value any, at string) (found bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			found = d.assume(part, below(at, name)) || found
		}
	case []any:
		if found = at == "\x00spec\x00ports" || strings.HasSuffix(at, "ontainers\x00ports"); found {
			if _, learned := d.entry(at)["protocol"]; !learned {
				d[at]["protocol"] = "TCP"
			}
		}
		for _, item := range value {
			found = d.assume(item, at) || found
		}
	}
	if found {
		d.entry(at)
	}
	return found
}

// learn returns whether it has found keys at or below a value.
func (d DefaultKeys) learn(value any, known *paths.Set, at string) (found bool) {
	switch value := value.(type) {
	case map[string]any:
		for _, part := range paths.Parts(known) {
			if name := part.Element.FieldName; name != nil && part.Below != nil {
				found = d.learn(value[*name], part.Below, below(at, *name)) || found
			}
		}
	case []any:
		for position, element := range unambiguous(value, known) {
			item, _ := value[position].(map[string]any)
			for name, given := range paths.KeyFields(element) {
				if _, has := item[name]; has {
					continue
				}
				if other, differs := d.entry(at)[name]; differs && other != given {
					given = nil // The server has chosen each by itself.
				}
				d[at][name], found = given, true
			}
			found = d.learn(item, paths.Children(known, element), at) || found
		}
	}
	if found {
		d.entry(at)
	}
	return found
}

// entry returns the keys of the list at a place. There is an entry for each map around it, too.
func (d DefaultKeys) entry(at string) map[string]any {
	if d[at] == nil {
		d[at] = map[string]any{}
	}
	return d[at]
}

// below returns the place of a field. List items have the place of their list.
func below(at, name string) string { return at + "\x00" + name }

// unambiguous returns the element of each item of a list that can be only one of known; the zero value for others.
func unambiguous(list []any, known *paths.Set) []paths.PathElement {
	indexed, found := items{list: list}, make([]paths.PathElement, len(list))
	var open []paths.PathElement
	for _, element := range paths.Elements(known) {
		if exact := indexed.exact(element); len(exact) == 1 {
			found[exact[0]] = element
		} else {
			open = append(open, element)
		}
	}
	candidates := make([]int, len(list))
	for _, element := range open {
		for position := range indexed.defaulted(element) {
			if ownsMissingKey(list[position], element, known) {
				continue
			}
			if candidates[position]++; candidates[position] == 1 {
				found[position] = element
			} else {
				found[position] = paths.PathElement{}
			}
		}
	}
	return found
}

// ownsMissingKey reports whether known has a key of an element that an item lacks. So it was sent, and with another
// item.
func ownsMissingKey(item any, element paths.PathElement, known *paths.Set) bool {
	fields, _ := item.(map[string]any)
	owned := paths.OrEmpty(paths.Children(known, element))
	for name := range paths.KeyFields(element) {
		if _, has := fields[name]; !has && owned.Members.Has(paths.Field(name)) {
			return true
		}
	}
	return false
}

// Complete returns an object whose list items have the keys that they leave to the default. The object is not mutated.
func (d DefaultKeys) Complete(object map[string]any) map[string]any {
	if len(d) == 0 {
		return object
	}
	completed, _ := d.complete(object, "").(map[string]any)
	return completed
}

func (d DefaultKeys) complete(value any, at string) any {
	keys, has := d[at]
	if !has {
		return value
	}
	switch value := value.(type) {
	case map[string]any:
		out := maps.Clone(value)
		for name, inner := range value {
			out[name] = d.complete(inner, below(at, name))
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = d.complete(item, at)
		}
		return withDefaultKeys(out, keys)
	default:
		return value
	}
}

// withDefaultKeys returns the items of a list with those of keys that they lack.
func withDefaultKeys(items []any, keys map[string]any) []any {
	if len(keys) == 0 {
		return items
	}
	out := slices.Clone(items)
	for i, item := range items {
		if fields, isMap := item.(map[string]any); isMap {
			out[i] = withDefaults(fields, keys)
		}
	}
	return out
}

// withDefaults returns fields with those of keys that they lack. A key without a value has several defaults.
func withDefaults(fields, keys map[string]any) map[string]any {
	all := maps.Clone(fields)
	for name, value := range keys {
		if _, has := fields[name]; !has && value != nil {
			all[name] = value
		}
	}
	return all
}
