package intents

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// UnmatchedPattern is a pattern of the configuration that covers nothing.
type UnmatchedPattern struct {
	Text string
	// Translated is the text to write instead where the pattern is of another path language; "" where it is not.
	Translated string
	// Nearest are the texts of fields that exist and may have been meant, best first.
	Nearest []string
}

// ExplainUnmatched returns the patterns that match nothing in the manifest, in the live object or in what
// anybody owns, each with similar paths.
func (i Intent) ExplainUnmatched(patterns paths.Patterns, live map[string]any, known *paths.Set) []UnmatchedPattern {
	var unmatched []UnmatchedPattern
	var existing []string
	for _, text := range i.unmatched(patterns, live, known) {
		pattern := UnmatchedPattern{Text: text, Translated: i.translated(text, live, known)}
		if pattern.Translated == "" {
			if existing == nil {
				existing = fieldTexts(known, i.Renderer(i.Manifest.Identity, record.Snapshot{}).Names(paths.NewFormatter(known)))
			}
			pattern.Nearest = paths.Nearest(text, existing)
		}
		unmatched = append(unmatched, pattern)
	}
	return unmatched
}

// translated returns what a text of another path language reads in ours: the reading that covers something,
// else the first one.
func (i Intent) translated(text string, live map[string]any, known *paths.Set) string {
	readings := paths.Translate(text)
	for _, reading := range readings {
		if len(i.unmatched(record.PatternsOf([]string{reading}), live, known)) == 0 {
			return reading
		}
	}
	if len(readings) == 0 || readings[0] == text {
		return ""
	}
	return readings[0]
}

// fieldTexts returns the texts of all fields of a set and of the fields that they are part of.
func fieldTexts(known *paths.Set, names rendering.Formatter) []string {
	var texts []string
	var visit func(set *paths.Set, above paths.Path)
	visit = func(set *paths.Set, above paths.Path) {
		for _, part := range paths.Parts(set) {
			path := paths.Below(above, part.Element)
			texts = append(texts, names.Format(path))
			visit(part.Below, path)
		}
	}
	visit(known, nil)
	cluster.SortUnique(&texts)
	return texts
}

// unmatched returns those of patterns that cover nothing in the manifest, in the live object or in what anybody
// owns.
func (i Intent) unmatched(patterns paths.Patterns, live map[string]any, known *paths.Set) []string {
	matched := map[int]bool{}
	for _, object := range []map[string]any{i.Manifest.Object, live} {
		for _, index := range projection.SplitBody(object, patterns, known).Matched {
			matched[index] = true
		}
	}
	_, covered := projection.Covered(known, patterns, i.Manifest.Object)
	for _, index := range covered {
		matched[index] = true
	}
	var unmatched []string
	for index, pattern := range patterns {
		if !matched[index] {
			unmatched = append(unmatched, pattern.String())
		}
	}
	return unmatched
}
