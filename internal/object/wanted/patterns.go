package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Unmatched are the patterns of the configuration that cover nothing.
type Unmatched struct {
	// Ignored are those of ignore_fields, and Sensitive those of sensitive_fields.
	Ignored, Sensitive []UnmatchedPattern
	// Pins are the strings of those of pin_fields: the object has no value for them yet.
	Pins []string
}

// Unmatched compares the patterns with the object that an apply leaves. known are the fields of all managers, and
// claims those after the apply.
func (w Wanted) Unmatched(object map[string]any, known *paths.Set, claims ownership.Claims) Unmatched {
	return Unmatched{
		Ignored: unmatched(w, w.Ignore, object, known), Sensitive: unmatched(w, w.Sensitive.Cautious(), object, known),
		Pins: w.unseenPins(object, claims),
	}
}

// UnmatchedPattern is a pattern of the configuration that covers nothing.
type UnmatchedPattern struct {
	Text string
	// Translated is the string to write instead if the pattern is in another path language; "" otherwise.
	Translated string
	// Nearest are the strings of fields that exist and may have been meant, best first.
	Nearest []string
}

// unmatched returns the patterns that match nothing in the manifest, in the live object or among the owned fields, each
// with similar paths.
func unmatched(w Wanted, patterns paths.Patterns, live map[string]any, known *paths.Set) []UnmatchedPattern {
	var all []UnmatchedPattern
	var existing []string
	in := matcher{objects: []map[string]any{w.Keys.Complete(w.Manifest.Object), live}, known: known}
	for _, text := range in.unmatched(patterns) {
		pattern := UnmatchedPattern{Text: text, Translated: in.translated(text)}
		if pattern.Translated == "" {
			if existing == nil {
				existing = fieldTexts(known,
					w.Renderer(w.Manifest.Identity, record.Snapshot{}).Names(paths.NewFormatter(known)))
			}
			pattern.Nearest = paths.Nearest(text, existing)
		}
		all = append(all, pattern)
	}
	return all
}

// matcher finds what patterns match: in the manifest, which is the first of objects, in the live object, and in known,
// the fields that any manager owns.
type matcher struct {
	objects []map[string]any
	known   *paths.Set
}

// translated returns what a string of another path language reads in ours: the reading that covers something,
// else the first one.
func (m matcher) translated(text string) string {
	readings := paths.Translate(text)
	for _, reading := range readings {
		if len(m.unmatched(paths.PatternsOf([]string{reading}))) == 0 {
			return reading
		}
	}
	if len(readings) == 0 || readings[0] == text {
		return ""
	}
	return readings[0]
}

// fieldTexts returns the strings of all fields of a set and of the fields that they are part of.
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

// unmatched returns those of patterns that cover nothing in the manifest, in the live object or among the owned fields.
func (m matcher) unmatched(patterns paths.Patterns) []string {
	matched := map[int]bool{}
	for _, object := range m.objects {
		for _, index := range projection.SplitBody(object, patterns, m.known, nil).Matched {
			matched[index] = true
		}
	}
	_, covered := projection.Covered(m.known, patterns, m.objects[0])
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

// NotIgnorableError reports that a pattern of ignore_fields covers a part of a field that has one owner as a whole.
type NotIgnorableError struct {
	Pattern string
	// Whole is the string of the smallest field that can be ignored instead.
	Whole string
	Why   projection.AtomicReason
}

func (e *NotIgnorableError) Error() string {
	if e.Why == projection.ItemKey {
		return e.Pattern + " is part of the key of the list item " + e.Whole + ", which can only be ignored as a whole"
	}
	return e.Pattern + " lies inside " + e.Whole + ", which is atomic: the API server gives it one owner as a whole"
}

// CheckSeparable returns a *NotIgnorableError for the first pattern whose fields cannot be released alone.
func (w Wanted) CheckSeparable(known *paths.Set) error {
	split := projection.SplitBody(w.Manifest.Object, w.Ignore, known, w.Keys)
	if len(split.NotIgnorable) == 0 {
		return nil
	}
	first := split.NotIgnorable[0]
	return &NotIgnorableError{
		Pattern: w.Ignore[first.Pattern].String(), Whole: paths.NewFormatter(known).Format(first.Whole), Why: first.Why,
	}
}
