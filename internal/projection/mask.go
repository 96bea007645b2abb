package projection

import (
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// MaskSet is fields with digests in the place of the secret values that paths hold: members of sets, and
// keys of list items. Two sets that are equal stay so.
func (r Renderer) MaskSet(fields *paths.Set) *paths.Set {
	if len(r.Sensitive) == 0 {
		return fields
	}
	masked := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) { masked.Insert(r.MaskPath(path)) })
	return masked
}

// MaskPath is MaskSet for one path.
func (r Renderer) MaskPath(path paths.Path) paths.Path {
	at := r.Sensitive.Start()
	masked := path
	for i, element := range path {
		if at = at.Element(element); !reveals(at, element) {
			continue
		}
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

// maskValue leaves digests as they are: an item that was masked before stays what it is.
func (r Renderer) maskValue(value any) any {
	if text, isText := value.(string); isText && strings.HasPrefix(text, digestMark) {
		return value
	}
	return r.secretText(value)
}

// RecognizeSet undoes MaskSet for the list items that object has; items that it does not have stay digests.
func (r Renderer) RecognizeSet(masked *paths.Set, object map[string]any) *paths.Set {
	if len(r.Sensitive) == 0 {
		return masked
	}
	fields := paths.NewSet()
	paths.Walk(masked, func(path paths.Path, _ bool) { fields.Insert(r.RecognizePath(path, object)) })
	return fields
}

// RecognizePath is RecognizeSet for one path.
func (r Renderer) RecognizePath(masked paths.Path, object map[string]any) paths.Path {
	path := masked.Copy()
	before, at := r.Sensitive.Start(), root(object)
	for i, element := range masked {
		if list, isList := at.value.([]any); isList {
			path[i] = r.recognizeElement(before, element, list)
		}
		before, at = before.Element(path[i]), childrenOf(at).get(path[i])
	}
	return path
}

func (r Renderer) recognizeElement(before paths.Cursor, masked paths.PathElement, list []any) paths.PathElement {
	keys := paths.KeyFields(masked)
	for _, item := range list {
		candidate := paths.Value(item)
		if keys != nil {
			candidate = keyLike(keys, item)
		}
		at := before.Element(candidate)
		if reveals(at, candidate) && r.maskElement(at, candidate).Equals(masked) {
			return candidate
		}
	}
	return masked
}

// keyLike is an item's element by the keys named; the keys that it lacks are as they are in keys.
func keyLike(keys map[string]any, item any) paths.PathElement {
	fields, _ := item.(map[string]any)
	own := make(map[string]any, len(keys))
	for name, value := range keys {
		own[name] = value
		if has, is := fields[name]; is && isScalar(has) {
			own[name] = has
		}
	}
	return paths.Key(own)
}

func isScalar(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return false
	default:
		return true
	}
}

// MaskIDs is values, which are by paths.ID, by the IDs of masked paths.
func (r Renderer) MaskIDs(values map[string]string) map[string]string {
	return r.renamed(values, r.MaskPath)
}

// RecognizeIDs undoes MaskIDs for the list items that object has.
func (r Renderer) RecognizeIDs(values map[string]string, object map[string]any) map[string]string {
	return r.renamed(values, func(path paths.Path) paths.Path { return r.RecognizePath(path, object) })
}

func (r Renderer) renamed(values map[string]string, rename func(paths.Path) paths.Path) map[string]string {
	if len(r.Sensitive) == 0 {
		return values
	}
	renamed := make(map[string]string, len(values))
	for id, value := range values {
		path, err := paths.ParseID(id)
		if err != nil || len(path) == 0 {
			continue // No ID of ours.
		}
		renamed[paths.ID(rename(path))] = value
	}
	return renamed
}
