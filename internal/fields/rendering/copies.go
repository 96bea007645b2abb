package rendering

import (
	"fmt"
	"index/suffixarray"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

var lastApplied = paths.FieldPath("metadata", "annotations", corev1.LastAppliedConfigAnnotation)

// copyPatterns cover the annotations in which tools are known to keep a copy of an object, that of kubectl apply first.
var copyPatterns, _ = paths.ParseAll([]string{
	paths.Format(lastApplied), `metadata.annotations["kapp.k14s.io/original"]`,
	`metadata.annotations["objectset.rio.cattle.io/applied"]`, `metadata.annotations["banzaicloud.com/last-applied"]`,
})

// copyNames are the names, without their prefix, of annotations in which tools keep a copy of the object: kubectl,
// kapp, Rancher and Banzai Cloud, for example. A copy may be older than the values of the object.
var copyNames = []string{"last-applied-configuration", "last-applied-config", "last-applied", "original", "applied"}

// copied returns the patterns of the annotations and labels that have secret values in them.
func (r Renderer) copied() paths.Patterns {
	if len(r.Copied) == 0 {
		return copyPatterns[:1]
	}
	return slices.Concat(copyPatterns[:1], r.Copied)
}

// holdsCopy reports whether the value at path is a copy of secret values, or contains one.
func (r Renderer) holdsCopy(path paths.Path, value any) bool {
	if !r.HasSecrets() || len(path) == 0 || path[0].FieldName == nil || *path[0].FieldName != "metadata" {
		return false
	}
	return holds(cursorOf(r.copied(), path), value)
}

// Knowing returns the renderer, which then also hides the annotations and labels of object that contain secret values.
func (r Renderer) Knowing(object map[string]any) Renderer {
	for _, path := range r.CopiesIn(object) {
		if r.holdsCopy(path, nil) {
			continue
		}
		if pattern, err := paths.Parse(paths.Format(path)); err == nil {
			r.Copied = append(slices.Clip(r.Copied), pattern)
		}
	}
	return r
}

// CopiesIn returns the annotations and labels of an object that contain secret values of it, sorted: those that quote a
// value, plain, in base64 or escaped as in JSON, those that are a manifest with secret fields, also in base64 or
// compressed, and those in which tools are known to keep a manifest. It does not look at annotations that are
// themselves sensitive. Its cost grows with the size of the object, and it looks at nothing without secrets.
func (r Renderer) CopiesIn(object map[string]any) []paths.Path {
	metadata, _ := object["metadata"].(map[string]any)
	if !r.HasSecrets() || metadata == nil {
		return nil
	}
	search := copySearch{renderer: r, object: object}
	var found []paths.Path
	for _, kind := range []struct {
		field string
		holds func(name, text string) bool
	}{{"annotations", search.isCopy}, {"labels", search.isLabelCopy}} {
		values, _ := metadata[kind.field].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			text, _ := values[name].(string)
			path := paths.FieldPath("metadata", kind.field, name)
			if !r.cursorAt(path).Matched() && kind.holds(name, text) {
				found = append(found, path)
			}
		}
	}
	return found
}

