package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Equal reports whether two manifests describe the same object. It ignores key order, comments, anchors, quoting and
// indentation. Numbers are equal only as the API server sees them: 1 and 1.0 are, "1" is not.
func Equal(a, b Manifest) bool { return equal(a.Object, b.Object) }

// equal compares decoded values.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		other, isMap := b.(map[string]any)
		return isMap && maps.EqualFunc(a, other, equal)
	case []any:
		other, isList := b.([]any)
		return isList && slices.EqualFunc(a, other, equal)
	default:
		return a == b
	}
}

// IsText reports whether a string means the same object as m. It does not parse a string that is m's own.
func (m Manifest) IsText(text string) bool {
	if m.Text == text {
		return m.Text != ""
	}
	parsed, err := Parse(text)
	return err == nil && Equal(m, parsed)
}

// EqualText reports whether two strings mean the same object. Strings that do not parse are equal only when they are
// the same.
func EqualText(a, b string) bool {
	if a == b {
		return true
	}
	parsed, err := Parse(a)
	return err == nil && parsed.IsText(b)
}

// Canonical returns the JSON string of an object with sorted keys, indented by two spaces. It does not escape <, > and
// &.
func Canonical(object map[string]any) (string, error) { return encode(object, "  ") }

// Compact does what Canonical does, on one line.
func Compact(object map[string]any) (string, error) { return encode(object, "") }

func encode(object map[string]any, indent string) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(object)
	return strings.TrimSuffix(text.String(), "\n"), err
}
