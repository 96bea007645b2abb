package paths

import (
	"reflect"
	"slices"
)

// Pattern is a field path as a user writes it. It covers each path that it matches and all below.
// The zero Pattern matches nothing.
type Pattern struct {
	text  string
	steps []step
}

// Patterns match if one of them does.
type Patterns []Pattern

// String returns the pattern as written.
func (p Pattern) String() string { return p.text }

// Match reports whether the pattern covers the path: matches it or one of its ancestors.
func (p Pattern) Match(path Path) bool {
	steps := p.steps
	for i := range path {
		to := matchTargetOf(path[i], -1)
		taken := to.take(steps)
		if taken == 0 {
			return false
		}
		if steps = steps[taken:]; len(steps) == 0 {
			return true
		}
	}
	return false
}

// IsWithin reports whether whole covers all that p covers, as far as their strings show: [*] covers [0], and [name="a"]
// does not.
func (p Pattern) IsWithin(whole Pattern) bool {
	if len(whole.steps) == 0 || len(whole.steps) > len(p.steps) {
		return false
	}
	for n, wanted := range whole.steps {
		if !wanted.covers(p.steps[n]) {
			return false
		}
	}
	return true
}

// Meets reports whether both patterns may cover a part of the same field, in any spelling: data["a.b"] is data.a.b, and
// [0] may be [name="a"].
func (p Pattern) Meets(other Pattern) bool {
	return len(p.steps) > 0 && len(other.steps) > 0 && meet(p.steps, other.steps)
}

// HasWildcard reports whether the pattern may match several fields of an object, because it has a [*] or is *.
func (p Pattern) HasWildcard() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.kind == stepAny })
}

// HasPosition reports whether the pattern names a list item by its position.
func (p Pattern) HasPosition() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.kind == stepIndex })
}

// IsEntry reports whether the pattern ends in a selector of list items.
func (p Pattern) IsEntry() bool { return len(p.steps) > 0 && !p.steps[len(p.steps)-1].isName() }

// Match reports whether one of the patterns covers the path. To match many paths of one object, step a Cursor along
// them instead.
func (ps Patterns) Match(path Path) bool {
	return slices.ContainsFunc(ps, func(p Pattern) bool { return p.Match(path) })
}

// Renamed returns the patterns for objects whose top-level field from is called to. String still returns them as
// written.
func (ps Patterns) Renamed(from, to string) Patterns {
	renamed := slices.Clone(ps)
	for i, pattern := range renamed {
		if len(pattern.steps) > 0 && pattern.steps[0].text == from {
			renamed[i].steps = slices.Clone(pattern.steps)
			renamed[i].steps[0].text = to
		}
	}
	return renamed
}

// AnyPosition returns the patterns with [*] instead of each position in a list: they cover all that ps
// do, wherever the items are.
func (ps Patterns) AnyPosition() Patterns {
	loose := make(Patterns, len(ps))
	for i, pattern := range ps {
		steps := make([]step, len(pattern.steps))
		for j, s := range pattern.steps {
			if s.kind == stepIndex {
				s = step{kind: stepAny}
			}
			steps[j] = s
		}
		loose[i] = Pattern{text: pattern.text, steps: steps}
	}
	return loose
}

// Cautious returns the patterns for what must not be missed: with [*] instead of each position, and with selectors that
// also cover the items that lack what they select by. In a path, an item has only the keys of its list.
func (ps Patterns) Cautious() Patterns {
	cautious := ps.AnyPosition()
	for _, pattern := range cautious {
		for i := range pattern.steps {
			pattern.steps[i].isCautious = true
		}
	}
	return cautious
}

// stepKind is one form of the language.
type stepKind int

const (
	stepWord   stepKind = iota // text is the word; the name of an element may take several
	stepName                   // text is the name
	stepIndex                  // index
	stepAny                    // any one element
	stepMember                 // member
	stepKeys                   // keys; an item may have more
	stepExact                  // exact is the element itself
)

