package manifest

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Equal says whether two manifests mean the same object: key order, comments, anchors, quoting and
// indentation aside. Numbers are equal only as the API server sees them: 1 and 1.0 are, "1" is not.
func Equal(a, b Manifest) bool { return reflect.DeepEqual(a.Object, b.Object) }

// EqualText is Equal for texts. Texts that do not parse are equal only when they are the same.
func EqualText(a, b string) bool {
	if a == b {
		return true
	}
	parsedA, err := Parse(a)
	if err != nil {
		return false
	}
	parsedB, err := Parse(b)
	return err == nil && Equal(parsedA, parsedB)
}

// Canonical is the JSON text of an object with sorted keys, indented by two spaces, in which <, > and &
// stand for themselves.
func Canonical(object map[string]any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(object)
	return strings.TrimSuffix(text.String(), "\n"), err
}
