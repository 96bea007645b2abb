package paths

import (
	"slices"
	"strings"
)

// Cursor is the progress of each pattern on the path from the root of an object to one of its fields. It is immutable:
// a step returns a new Cursor. The zero Cursor matches nothing.
type Cursor struct {
	patterns Patterns
	root     bool // all patterns are at their start, and active is empty
	active   []progress
	index    *patternIndex // active, if they are many
	matched  []int         // in order
}

// progress is the next step of a pattern. A pattern is at one step at a time, because there is only one way to read a
// name as words.
type progress struct{ pattern, step int }

// Start returns the cursor at the root of an object.
func (ps Patterns) Start() Cursor { return Cursor{patterns: ps, root: true} }

// Matched reports whether some pattern has matched here or above. It stays true for all deeper steps.
func (c Cursor) Matched() bool { return len(c.matched) > 0 }

// MatchedBy returns the indexes of the patterns that have matched here or above, in ascending order.
// Do not mutate the slice.
func (c Cursor) MatchedBy() []int { return c.matched }

// Alive reports whether some pattern has matched, or may match below.
func (c Cursor) Alive() bool {
	return len(c.matched) > 0 || len(c.active) > 0 || c.root && len(c.patterns) > 0
}

// Field steps to a struct field or map key.
func (c Cursor) Field(name string) Cursor { return c.advance(&matchTarget{name: name, isField: true}) }

// Item steps to an item of a list. A key selector compares with Keys when they are known, otherwise with the fields of
// Value. The server may default a key that Value lacks: the key counts as equal if at least one other key of the
// selector is present and equal.
func (c Cursor) Item(item Item) Cursor {
	return c.advance(&matchTarget{item: &item, index: item.Index})
}

// Element steps by an element of a path, without knowledge of the object.
func (c Cursor) Element(pe PathElement) Cursor { return c.ElementAt(pe, -1) }

// ElementAt does what Element does, with the position of a list item; -1 means unknown. An Index element keeps its own
// position.
func (c Cursor) ElementAt(pe PathElement, index int) Cursor {
	to := matchTargetOf(pe, index)
	return c.advance(&to)
}

func (c Cursor) advance(to *matchTarget) Cursor {
	// Without spare capacity, step copies matched: cursors share it, and must not write to it.
	next := Cursor{patterns: c.patterns, matched: c.matched[:len(c.matched):len(c.matched)]}
	switch {
	case c.root:
		for i := range c.patterns {
			next.step(progress{pattern: i}, to)
		}
	case c.index != nil:
		c.index.candidates(to, func(at progress) { next.step(at, to) })
	default:
		for _, at := range c.active {
			next.step(at, to)
		}
	}
	next.index = next.gather()
	return next
}

// step adds the progress of one pattern to a cursor that is being built.
func (c *Cursor) step(at progress, to *matchTarget) {
	steps := c.patterns[at.pattern].steps[at.step:]
	taken := to.take(steps)
	switch {
	case taken == 0:
	case taken < len(steps):
		c.active = append(c.active, progress{at.pattern, at.step + taken})
	default:
		place, _ := slices.BinarySearch(c.matched, at.pattern)
		c.matched = slices.Insert(c.matched, place, at.pattern)
	}
}

// indexFrom is the number of unfinished patterns from which on a cursor indexes them. An object whose fields are
// ignored one by one has as many patterns as fields, and each step would look at all of them.
const indexFrom = 16

// patternIndex holds the unfinished patterns, by the elements that their next step can match.
type patternIndex struct {
	// names holds the patterns whose next step is a name, by the first word of the name.
	names map[string][]progress
	// items holds the patterns that select an item by one quoted key, by that key; keys holds the names of these keys.
	// lacking holds those among them that also match an item without the key, by the name of the key.
	items   map[slot][]progress
	lacking map[string][]progress
	keys    []string
	// rest holds all other patterns.
	rest []progress
}

// gather returns an index of the unfinished patterns; nil if there are fewer than indexFrom.
func (c *Cursor) gather() *patternIndex {
	if len(c.active) < indexFrom {
		return nil
	}
	all := &patternIndex{names: map[string][]progress{}, items: map[slot][]progress{}, lacking: map[string][]progress{}}
	named := map[string]bool{}
	byKey := func(item slot, at progress) {
		all.items[item] = append(all.items[item], at)
		if !named[item.name] {
			named[item.name] = true
			all.keys = append(all.keys, item.name)
		}
	}
	for _, at := range c.active {
		next := &c.patterns[at.pattern].steps[at.step]
		switch {
		case next.kind == stepName:
			all.names[firstWord(next.text)] = append(all.names[firstWord(next.text)], at)
		case next.kind == stepWord && !strings.Contains(next.text, "."):
			all.names[next.text] = append(all.names[next.text], at)
		case next.kind == stepKeys && len(next.keys) == 1 && next.keys[0].value.quoted:
			key := next.keys[0]
			if byKey(slot{isKey: true, name: key.name, text: key.value.text}, at); next.isCautious {
				all.lacking[key.name] = append(all.lacking[key.name], at)
			}
		default:
			if item, has := onlyKey(next.exact); has {
				byKey(item, at)
			} else {
				all.rest = append(all.rest, at)
			}
		}
	}
	return all
}

