package wanted

import (
	"slices"

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
				names := w.Renderer(w.Manifest.Identity, record.Snapshot{}).Names(paths.NewFormatter(known))
				existing = paths.FieldTexts(known, names.Format)
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

// translated returns the reading of a string of another path language that covers something; "" without one.
func (m matcher) translated(text string) string {
	for _, reading := range paths.Translate(text) {
		if len(m.unmatched(paths.PatternsOf([]string{reading}))) == 0 {
			return reading
		}
	}
	return ""
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

// Ignoring leaves to the managers of IgnoreManagers the fields of the manifest that they own by claims, as if Ignore
// listed these fields. values are fingerprints of the fields that other managers own.
func (w Wanted) Ignoring(claims ownership.Claims, previousManager string, values map[string]string) Wanted {
	w.IgnoredByManager = nil
	if len(w.IgnoreManagers) == 0 {
		return w
	}
	held := claims.Others(w.FieldManager).Others(previousManager).Where(func(claim ownership.Claim) bool {
		return w.Left().To(claim.Name)
	}).Fields()
	w.IgnoredByManager = separable(w.Keys.Complete(w.Manifest.Object), held, claims,
		withContent(held.Leaves().Intersection(claims.Fields().Leaves()), values))
	left, _ := projection.Covered(paths.OrEmpty(w.Pinned), w.IgnoredByManager, w.Pins.Values)
	if left.Empty() {
		return w
	}
	// Without the pins, the manifest lacks these fields. Each round has fewer pins, so this ends.
	return w.withoutPins(left).Ignoring(claims, previousManager, values)
}

// givenUp returns patterns of the fields of the manifest that an apply has left to ignored managers, by the patterns
// left, and that those managers no longer own in claims, whether other managers own them or none does. The next plan
// finds that w does not leave them any more, and enforces them.
func givenUp(w Wanted, left paths.Patterns, claims ownership.Claims) paths.Patterns {
	known := w.Claims().Fields().Union(claims.Fields()).Leaves()
	fields := projection.WithValues(w.Manifest.Object, known.Difference(claims.Own(w.FieldManager)))
	were, _ := projection.Covered(fields, left, w.Manifest.Object)
	are, _ := projection.Covered(fields, w.Ignored(), w.Manifest.Object)
	return exactly(were.Difference(are))
}

// withContent returns the leaves whose value is not empty. Other managers often own a map or list itself in addition to
// its parts, and still hold it when they lose those: this leaf shows nothing about its content, unless no manager holds
// a part of it.
func withContent(leaves *paths.Set, values map[string]string) *paths.Set {
	return paths.Filter(leaves, func(path paths.Path) bool {
		return !projection.IsEmptyPrint(values[paths.ID(path)])
	})
}

// separable returns the patterns that cover the fields of object, the completed manifest, in held, which other managers
// own. leaves are those of held. A key field stays with its list item. An item of which other managers own all but the
// keys is covered as a whole.
func separable(object map[string]any, held *paths.Set, claims ownership.Claims, leaves *paths.Set) paths.Patterns {
	known := claims.Fields()
	formatter := claims.Formatter()
	var fields []paths.Path
	paths.Walk(projection.WithValues(object, leaves), func(path paths.Path, _ bool) { fields = append(fields, path) })
	patterns := paths.Covering(fields, formatter)
	split := projection.SplitBody(object, patterns, known, nil)
	for _, refused := range split.NotIgnorable {
		if refused.Why == projection.Atomic {
			fields[refused.Pattern] = refused.Whole
		} else {
			fields[refused.Pattern] = nil
		}
	}
	fields = slices.DeleteFunc(fields, func(path paths.Path) bool { return path == nil })
	rest := projection.NewReader(projection.SplitBody(object, paths.Covering(fields, formatter), known, nil).Body)
	paths.Walk(held, func(path paths.Path, leaf bool) {
		keys := paths.KeyFields(path[len(path)-1])
		item, _ := rest.Lookup(path)
		if values, isMap := item.(map[string]any); isMap && !leaf && keys != nil && onlyKeys(values, keys) {
			fields = append(fields, path)
		}
	})
	slices.SortFunc(fields, paths.Path.Compare)
	return paths.Covering(fields, formatter)
}

func onlyKeys(item, keys map[string]any) bool {
	for name := range item {
		if _, isKey := keys[name]; !isKey {
			return false
		}
	}
	return true
}

// LeftTexts returns the patterns of the fields that are left to ignored managers, as strings without secret values.
func (w Wanted) LeftTexts() []string {
	all, sensitive := paths.Texts(w.IgnoredByManager), w.Renderer(w.Manifest.Identity, record.Snapshot{}).Sensitive
	for n, text := range all {
		if shown := rendering.Field(sensitive, text, false); shown != text {
			all[n] = shown + `[="` + rendering.Redacted + `"]` // No field, rather than the whole list.
		}
	}
	return all
}
