package manifest

import (
	"errors"
	"maps"
	"regexp"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// Partial is a part of a manifest, which Overlay merges into a whole one.
type Partial map[string]any

// ParsePartial reads a text that holds one YAML (or JSON) document with any fields of an object. The text
// is secret: an *Error names a line of it and quotes nothing.
func ParsePartial(text string) (Partial, error) {
	root, err := onlyDocument(text)
	if err == nil {
		err = checkNode(root)
	}
	if err != nil {
		return nil, unquoted(err)
	}
	asJSON, err := yaml.YAMLToJSON([]byte(blankBefore(text, root)))
	if err != nil {
		return nil, unquoted(err)
	}
	var decoded any
	if err := utiljson.Unmarshal(asJSON, &decoded); err != nil {
		return nil, &Error{
			Problem:    "the text has a value that JSON cannot represent",
			Suggestion: "Use strings, numbers, booleans, lists and maps with string keys.",
		}
	}
	object, isMap := decoded.(map[string]any)
	if !isMap {
		return nil, &Error{
			Problem:    "the document is " + Describe(decoded) + ", not an object",
			Suggestion: "Write the fields to add as in the manifest, for example yamlencode({ data = { ... } }).",
		}
	}
	return object, nil
}

var lineOf = regexp.MustCompile(`line \d+`)

// unquoted returns a fault of a secret text with its line and nothing else.
func unquoted(err error) *Error {
	var fault *Error
	if errors.As(err, &fault) && !fault.quoting {
		return fault
	}
	where := ""
	if line := lineOf.FindString(err.Error()); line != "" {
		where = " in " + line
	}
	return &Error{
		Problem:    "the text is not one valid YAML document" + where,
		Suggestion: "Correct the text; yamlencode({...}) always writes valid YAML.",
	}
}

// Overlay returns m with the fields of part: maps are merged, everything else replaces what was there. The
// second result are the fields that come from part, as names that lead to them, sorted. A part that names
// another object is an *Error. Nothing is mutated.
func (m Manifest) Overlay(part Partial) (Manifest, [][]string, error) {
	rest := maps.Clone(part)
	if m.IsSecret() {
		rest = StringDataAsData(rest)
	}
	for _, own := range []struct{ name, value string }{{"apiVersion", m.APIVersion}, {"kind", m.Kind}} {
		if value, has := rest[own.name]; has && value != own.value {
			return m, nil, otherObject(own.name)
		}
		delete(rest, own.name)
	}
	if metadata, has := rest["metadata"].(map[string]any); has {
		kept := maps.Clone(metadata)
		for _, own := range []struct{ name, value string }{{"name", m.Name}, {"namespace", m.Namespace}} {
			if value, has := kept[own.name]; has && value != own.value {
				return m, nil, otherObject("metadata." + own.name)
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
	merged.Dropped = slices.Concat(m.Dropped, merged.Dropped)
	return merged, fields, err
}

func otherObject(field string) *Error {
	return &Error{
		Problem:    field + " is not the same as in yaml_body",
		Suggestion: "Leave out apiVersion, kind, metadata.name and metadata.namespace.",
	}
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