func firstWord(name string) string {
	word, _, _ := strings.Cut(name, ".")
	return word
}

// candidates visits all patterns that may match a matchTarget, and perhaps some that do not.
func (c *patternIndex) candidates(to *matchTarget, visit func(progress)) {
	visitAll := func(all []progress) {
		for _, at := range all {
			visit(at)
		}
	}
	visitAll(c.rest)
	if to.isField {
		visitAll(c.names[firstWord(to.name)])
		return
	}
	for _, name := range c.keys {
		switch value := to.key(name).(type) {
		case nil:
			visitAll(c.lacking[name])
		case string:
			visitAll(c.items[slot{isKey: true, name: name, text: value}])
		}
	}
}

// key returns the value that the matchTarget has at a key, nil if it has none.
func (to *matchTarget) key(name string) any {
	if to.item == nil {
		value, _ := keyField(to.element, name)
		return value
	}
	fields, _ := to.item.keys()
	return fields[name]
}

// Item is an item of a list. Each of its fields may be unknown.
type Item struct {
	// Index is its position, -1 if unknown.
	Index int
	// Value is the scalar or map itself, nil if unknown.
	Value any
	// Keys are the keys by which the server identifies the item of an associative list, including those that it has
	// defaulted; nil if unknown.
	Keys map[string]any
}

// matchTarget is the target of a cursor's step: a field, an item of an object, or an element of a path.
type matchTarget struct {
	isField bool
	name    string
	index   int
	item    *Item
	element PathElement
}

func matchTargetOf(pe PathElement, index int) matchTarget {
	switch {
	case pe.FieldName != nil:
		return matchTarget{name: *pe.FieldName, isField: true}
	case pe.Index != nil:
		index = *pe.Index
	}
	return matchTarget{element: pe, index: index}
}

// take returns how many steps of a pattern match the matchTarget, 0 if it does not match.
func (to *matchTarget) take(steps []step) int {
	if len(steps) == 0 {
		return 0
	}
	if to.isField && steps[0].kind == stepWord {
		return takeWords(steps, to.name)
	}
	if to.matches(&steps[0]) {
		return 1
	}
	return 0
}

// takeWords returns how many of the first steps are words that, joined by dots, are the name; 0 if none are.
func takeWords(steps []step, name string) int {
	for i, s := range steps {
		if s.kind != stepWord {
			return 0
		}
		if name == s.text {
			return i + 1
		}
		rest, ok := strings.CutPrefix(name, s.text)
		// rest is not empty, because name is not s.text.
		if !ok || rest[0] != '.' {
			return 0
		}
		name = rest[1:]
	}
	return 0
}

func (to *matchTarget) matches(s *step) bool {
	if s.kind == stepAny {
		return true
	}
	if to.isField {
		return s.kind == stepName && s.text == to.name
	}
	switch s.kind {
	case stepIndex:
		return s.index == to.index
	case stepMember:
		return to.hasMember(s)
	case stepKeys:
		return to.hasKeys(s)
	case stepExact:
		return to.is(s.exact)
	}
	return false
}

// hasMember reports whether the matchTarget is a member of a set with the value that the step selects.
func (to *matchTarget) hasMember(s *step) bool {
	value, isMember := ElementValue(to.element)
	if to.item != nil {
		_, isMap := to.item.Value.(map[string]any)
		value, isMember = to.item.Value, to.item.Value != nil && !isMap
	}
	return isMember && s.member.matches(value) || !isMember && s.isCautious
}

// hasKeys reports whether the matchTarget is an item of a list with all keys of the step.
func (to *matchTarget) hasKeys(s *step) bool {
	if to.item == nil {
		for _, k := range s.keys {
			if v, ok := keyField(to.element, k.name); ok && !k.value.matches(v) || !ok && !s.isCautious {
				return false
			}
		}
		return to.element.Key != nil || s.isCautious
	}
	fields, mayLack := to.item.keys()
	equal := 0
	for _, k := range s.keys {
		v, ok := fields[k.name]
		switch {
		case ok && k.value.matches(v):
			equal++
		case ok || !mayLack && !s.isCautious:
			return false
		}
	}
	return equal > 0 || s.isCautious
}

// keys returns the fields that can identify the item, and whether the server may add some.
func (item *Item) keys() (fields map[string]any, mayLack bool) {
	if item.Keys != nil {
		return item.Keys, false
	}
	fields, _ = item.Value.(map[string]any)
	return fields, true
}

// is reports whether the matchTarget is element or, for an item with unknown keys, may be element.
func (to *matchTarget) is(element PathElement) bool {
	if to.item == nil {
		return to.element.Equals(element)
	}
	if v, ok := ElementValue(element); ok {
		return to.item.Value != nil && sameValue(v, to.item.Value)
	}
	if to.item.Keys != nil {
		return Key(to.item.Keys).Equals(element)
	}
	fields, _ := to.item.keys()
	equal, differ := 0, false
	eachKey(element, func(name string, v any) {
		own, ok := fields[name]
		if ok && sameValue(v, own) {
			equal++
		}
		differ = differ || ok && !sameValue(v, own)
	})
	return equal > 0 && !differ
}
