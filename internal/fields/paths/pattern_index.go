package paths

import "strings"

// indexFrom is the number of unfinished patterns from which on a cursor indexes them. An object whose fields are
// ignored one by one has as many patterns as fields, and each step would look at all of them.
const indexFrom = 16

// patternIndex holds the unfinished patterns, by the elements that their next step can match.
type patternIndex struct {
	// names holds the patterns whose next step is a name, by the first word of the name.
	names map[string][]progress
	// items holds the patterns that select an item by one quoted key, by that key; keys holds the names of these keys.
	items map[slot][]progress
	keys  []string
	// rest holds all other patterns.
	rest []progress
}

// gather returns an index of the unfinished patterns; nil if there are fewer than indexFrom.
func (c *Cursor) gather() *patternIndex {
	if len(c.active) < indexFrom {
		return nil
	}
	all := &patternIndex{names: map[string][]progress{}, items: map[slot][]progress{}}
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
			byKey(slot{isKey: true, name: next.keys[0].name, text: next.keys[0].value.text}, at)
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
		if text, isText := to.key(name).(string); isText {
			visitAll(c.items[slot{isKey: true, name: name, text: text}])
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
