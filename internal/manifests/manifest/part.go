package manifest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ParsePart reads a string that holds one YAML (or JSON) document with fields of the object that id names, and returns
// the manifest of that object with these fields. Text is its canonical JSON. Every failure is an *Error, also a
// document that names another object, or that contains directives of strategic merge patches.
func ParsePart(text string, id Identity) (Manifest, error) {
	object, err := decodePart(text)
	if err != nil {
		return Manifest{}, err
	}
	return PartOf(object, id)
}

// CheckPart returns an *Error if a string cannot be a part of any object.
func CheckPart(text string) error {
	_, err := decodePart(text)
	return err
}

func decodePart(text string) (map[string]any, error) {
	object, err := decodeObject(text,
		another("Write the fields to apply as in a manifest, for example spec: {replicas: 3}."))
	if err != nil {
		return nil, err
	}
	return object, CheckPartOf(object)
}

// sameIdentity returns an *Error if a document names another object than id.
func sameIdentity(object map[string]any, id Identity) error {
	metadata, isMap := object["metadata"].(map[string]any)
	if object["metadata"] != nil && !isMap {
		return &Error{
			Problem:    "metadata is " + Describe(object["metadata"]) + ", not an object",
			Suggestion: "Write for example metadata: {labels: {team: a}}.",
		}
	}
	for _, own := range []struct {
		field, key, value string
		in                map[string]any
	}{
		{"apiVersion", "apiVersion", id.APIVersion, object}, {"kind", "kind", id.Kind, object},
		{"metadata.name", "name", id.Name, metadata}, {"metadata.namespace", "namespace", id.Namespace, metadata},
	} {
		given, err := optionalText(own.in, own.key, own.field)
		if err != nil {
			return err
		}
		if own.in[own.key] != nil && given != own.value {
			return &Error{
				Problem: own.field + " is not the one of target",
				Suggestion: "Leave out apiVersion, kind, metadata.name and metadata.namespace: target names the " +
					"object.",
			}
		}
	}
	return nil
}

// onlyOf refuses fields that a subresource does not have.
func onlyOf(object map[string]any, subresource string) error {
	if subresource == "" {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if name != subresource && name != "apiVersion" && name != "kind" && name != "metadata" {
			return &Error{
				Problem:    name + " is not in the subresource " + subresource,
				Suggestion: "Write only " + subresource + ", and other fields into a patch without a subresource.",
			}
		}
	}
	return nil
}

// directive returns the path of the first directive of a strategic merge patch; "" if it has no directive.
func directive(value any, at string) string {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			path := strings.TrimPrefix(at+"."+name, ".")
			if name == "$patch" || name == "$retainKeys" || strings.HasPrefix(name, "$deleteFromPrimitiveList/") ||
				strings.HasPrefix(name, "$setElementOrder/") {
				return path
			}
			if found := directive(value[name], path); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range value {
			if found := directive(item, at+"[]"); found != "" {
				return found
			}
		}
	}
	return ""
}

// EqualPart reports whether two strings of parts of one object mean the same fields. Strings that do not parse are
// equal only when they are the same.
func EqualPart(a, b string) bool {
	if a == b {
		return true
	}
	notAnObject := func(any) *Error { return &Error{} }
	one, err := decodeObject(a, notAnObject)
	if err != nil {
		return false
	}
	two, err := decodeObject(b, notAnObject)
	return err == nil && equal(one, two)
}

// Of returns the manifest of an object that was not read from a string. The types of its values have to be those of
// decoded JSON. Text is its canonical JSON. Every failure is an *Error.
func Of(object map[string]any) (Manifest, error) {
	// Before identify, which removes empty fields of the API server from object.
	text, err := Canonical(object)
	if err != nil {
		return Manifest{}, notJSON()
	}
	m, err := identify(object)
	if err != nil {
		return Manifest{}, err
	}
	m.Text = text
	return m, nil
}

// CheckPartOf returns an *Error if an object cannot be a part of any object.
func CheckPartOf(object map[string]any) error {
	at := directive(object, "")
	if at == "" {
		return nil
	}
	return &Error{
		Problem: at + " is a directive of strategic merge patches, which server-side apply does not know",
		Suggestion: "Write only fields and their values. Server-side apply merges lists by the keys of their items, " +
			"and a field that you remove from the configuration is removed if this resource added it.",
	}
}

