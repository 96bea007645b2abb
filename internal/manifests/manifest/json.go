package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/sets"
	kjson "sigs.k8s.io/json"
)

// asYAML returns a string that is JSON as YAML of the same lines. YAML reads most JSON, and not its escapes of slashes
// and of surrogate pairs, tabs between values, and characters that YAML does not allow or takes for the end of a line.
// Other strings are returned as they are.
func asYAML(text string) string {
	if !isJSON(text) {
		return text
	}
	var out strings.Builder
	quoted := false
	for at := 0; at < len(text); {
		char, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case char == '"':
			quoted = !quoted
			out.WriteByte('"')
		case !quoted && char == '\t':
			out.WriteByte(' ')
		case quoted && char == '\\':
			escape := escapeIn(text[at:])
			size = len(escape)
			out.WriteString(escapeInYAML(escape))
		case quoted && isSpecial(char):
			fmt.Fprintf(&out, `\u%04x`, char)
		default:
			out.WriteString(text[at : at+size])
		}
		at += size
	}
	return out.String()
}

// jsonObject returns the object of a string that is JSON, which is read ten times faster than YAML. It returns nil for
// other strings, and for JSON about which there is something to report or to convert: a key that is there twice, or a
// number that is not an integer of 64 bits.
func jsonObject(text string) map[string]any {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") || !utf8.ValidString(text) {
		return nil
	}
	var object map[string]any
	if twice, err := kjson.UnmarshalStrict([]byte(text), &object); err != nil || len(twice) > 0 || hasFloat(object) {
		return nil
	}
	return object
}

// hasFloat reports whether a decoded value is or contains a float64.
func hasFloat(value any) bool {
	switch value := value.(type) {
	case float64:
		return true
	case map[string]any:
		for _, inner := range value {
			if hasFloat(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, hasFloat)
	}
	return false
}

// isJSON reports whether a string is one JSON value that is an object or a list.
func isJSON(text string) bool {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	return strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed)) ||
		strings.HasPrefix(trimmed, "[") && json.Valid([]byte(trimmed))
}

// jsonValues returns the JSON objects of a string that has nothing but several of them; nil for other strings.
func jsonValues(text string) []string {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	var values []string
	for start := int64(0); decoder.More(); start = decoder.InputOffset() {
		var value json.RawMessage
		if decoder.Decode(&value) != nil || value[0] != '{' {
			return nil
		}
		values = append(values, text[start:decoder.InputOffset()])
	}
	if len(values) < 2 {
		return nil
	}
	return values
}

// surrogatePair is the length of two escapes that are one character.
const surrogatePair = len(`\ud83d\ude80`)

// escapeIn returns the escape at the beginning of a string that is valid JSON: two escapes if they are one character.
func escapeIn(text string) string {
	if text[1] != 'u' {
		return text[:2]
	}
	if len(text) >= surrogatePair && utf16.IsSurrogate(unescaped(text)) &&
		strings.HasPrefix(text[surrogatePair/2:], `\u`) &&
		utf16.DecodeRune(unescaped(text), unescaped(text[surrogatePair/2:])) != utf8.RuneError {
		return text[:surrogatePair]
	}
	return text[:surrogatePair/2]
}

func escapeInYAML(escape string) string {
	switch {
	case escape == `\/`:
		return "/"
	case len(escape) == surrogatePair:
		return string(utf16.DecodeRune(unescaped(escape), unescaped(escape[surrogatePair/2:])))
	case escape[1] == 'u' && utf16.IsSurrogate(unescaped(escape)):
		return `\ufffd` // As every reader of JSON in Go has it.
	}
	return escape
}

// unescaped returns the number of an escape of a character, \u00e9 for example.
func unescaped(escape string) rune {
	var char rune
	_, _ = fmt.Sscanf(escape[2:6], "%04x", &char)
	return char
}

// isSpecial reports whether YAML does not allow a character in a string, or takes it for the end of a line.
func isSpecial(char rune) bool {
	switch char {
	case 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff:
		return true
	}
	return char >= 0x7f && char < 0xa0
}

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

// stringMaps are the names of maps of strings. The API server reads null in them as an empty string.
var stringMaps = []string{
	"annotations", "binaryData", "data", "labels", "matchLabels", "nodeSelector", "selector", "stringData",
}

// withoutNulls returns an object without the entries of maps that are null. The Go types of the API server know no
// null: it drops them, but records a claim on the field. They stay in custom resources outside of metadata, and in
// fields of arbitrary JSON: a schema may allow them there. They stay in maps of strings and in lists, too. object is
// not mutated.
func withoutNulls(object map[string]any, apiVersion, kind string) map[string]any {
	keeps := func(path []string) bool { return path[0] != "metadata" }
	group, _, hasGroup := strings.Cut(apiVersion, "/")
	if !hasGroup || IsBuiltinGroup(group) {
		keeps = func(path []string) bool { return isArbitraryJSON(kind, path) }
	}
	pruned, _ := prune(object, nil, keeps)
	fields, _ := pruned.(map[string]any)
	return fields
}

// isArbitraryJSON reports whether a field of a built-in kind holds any JSON, null included.
func isArbitraryJSON(kind string, path []string) bool {
	switch kind {
	case "CustomResourceDefinition":
		return slices.Equal(path, []string{"spec", "versions", "schema"})
	case "ControllerRevision":
		return len(path) == 1 && path[0] == "data"
	}
	// The parameters of a driver, in the kinds of resource.k8s.io.
	return len(path) > 2 && path[len(path)-1] == "parameters" && path[len(path)-2] == "opaque"
}

// prune returns value without the entries of maps that are null, except below the paths that keeps accepts, and
// whether that is another value. Paths are names; the items of a list have that of the list.
func prune(value any, path []string, keeps func(path []string) bool) (pruned any, isOther bool) {
	switch value := value.(type) {
	case map[string]any:
		rest := value
		for name, entry := range value {
			at := slices.Concat(path, []string{name})
			if keeps(at) || entry == nil && len(path) > 0 && slices.Contains(stringMaps, path[len(path)-1]) {
				continue
			}
			kept, changed := prune(entry, at, keeps)
			if entry != nil && !changed {
				continue
			}
			if !isOther {
				rest, isOther = maps.Clone(value), true
			}
			if rest[name] = kept; entry == nil {
				delete(rest, name)
			}
		}
		return rest, isOther
	case []any:
		rest := value
		for i, item := range value {
			kept, changed := prune(item, path, keeps)
			if !changed {
				continue
			}
			if !isOther {
				rest, isOther = slices.Clone(value), true
			}
			rest[i] = kept
		}
		return rest, isOther
	}
	return value, false
}

// builtinGroups are the API groups with a dot in their name that kube-apiserver serves itself.
var builtinGroups = sets.New(
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apidiscovery.k8s.io",
	"authentication.k8s.io", "authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io",
	"events.k8s.io", "flowcontrol.apiserver.k8s.io", "internal.apiserver.k8s.io", "lifecycle.k8s.io",
	"networking.k8s.io", "node.k8s.io", "rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io",
	"storage.k8s.io", "storagemigration.k8s.io",
)

// IsBuiltinGroup reports whether a group is kube-apiserver's own: no CustomResourceDefinition can add a kind to it. The
// group of a CustomResourceDefinition contains at least one dot. Groups without one ("", apps, batch) are therefore
// built in, in every version of the server.
func IsBuiltinGroup(group string) bool {
	return !strings.Contains(group, ".") || builtinGroups.Has(group)
}
