package paths

import "strings"

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