// PartOf does what ParsePart does, for an object that was not read from a string.
func PartOf(object map[string]any, id Identity) (Manifest, error) {
	if err := CheckPartOf(object); err != nil {
		return Manifest{}, err
	}
	if err := sameIdentity(object, id); err != nil {
		return Manifest{}, err
	}
	if err := onlyOf(object, id.Subresource); err != nil {
		return Manifest{}, err
	}
	m, err := identify(Identified(object, id))
	if err != nil {
		return Manifest{}, err
	}
	m.Subresource = id.Subresource
	m.Text, err = Canonical(m.Object)
	return m, err
}

func notJSON() *Error {
	return &Error{
		Problem:    "the text has a value that JSON cannot represent",
		Suggestion: "Use strings, numbers, booleans, lists and maps with string keys.",
	}
}

// Partial is a part of a manifest, which Overlay merges into a whole one.
type Partial map[string]any

// ParsePartial reads a string that holds one YAML (or JSON) document with any fields of an object. Every failure is an
// *Error.
func ParsePartial(text string) (Partial, error) {
	return decodeObject(text,
		another("Write the fields to add as in the manifest, for example yamlencode({ data = { ... } })."))
}

// Overlay returns m with the fields of part: maps are merged, everything else replaces what was there. The
// second result are the fields that come from part, as names that lead to them, sorted. A part that names
// another object is an *OtherObjectError. Nothing is mutated.
func (m Manifest) Overlay(part Partial) (Manifest, [][]string, error) {
	rest := maps.Clone(withoutNulls(part, m.APIVersion, m.Kind))
	if m.IsSecret() {
		rest = StringDataAsData(rest)
	}
	for _, own := range []struct{ name, value string }{{"apiVersion", m.APIVersion}, {"kind", m.Kind}} {
		if value, has := rest[own.name]; has && value != own.value {
			return m, nil, &OtherObjectError{own.name}
		}
		delete(rest, own.name)
	}
	if metadata, has := rest["metadata"].(map[string]any); has {
		kept := maps.Clone(metadata)
		for _, own := range []struct{ name, value string }{{"name", m.Name}, {"namespace", m.Namespace}} {
			if value, has := kept[own.name]; has && value != own.value {
				return m, nil, &OtherObjectError{"metadata." + own.name}
			}
			delete(kept, own.name)
		}
		if rest["metadata"] = kept; len(kept) == 0 {
			delete(rest, "metadata")
		}
	}
	var fields [][]string
	merged, err := identify(overlay(m.Object, rest, nil, &fields))
	slices.SortFunc(fields, slices.Compare)
	return merged, fields, err
}

// OtherObjectError is a part that names another object than the manifest that it is merged into.
type OtherObjectError struct {
	// Field is where it does.
	Field string
}

func (e *OtherObjectError) Error() string {
	return e.Field + " is not the same as in the manifest. Leave out apiVersion, kind, metadata.name and " +
		"metadata.namespace."
}

func overlay(base, part map[string]any, prefix []string, fields *[][]string) map[string]any {
	merged := maps.Clone(base)
	if merged == nil {
		merged = map[string]any{}
	}
	for name, value := range part {
		path := append(slices.Clone(prefix), name)
		inner, isMap := value.(map[string]any)
		was, wasMap := base[name].(map[string]any)
		if isMap && (wasMap || len(inner) > 0) {
			merged[name] = overlay(was, inner, path, fields)
			continue
		}
		merged[name] = value
		*fields = append(*fields, path)
	}
	return merged
}

// Exclusive returns the ports and the address that a Service asks for, and that no other Service can have.
func (m Manifest) Exclusive() []string {
	if m.APIVersion != "v1" || m.Kind != "Service" {
		return nil
	}
	var all []string
	add := func(field string, value any) {
		if text := fmt.Sprint(value); value != nil && text != "0" && text != "" && text != "None" {
			all = append(all, field+" "+text)
		}
	}
	spec, _, _ := unstructured.NestedMap(m.Object, "spec")
	ports, _ := spec["ports"].([]any)
	for _, item := range ports {
		port, _ := item.(map[string]any)
		add("nodePort", port["nodePort"])
	}
	add("nodePort", spec["healthCheckNodePort"])
	add("clusterIP", spec["clusterIP"])
	return all
}
