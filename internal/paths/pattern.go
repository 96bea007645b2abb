package paths

import (
	"fmt"
	"slices"
)

// Pattern is a field path as a user writes it. It covers each path that it matches and all below.
// The zero Pattern matches nothing.
type Pattern struct {
	text  string
	steps []step
}

// Patterns match where one of them does.
type Patterns []Pattern

// String returns the text as written.
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

// Match reports whether one of the patterns covers the path. To look at many paths of one object, step
// a Cursor along them instead.
func (ps Patterns) Match(path Path) bool {
	return slices.ContainsFunc(ps, func(p Pattern) bool { return p.Match(path) })
}

// ParseAll parses each text. The error is the first one's *SyntaxError.
func ParseAll(texts []string) (Patterns, error) {
	patterns := make(Patterns, 0, len(texts))
	for _, text := range texts {
		pattern, err := Parse(text)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}

// Renamed returns the patterns for objects whose top-level field from is called to. Their texts stay as written.
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

// SyntaxError says why a text is not a field path.
type SyntaxError struct {
	Text       string // the whole text
	Offset     int    // in bytes, of what is wrong
	Problem    string // what is wrong, to follow a colon
	Suggestion string // what to write instead
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("field path %q, character %d: %s; %s", e.Text, e.character(), e.Problem, e.Suggestion)
}

// character counts from one, as an editor does.
func (e *SyntaxError) character() int {
	return len([]rune(e.Text[:min(e.Offset, len(e.Text))])) + 1
}

// stepKind is one form of the language.
type stepKind int

const (
	stepWord   stepKind = iota // text is the word; the name of an element may take several
	stepName                   // text is the name
	stepIndex                  // index
	stepAny                    // any one element
	stepMember                 // member
	stepKeys                   // keys, of which an item may have more
	stepExact                  // exact is the element itself
)

type step struct {
	kind   stepKind
	text   string
	index  int
	member operand
	keys   []keyOperand
	exact  PathElement
}

type keyOperand struct {
	name  string
	value operand
}
