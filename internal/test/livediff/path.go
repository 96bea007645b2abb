package livediff

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Path is a field as fieldsV1 of managedFields writes it: f:NAME, k:{KEYS} for an item of a list, v:VALUE for a
// member of a set.
type Path []string

// Texts returns the forms in which the provider may print a path: with all names bare, and with those names quoted that
// contain characters other than letters, digits and hyphens.
func (p Path) Texts() []string {
	var bare, quoted strings.Builder
	for i, element := range p {
		if name, isField := strings.CutPrefix(element, "f:"); isField {
			if i > 0 {
				bare.WriteByte('.')
			}
			bare.WriteString(name)
			switch {
			case strings.ContainsAny(name, `./[]"=*`):
				quoted.WriteString("[" + strconv.Quote(name) + "]")
			case i > 0:
				quoted.WriteString("." + name)
			default:
				quoted.WriteString(name)
			}
			continue
		}
		text := selector(element)
		bare.WriteString(text)
		quoted.WriteString(text)
	}
	return slices.Compact([]string{bare.String(), quoted.String()})
}

func (p Path) String() string { return p.Texts()[0] }

// HasPrefix reports whether p is at or below a path.
func (p Path) HasPrefix(above Path) bool {
	return len(above) <= len(p) && slices.Equal(p[:len(above)], above)
}

func (p Path) child(element string) Path { return append(slices.Clip(p), element) }

// selector returns [name="app"] for k:{"name":"app"} and [="red"] for v:"red".
func selector(element string) string {
	if value, isMember := strings.CutPrefix(element, "v:"); isMember {
		return "[=" + value + "]"
	}
	keys := keysOf(element)
	if keys == nil {
		return "[" + element[2:] + "]"
	}
	parts := make([]string, 0, len(keys))
	for _, name := range sortedNames(keys) {
		parts = append(parts, name+"="+encode(keys[name]))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// keysOf returns the keys of an element of the form k:{...}, nil for any other.
func keysOf(element string) map[string]any {
	text, isItem := strings.CutPrefix(element, "k:")
	if !isItem {
		return nil
	}
	var keys map[string]any
	if json.Unmarshal([]byte(text), &keys) != nil {
		return nil
	}
	return keys
}

// encode returns JSON with sorted keys, which does not escape <, > and &.
func encode(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func sortedNames[V any](values map[string]V) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