type step struct {
	kind   stepKind
	text   string
	index  int
	member operand
	keys   []keyOperand
	exact  PathElement
	// isCautious is true if a selector also matches items that lack what it selects by.
	isCautious bool
}

type keyOperand struct {
	name  string
	value operand
}

// covers reports whether a step of one pattern matches all that a step of another does.
func (s step) covers(other step) bool {
	switch {
	case s.kind == stepAny:
		return true
	case s.isName() && other.isName():
		return s.text == other.text
	default:
		return reflect.DeepEqual(s, other)
	}
}

func meet(a, b []step) bool {
	switch {
	case len(a) == 0 || len(b) == 0:
		return true
	case a[0].kind == stepAny: // One element, or a name of several words.
		for taken := 1; ; taken++ {
			if meet(a[1:], b[taken:]) {
				return true
			}
			if taken == len(b) || b[taken-1].kind != stepWord || b[taken].kind != stepWord {
				return false
			}
		}
	case a[0].kind == stepName:
		name := matchTarget{isField: true, name: a[0].text}
		taken := name.take(b)
		return taken > 0 && meet(a[1:], b[taken:])
	case b[0].kind == stepAny, b[0].kind == stepName:
		return meet(b, a)
	case a[0].kind == stepWord || b[0].kind == stepWord:
		return a[0].kind == b[0].kind && a[0].text == b[0].text && meet(a[1:], b[1:])
	}
	return a[0].maySelect(b[0]) && meet(a[1:], b[1:])
}

// maySelect reports whether two selectors may select the same list item.
func (s step) maySelect(other step) bool {
	if s.kind != other.kind {
		return true
	}
	for _, key := range s.keys {
		for _, with := range other.keys {
			if key.name == with.name && !key.value.mayEqual(with.value) {
				return false
			}
		}
	}
	return s.index == other.index && s.member.mayEqual(other.member)
}

func (s step) isName() bool { return s.kind == stepWord || s.kind == stepName }

// Covering returns a pattern for each of fields, in the same order. It covers the field, everything below it, and
// nothing else. formatter returns the strings of the patterns.
func Covering(fields []Path, formatter *Formatter) Patterns {
	patterns := make(Patterns, len(fields))
	for n, field := range fields {
		patterns[n] = Pattern{text: formatter.Format(field), steps: exactSteps(field)}
	}
	return patterns
}

func exactSteps(field Path) []step {
	steps := make([]step, len(field))
	for n, element := range field {
		switch {
		case element.FieldName != nil:
			steps[n] = step{kind: stepName, text: *element.FieldName}
		case element.Index != nil:
			steps[n] = step{kind: stepIndex, index: *element.Index}
		default:
			steps[n] = step{kind: stepExact, exact: element}
		}
	}
	return steps
}

// onlyKey returns the key of a list item that is identified by one string; false for any other element.
func onlyKey(element PathElement) (slot, bool) {
	if element.Key == nil || len(*element.Key) != 1 {
		return slot{}, false
	}
	key := (*element.Key)[0]
	value, isString := plain(key.Value.Unstructured()).(string)
	return slot{isKey: true, name: key.Name, text: value}, isString
}

// PatternsOf parses strings that were parsed before: by validation, or when they were written.
func PatternsOf(texts []string) Patterns {
	patterns := make(Patterns, 0, len(texts))
	for _, text := range texts {
		if pattern, err := Parse(text); err == nil {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// Texts returns patterns as they were written.
func Texts(patterns Patterns) []string {
	all := make([]string, len(patterns))
	for i, pattern := range patterns {
		all[i] = pattern.String()
	}
	return all
}

// Covering returns the first of patterns that covers all that p does; nil if no pattern does.
func (p Pattern) Covering(patterns Patterns) *Pattern {
	for n := range patterns {
		if p.IsWithin(patterns[n]) {
			return &patterns[n]
		}
	}
	return nil
}
