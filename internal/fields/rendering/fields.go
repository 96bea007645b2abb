package rendering

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

var (
	// fieldPart matches the next part of a field as the API server writes it: a name, or what is in brackets.
	fieldPart = regexp.MustCompile(`^(?:\.?[^.\[]+|\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\])`)
	// fieldName matches what may be the name of a field. Other names are keys of maps.
	fieldName = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)
	// itemKey matches a key of a list item.
	itemKey = regexp.MustCompile(`([A-Za-z][\w.-]*)=("(?:[^"\\]|\\.)*"|[^,\]]*)`)
)

// Field returns what may be shown of a field that the API server names, or of the string of a pattern, if sensitive
// covers the secret fields. It ends before a list item whose key is secret, and below a sensitive field at a name that
// the kind does not define. unknown is true if the kind does not define the field.
func Field(sensitive paths.Patterns, field string, unknown bool) string {
	at, rest := sensitive.Start(), field
	for at.Alive() && rest != "" {
		part := fieldPart.FindString(rest)
		shown := field[:len(field)-len(rest)]
		name := strings.TrimPrefix(part, ".")
		element, isItem := itemOf(part)
		switch {
		case part == "" || strings.HasPrefix(part, "[="):
			return shown
		case isItem:
			if at = at.Element(element); reveals(at, element) {
				return shown
			}
		case at.Matched() && (unknown || !fieldName.MatchString(name)):
			return shown + "." + Redacted
		default:
			at = at.Field(strings.Trim(name, `["]`))
		}
		rest = rest[len(part):]
	}
	return field
}

// itemOf returns the list item that a part in brackets names: by its position, or by its keys.
func itemOf(part string) (paths.PathElement, bool) {
	inside, is := strings.CutPrefix(part, "[")
	if !is {
		return paths.PathElement{}, false
	}
	if index, err := strconv.Atoi(strings.TrimSuffix(inside, "]")); err == nil || inside == "*]" {
		return paths.Index(index), true
	}
	keys := map[string]any{}
	for _, key := range itemKey.FindAllStringSubmatch(inside, -1) {
		var value any
		if json.Unmarshal([]byte(key[2]), &value) != nil {
			value = key[2]
		}
		keys[key[1]] = value
	}
	return paths.Key(keys), len(keys) > 0 && !strings.HasPrefix(inside, `"`)
}
