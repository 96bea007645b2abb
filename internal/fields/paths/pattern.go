package paths

import (
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

// HasWildcard reports whether the pattern may match several fields of an object, because it has a [*] or is *.
func (p Pattern) HasWildcard() bool {
	return slices.ContainsFunc(p.steps, func(s step) bool { return s.kind == stepAny })
}

// IsEntry reports whether the pattern ends in a selector of list items.
func (p Pattern) IsEntry() bool {
	return len(p.steps) > 0 && !p.steps[len(p.steps)-1].isName()
}

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
