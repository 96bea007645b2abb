package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Split is a body without the fields that ignore patterns cover.
type Split struct {
	// Body is the rest of the object, without the fields that patterns cover. Maps and lists that become empty are
	// removed too. Body shares the parts of the input from which nothing was removed. The input is never mutated.
	Body map[string]any
	// Matched are the indexes of the patterns that covered something, sorted.
	Matched []int
	// NotIgnorable are covered fields that cannot be released alone.
	NotIgnorable []NotIgnorable
}

// NotIgnorable is a field that a pattern covers, inside a field that has one owner as a whole.
type NotIgnorable struct {
	// Pattern is the index of the pattern.
	Pattern int
	// Whole is the smallest field that can be ignored instead.
	Whole paths.Path
	// Why is the reason why Whole cannot be split.
	Why AtomicReason
}

// AtomicReason is why a field cannot be split.
type AtomicReason string

// The reasons why a field cannot be split.
const (
	Atomic  AtomicReason = "Atomic"
	ItemKey AtomicReason = "ItemKey"
)

// SplitBody removes the fields that patterns cover from body. known holds all fields of the object that the server has
// reported. It shows how list items are identified, and which lists and maps are atomic. keys are those that items
// leave to their defaults. apiVersion, kind, metadata.name and metadata.namespace always stay.
func SplitBody(body map[string]any, patterns paths.Patterns, known *paths.Set, keys DefaultKeys) Split {
	s := splitter{matched: map[int]struct{}{}, defaults: keys}
	kept, _ := s.splitMap(body, walkPosition{cursor: patterns.Start(), known: known})
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}, {"metadata", "namespace"}} {
		kept = restore(body, kept, path)
	}
	return Split{Body: kept, NotIgnorable: s.notIgnorable, Matched: slices.Sorted(maps.Keys(s.matched))}
}

type splitter struct {
	matched      map[int]struct{}
	notIgnorable []NotIgnorable
	defaults     DefaultKeys
}

// walkPosition is the position of the walk: in the patterns, in the known fields and in the object.
type walkPosition struct {
	cursor paths.Cursor
	known  *paths.Set
	path   paths.Path
	// atomic is the enclosing atomic field, nil outside of one.
	atomic paths.Path
	// keys are the key fields of the list item at this position.
	keys map[string]any
	// place is the position as DefaultKeys has it.
	place string
}

func (p walkPosition) step(element paths.PathElement, cursor paths.Cursor) walkPosition {
	next := walkPosition{cursor: cursor, path: paths.Below(p.path, element), atomic: p.atomic, place: p.place}
	if p.known != nil {
		next.known = paths.Children(p.known, element)
		if next.known == nil && next.atomic == nil && p.known.Members.Has(element) {
			next.atomic = next.path
		}
	}
	return next
}

func (s *splitter) splitMap(fields map[string]any, at walkPosition) (map[string]any, bool) {
	kept := make(map[string]any, len(fields))
	for _, name := range sortedNames(fields) {
		value := fields[name]
		next := at.step(paths.Field(name), at.cursor.Field(name))
		if len(s.defaults) > 0 {
			next.place = below(at.place, name)
		}
		if _, isKey := at.keys[name]; isKey && next.cursor.Matched() {
			s.report(next.cursor, NotIgnorable{Whole: at.path, Why: ItemKey})
		}
		if value, stays := s.split(value, next, at.atomic); stays {
			kept[name] = value
		}
	}
	// A map that was empty before stays.
	return kept, len(kept) > 0 || len(fields) == 0
}

func (s *splitter) splitList(items []any, at walkPosition) ([]any, bool) {
	kept := make([]any, 0, len(items))
	completed := withDefaultKeys(items, s.defaults[at.place])
	elements := correspond(completed, at.known)
	names := keyNames(at.known)
	for i, item := range items {
		keys := paths.KeyFields(elements[i])
		value := completed[i]
		if fields, isMap := value.(map[string]any); isMap && keys == nil && len(names) > 0 {
			value = only(fields, names)
		}
		cursor := at.cursor.Item(paths.Item{Index: i, Value: value, Keys: keys})
		next := at.step(elements[i], cursor)
		next.keys = keys
		if item, stays := s.split(item, next, at.atomic); stays {
			kept = append(kept, item)
		}
	}
	return kept, len(kept) > 0 || len(items) == 0
}

