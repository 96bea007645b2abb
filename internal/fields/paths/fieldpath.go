package paths

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// Path leads from the root of an object to a field, one element per step. The empty path is the
// object itself, which is never a member of a Set.
type Path = fieldpath.Path

// PathElement is one step: exactly one of FieldName, Key, Value and Index is set.
type PathElement = fieldpath.PathElement

// Set is a set of paths. A path may be a member without its parents or children.
type Set = fieldpath.Set

// NewSet returns the set of the given paths.
func NewSet(paths ...Path) *Set { return fieldpath.NewSet(paths...) }

// ParseSet reads the fieldsV1 of an entry of managedFields. Empty input is the empty set, and elements of a type that
// this version does not know are left out, as the API server does. ParseSet does not check for trailing data: the
// decoder of the entry has already done that.
func ParseSet(fieldsV1 []byte) (set *Set, err error) {
	if len(bytes.TrimSpace(fieldsV1)) == 0 {
		return NewSet(), nil
	}
	if depth(fieldsV1) > mostLevels {
		return nil, fmt.Errorf("fieldsV1 has more than %d levels", mostLevels)
	}
	defer recoverTo(&err, "fieldsV1")
	set = NewSet()
	if err := set.FromJSON(bytes.NewReader(fieldsV1)); err != nil {
		if !json.Valid(fieldsV1) {
			return nil, errors.New("fieldsV1 is not valid JSON")
		}
		return nil, errors.New("fieldsV1 is not a set of fields") // The library quotes what it read.
	}
	return set, nil
}

// mostLevels bounds the depth of fields. Paths are copied on each level, so the time for a set grows with its square,
// and no kind of Kubernetes is a tenth as deep.
const mostLevels = 500

// depth returns how deep the objects in JSON are nested.
func depth(text []byte) int {
	level, deepest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case quoted:
		case text[i] == '{':
			level++
			deepest = max(deepest, level)
		case text[i] == '}':
			level--
		}
	}
	return deepest
}

// MarshalSet returns the fieldsV1 that [ParseSet] reads. A nil set is the empty one.
func MarshalSet(set *Set) ([]byte, error) {
	if set == nil {
		set = NewSet()
	}
	return set.ToJSON()
}

// recoverTo turns a panic of the library, which trusts its input, into an error about subject.
func recoverTo(err *error, subject string) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("%s cannot be read: %v", subject, cause)
	}
}

// Field returns the element of a struct field or map key.
func Field(name string) PathElement { return PathElement{FieldName: &name} }

// FieldPath returns the path that leads through fields or map keys of these names.
func FieldPath(names ...string) Path {
	path := make(Path, len(names))
	for i, name := range names {
		path[i] = Field(name)
	}
	return path
}

// Index returns the element of a position in a list.
func Index(position int) PathElement { return PathElement{Index: &position} }

// Key returns the element of an item of an associative list. The values are scalars; numbers of every Go type are equal
// if their values are.
func Key(keys map[string]any) PathElement {
	fields := make(value.FieldList, 0, len(keys))
	for name, v := range keys {
		fields = append(fields, value.Field{Name: name, Value: value.NewValueInterface(plain(v))})
	}
	fields.Sort()
	return PathElement{Key: &fields}
}

// Value returns the element of a member of a set: as a rule a scalar, but atomic lists and maps are allowed.
func Value(member any) PathElement {
	v := value.NewValueInterface(plain(member))
	return PathElement{Value: &v}
}

// KeyFields returns the keys of a Key element as string, int64, float64, bool or nil, and nil for
// any other element. Whole numbers are int64, as in an unstructured object.
func KeyFields(pe PathElement) map[string]any {
	if pe.Key == nil {
		return nil
	}
	keys := make(map[string]any, len(*pe.Key))
	for _, field := range *pe.Key {
		keys[field.Name] = plain(field.Value.Unstructured())
	}
	return keys
}

// IsKeyField reports whether a path ends in a field that is part of the key of the list item around it.
func IsKeyField(path Path) bool {
	last := len(path) - 1
	if last < 1 || path[last].FieldName == nil {
		return false
	}
	_, isKey := keyField(path[last-1], *path[last].FieldName)
	return isKey
}

// keyField returns one of the keys of an element, and false if it does not have that key.
func keyField(pe PathElement, name string) (any, bool) {
	if pe.Key == nil {
		return nil, false
	}
	for _, field := range *pe.Key {
		if field.Name == name {
			return plain(field.Value.Unstructured()), true
		}
	}
	return nil, false
}

// eachKey visits the keys of an element by name. An element that is not a Key has no keys.
func eachKey(pe PathElement, visit func(name string, v any)) {
	if pe.Key == nil {
		return
	}
	for _, field := range *pe.Key {
		visit(field.Name, plain(field.Value.Unstructured()))
	}
}

// ElementValue returns the member that a Value element represents, in the types of KeyFields.
func ElementValue(pe PathElement) (any, bool) {
	if pe.Value == nil {
		return nil, false
	}
	return plain((*pe.Value).Unstructured()), true
}

// sameValue compares as the API server does: 1 equals 1.0 and not "1".
func sameValue(a, b any) bool {
	return value.Equals(value.NewValueInterface(plain(a)), value.NewValueInterface(plain(b)))
}

// ID returns a string that no other path has, for use as a map key or to be stored: the elements as in fieldsV1, joined
// by slashes; within an element ~ is ~0 and / is ~1, as in a JSON pointer.
func ID(p Path) string {
	var id []byte
	for _, pe := range p {
		id = appendID(id, pe)
	}
	return string(id)
}

// ElementID returns the ID of a path that has one element.
func ElementID(element PathElement) string { return ID(Path{element}) }

var escapeID = strings.NewReplacer("~", "~0", "/", "~1")
var unescapeID = strings.NewReplacer("~0", "~", "~1", "/")

func appendID(id []byte, pe PathElement) []byte {
	if len(id) > 0 {
		id = append(id, '/')
	}
	if pe.FieldName != nil && !strings.ContainsAny(*pe.FieldName, "~/") {
		return append(append(id, "f:"...), *pe.FieldName...)
	}
	text, _ := serialize(pe)
	return append(id, escapeID.Replace(text)...)
}

// serialize fails only for values that are not JSON, which no set of the API server contains.
func serialize(pe PathElement) (string, error) {
	if pe.FieldName != nil {
		return "f:" + *pe.FieldName, nil
	}
	return fieldpath.SerializePathElement(pe)
}

// ParseID returns the path whose [ID] is id.
func ParseID(id string) (p Path, err error) {
	if id == "" {
		return Path{}, nil
	}
	defer recoverTo(&err, "path ID")
	for text := range strings.SplitSeq(id, "/") {
		pe, err := deserialize(unescapeID.Replace(text))
		if err != nil {
			return nil, fmt.Errorf("path ID %q: element %q: %w", id, text, err)
		}
		p = append(p, pe)
	}
	return p, nil
}

func deserialize(text string) (PathElement, error) {
	pe, err := fieldpath.DeserializePathElement(text)
	if err != nil {
		return PathElement{}, err
	}
	// The library does not check what follows the value.
	if (pe.Key != nil || pe.Value != nil) && !json.Valid([]byte(text[2:])) {
		return PathElement{}, errors.New("not valid JSON")
	}
	return pe, nil
}
