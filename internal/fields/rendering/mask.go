package rendering

import (
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// MaskSet returns fields with digests instead of the secret values that paths hold: members of sets, and keys of list
// items. Equal sets stay equal.
func (r Renderer) MaskSet(fields *paths.Set) *paths.Set {
	if len(r.Sensitive) == 0 {
		return fields
	}
	masked := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) { masked.Insert(r.MaskPath(path)) })
	return masked
}

// MaskPath does what MaskSet does, for one path.
func (r Renderer) MaskPath(path paths.Path) paths.Path {
	at := r.Sensitive.Start()
	masked := path
	for i, element := range path {
		if at = at.Element(element); !at.Alive() {
			break
		}
		if !reveals(at, element) {
			continue
		}
		// Few paths have a secret in them, so the copy waits for the first one.
		if &masked[0] == &path[0] {
			masked = path.Copy()
		}
		masked[i] = r.maskElement(at, element)
	}
	return masked
}

func (r Renderer) maskElement(at paths.Cursor, element paths.PathElement) paths.PathElement {
	if member, isMember := paths.ElementValue(element); isMember {
		return paths.Value(r.maskValue(member))
	}
	keys := paths.KeyFields(element)
	for name, value := range keys {
		if at.Field(name).Matched() {
			keys[name] = r.maskValue(value)
		}
	}
	return paths.Key(keys)
}

// maskValue returns the digest of a value. A digest stays as it is: masking twice changes nothing.
func (r Renderer) maskValue(value any) any {
	if isDigest(value) {
		return value
	}
	return r.digest(value)
}

func isDigest(value any) bool {
	text, isText := value.(string)
	return isText && strings.HasPrefix(text, digestMark)
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	default:
		return true
	}
}

// MaskIDs returns values, which have the IDs of paths as keys, with the IDs of the masked paths as keys.
func (r Renderer) MaskIDs(values map[string]string) map[string]string {
	return r.renamed(values, r.MaskPath)
}

func (r Renderer) renamed(values map[string]string, rename func(paths.Path) paths.Path) map[string]string {
	if len(r.Sensitive) == 0 || len(values) == 0 {
		return values
	}
	renamed := make(map[string]string, len(values))
	for id, value := range values {
		path, err := paths.ParseID(id)
		if err != nil || len(path) == 0 {
			continue // Not one of our IDs.
		}
		renamed[paths.ID(rename(path))] = value
	}
	return renamed
}