// keyNames returns the names of the keys of a list's known items. A selector by another field matches no
// known item, so it must not match a new one either.
func keyNames(known *paths.Set) []string {
	var names []string
	for _, form := range formsOf(paths.Elements(known)) {
		names = append(names, form.keys...)
	}
	return names
}

func only(fields map[string]any, names []string) map[string]any {
	part := map[string]any{}
	for _, name := range names {
		if value, has := fields[name]; has {
			part[name] = value
		}
	}
	return part
}

// split returns value without its covered parts, and whether anything of it stays.
func (s *splitter) split(value any, at walkPosition, atomicParent paths.Path) (any, bool) {
	if at.cursor.Matched() {
		if atomicParent != nil {
			s.report(at.cursor, NotIgnorable{Whole: atomicParent, Why: Atomic})
		}
		for _, index := range at.cursor.MatchedBy() {
			s.matched[index] = struct{}{}
		}
		return nil, false
	}
	if !at.cursor.Alive() {
		return value, true
	}
	switch value := value.(type) {
	case map[string]any:
		return s.splitMap(value, at)
	case []any:
		return s.splitList(value, at)
	default:
		return value, true
	}
}

func (s *splitter) report(cursor paths.Cursor, problem NotIgnorable) {
	for _, index := range cursor.MatchedBy() {
		problem.Pattern = index
		s.notIgnorable = append(s.notIgnorable, problem)
	}
}

// correspond returns, for each item of a list, the element by which the server knows it, or its index if the server
// does not know it. Exact keys are matched first. Otherwise an item that leaves a key to its default could get an
// element that another item names in full.
func correspond(values []any, known *paths.Set) []paths.PathElement {
	found := make([]paths.PathElement, len(values))
	assigned := make([]bool, len(values))
	for i := range values {
		found[i] = paths.Index(i)
	}
	if known == nil {
		return found
	}
	list := items{list: values}
	assign := func(position int, element paths.PathElement) bool {
		if assigned[position] {
			return false
		}
		found[position], assigned[position] = element, true
		return true
	}
	var open []paths.PathElement
	for _, element := range paths.Elements(known) {
		if exact := list.exact(element); len(exact) == 0 || !assign(exact[0], element) {
			open = append(open, element)
		}
	}
	for _, element := range open {
		for position := range list.defaulted(element) {
			if assign(position, element) {
				break
			}
		}
	}
	return found
}

// Covered returns the part of fields that patterns cover. body determines which item a pattern such as [0] means. The
// second result is the indexes of the patterns that covered something, sorted.
func Covered(fields *paths.Set, patterns paths.Patterns, body map[string]any) (*paths.Set, []int) {
	covered := paths.NewSet()
	matched := map[int]struct{}{}
	cover(fields, root(body), patterns.Start(), nil, func(path paths.Path, cursor paths.Cursor) {
		covered.Insert(path)
		for _, index := range cursor.MatchedBy() {
			matched[index] = struct{}{}
		}
	})
	return covered, slices.Sorted(maps.Keys(matched))
}

func cover(set *paths.Set, at node, cursor paths.Cursor, prefix paths.Path, found func(paths.Path, paths.Cursor)) {
	children := childrenOf(at)
	for _, part := range paths.Parts(set) {
		child := children.get(part.Element)
		next := cursor.ElementAt(part.Element, child.index)
		if !next.Alive() {
			continue
		}
		path := paths.Below(prefix, part.Element)
		if next.Matched() && part.IsMember {
			found(path, next)
		}
		if part.Below != nil {
			cover(part.Below, child, next, path, found)
		}
	}
}

// restore sets the value at path in kept again if it was removed. body is not mutated: the parts that kept shares with
// it are complete.
func restore(body, kept map[string]any, path []string) map[string]any {
	value, has := body[path[0]]
	if !has {
		return kept
	}
	left, stayed := kept[path[0]]
	if len(path) > 1 {
		inner, isMap := value.(map[string]any)
		if !isMap {
			return kept
		}
		innerKept, _ := left.(map[string]any)
		restored := restore(inner, innerKept, path[1:])
		if restored == nil {
			return kept
		}
		value = restored
	} else if stayed {
		return kept
	}
	if kept == nil {
		kept = map[string]any{}
	}
	kept[path[0]] = value
	return kept
}
