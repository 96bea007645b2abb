package rendering

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// cursorAt returns the cursor of the sensitive patterns at path.
func (r Renderer) cursorAt(path paths.Path) paths.Cursor { return cursorOf(r.Sensitive, path) }

// cursorOf returns the cursor of patterns at path.
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
