package rendering

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

func (r Renderer) cursorAt(path paths.Path) paths.Cursor { return cursorOf(r.Sensitive, path) }

func cursorOf(patterns paths.Patterns, path paths.Path) paths.Cursor {
	at := patterns.Start()
	for _, element := range path {
		if !at.Alive() {
			break
		}
		at = at.Element(element)
	}
	return at
}

// holdsSecret reports whether the value at path is secret, or has a secret part. An empty map or list is not a
// secret.
func (r Renderer) holdsSecret(path paths.Path, value any) bool {
	if value == nil || projection.IsEmptyCollection(value) {
		return false
	}
	at := r.cursorAt(path)
	return r.isSecret(path, at) || holds(at, value) || r.holdsCopy(path, value)
}

// holdsWriteOnly reports whether the value at path is write-only, or has a write-only part. A copy of an object that
// has write-only values counts, because it may contain them.
func (r Renderer) holdsWriteOnly(path paths.Path, value any) bool {
	return len(r.WriteOnly) > 0 && (holds(cursorOf(r.WriteOnly, path), value) || r.holdsCopy(path, value))
}

// holds reports whether the sensitive patterns cover a value or a part of it; at is their cursor at the value.
func holds(at paths.Cursor, value any) bool {
	if at.Matched() || !at.Alive() {
		return at.Matched()
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			if holds(at.Field(name), part) {
				return true
			}
		}
	case []any:
		for i, item := range value {
			if holds(at.Item(paths.Item{Index: i, Value: item}), item) {
				return true
			}
		}
	}
	return false
}

// RedactedPath returns the part of path that may be shown. If the string of a list item would tell a secret value, it
// ends at the field that holds the list. It also does so if path contains the digest of that value.
func (r Renderer) RedactedPath(path paths.Path) paths.Path {
	if len(r.Sensitive) == 0 {
		return path
	}
	at := r.Sensitive.Start()
	for i, element := range path {
		if at.Alive() {
			at = at.Element(element)
		}
		if reveals(at, element) || isMasked(element) {
			return path[:i]
		}
	}
	return path
}

// isMasked reports whether an element contains a digest instead of a secret value. A pattern with the key of an item
// does not match the digest of that key.
func isMasked(element paths.PathElement) bool {
	if member, isMember := paths.ElementValue(element); isMember {
		return isDigest(member)
	}
	for _, value := range paths.KeyFields(element) {
		if isDigest(value) {
			return true
		}
	}
	return false
}

// reveals reports whether an element itself holds a secret value; at is the cursor of the patterns at the element.
func reveals(at paths.Cursor, element paths.PathElement) bool {
	if !at.Alive() {
		return false
	}
	if member, isMember := paths.ElementValue(element); isMember {
		return holds(at, member)
	}
	for name := range paths.KeyFields(element) {
		if at.Field(name).Matched() {
			return true
		}
	}
	return false
}

// Hides reports whether a field tells a secret: by its value, by a part of its value, or by its path.
func (r Renderer) Hides(path paths.Path, value any) bool {
	return r.holdsSecret(path, value) || len(r.RedactedPath(path)) < len(path)
}

// Formatter writes paths as strings.
type Formatter interface {
	Format(path paths.Path) string
}

// Names returns a formatter whose strings tell no secret.
func (r Renderer) Names(formatter Formatter) Formatter { return names{r, formatter} }

type names struct {
	renderer  Renderer
	formatter Formatter
}

// Format returns the string of the part of path that may be shown.
func (n names) Format(path paths.Path) string {
	return n.formatter.Format(n.renderer.RedactedPath(path))
}

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
	return shownField(sensitive, field, func(name string) bool { return unknown || !fieldName.MatchString(name) })
}

// OwnedField returns what may be shown of a field that a manager owns: attributes show the names of its parts, too. It
// ends before a list item whose key is secret.
func OwnedField(sensitive paths.Patterns, field string) string {
	return shownField(sensitive, field, func(string) bool { return false })
}

// shownField returns the part of a field before what is secret. hides reports whether a name below a sensitive field
// is.
func shownField(sensitive paths.Patterns, field string, hides func(name string) bool) string {
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
		case at.Matched() && hides(name):
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
