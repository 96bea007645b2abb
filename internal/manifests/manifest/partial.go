package manifest

import (
	"maps"
	"slices"
)

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