// WithoutCopies returns an object in which instead replaces each annotation and label that contains a secret value;
// null leaves them out. object is not mutated.
func (r Renderer) WithoutCopies(object map[string]any, instead any) map[string]any {
	copies := r.CopiesIn(object)
	if len(copies) == 0 {
		return object
	}
	object = maps.Clone(object)
	metadata, _ := object["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	object["metadata"] = metadata
	cloned := map[string]map[string]any{}
	for _, path := range copies {
		field, name := *path[1].FieldName, *path[2].FieldName
		if cloned[field] == nil {
			values, _ := metadata[field].(map[string]any)
			cloned[field] = maps.Clone(values)
			metadata[field] = cloned[field]
		}
		if cloned[field][name] = instead; instead == nil {
			delete(cloned[field], name)
		}
	}
	return object
}

const (
	// leastQuoted is the length in bytes from which on a secret value counts as quoted if it is a whole word, telling
	// the one from which on it counts anywhere.
	leastQuoted = 4
	// leastInLabel is that length for labels, with which objects are selected: they often are ordinary words.
	leastInLabel = 12
)

// copySearch looks for copies of the secret values of one object. It collects the values when it first needs them.
type copySearch struct {
	renderer Renderer
	object   map[string]any
	values   *Secrets
}

// isCopy reports whether an annotation contains secret values.
func (s *copySearch) isCopy(name, text string) bool {
	if slices.Contains(copyNames, name[strings.LastIndex(name, "/")+1:]) {
		return true
	}
	return slices.ContainsFunc(unpacked(text), func(view string) bool {
		return view == tooLarge || s.renderer.isManifest(view) || s.quotes(view, leastQuoted)
	})
}

// isLabelCopy reports whether a label is a secret value as the object stores it, or contains a long one.
func (s *copySearch) isLabelCopy(_, text string) bool {
	if len(text) < leastQuoted {
		return false
	}
	isLong := s.quotes(text, leastInLabel)
	return isLong || slices.Contains(s.values.stored, text)
}

// quotes reports whether a string contains a secret value of at least some length. The name of the object does not
// count as a secret value.
func (s *copySearch) quotes(text string, least int) bool {
	if s.values == nil {
		metadata, _ := s.object["metadata"].(map[string]any)
		named := fmt.Sprintln(s.object["apiVersion"], s.object["kind"], metadata["namespace"], metadata["name"])
		values := s.renderer.Secrets(strings.TrimSpace(named), s.object)
		s.values = &values
	}
	return s.values.areIn(text, least)
}

// areIn reports whether a string has one of the values that are at least of some length.
func (s Secrets) areIn(text string, least int) bool {
	if least < telling {
		for word := range strings.FieldsFuncSeq(text, isBetweenWords) {
			if _, is := slices.BinarySearchFunc(s.words, word, longestFirst); is && len(word) >= least {
				return true
			}
		}
	}
	isIn := func(form string) bool { return len(form) >= max(least, telling) && strings.Contains(text, form) }
	if slices.ContainsFunc(s.words, isIn) {
		return true
	}
	if len(s.texts) == 0 || len(text) < telling {
		return false
	}
	// A search of the text for each value would cost their product.
	index := suffixarray.New([]byte(text))
	return slices.ContainsFunc(s.texts, func(form string) bool {
		return len(form) >= least && len(form) <= len(text) && len(index.Lookup([]byte(form), 1)) > 0
	})
}

// isBetweenWords reports whether a character separates values in strings that people and programs write.
func isBetweenWords(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,;:=()[]{}<>\\/|@&?#", r) }

// ordinary are words that are too common to reveal a secret with this value.
var ordinary = []string{"true", "false", "null", "none", "default"}

// eachSecret visits the secret scalars of a value as strings; at is the cursor of the sensitive patterns at the value.
func (r Renderer) eachSecret(at paths.Cursor, secret bool, value any, visit func(text string)) {
	secret = secret || at.Matched()
	if !secret && !at.Alive() {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			r.eachSecret(at.Field(name), secret, part, visit)
		}
	case []any:
		for i, item := range value {
			r.eachSecret(at.Item(paths.Item{Index: i, Value: item}), secret, item, visit)
		}
	case nil, bool:
	default:
		if secret {
			visit(Plain(value))
		}
	}
}

// holdsSecretFields reports whether a decoded manifest of the object, or a part of it, has values in secret fields.
func (r Renderer) holdsSecretFields(document any, depth int) bool {
	switch value := document.(type) {
	case map[string]any:
		if r.hasSecretFields(value) {
			return true
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if depth > 0 && r.holdsSecretFields(value[name], depth-1) {
				return true
			}
		}
	case []any:
		return depth > 0 && slices.ContainsFunc(value, func(item any) bool {
			return r.holdsSecretFields(item, depth-1)
		})
	case string:
		return depth > 0 && strings.HasPrefix(strings.TrimSpace(value), "{") &&
			r.holdsSecretFields(decoded(value), depth-1)
	}
	return false
}

func (r Renderer) hasSecretFields(object map[string]any) bool {
	for name, value := range object {
		if values, isMap := value.(map[string]any); r.Secret && manifest.IsSecretField(name) && isMap &&
			len(values) > 0 {
			return true
		}
		at := r.Sensitive.Start().Field(name)
		if name != "apiVersion" && name != "kind" && value != nil && holds(at, value) {
			return true
		}
	}
	return false
}

// nested is how many maps and lists may be around a manifest in an annotation.
const nested = 4

// isManifest reports whether a string is YAML or JSON with values in secret fields of the object.
func (r Renderer) isManifest(text string) bool {
	if !strings.Contains(text, ":") || !strings.ContainsAny(text, "{\n") || strings.ContainsRune(text, 0) {
		return false
	}
	return r.holdsSecretFields(decoded(text), nested)
}
