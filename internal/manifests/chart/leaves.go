package chart

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// leaf is a field with a generated value.
type leaf struct {
	place string
	path  steps
	// value is that of one rendering, and other that of another one.
	value, other any
}

// name tells a field from all others of a chart.
func (l leaf) name() string { return l.place + " " + l.path.String() }

// differences returns the fields of the objects of one rendering that have another value in another one.
func differences(a, b objects) []leaf {
	var found []leaf
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if b[key] != nil {
			compare(a[key].Object, b[key].Object, nil, func(path steps, value, other any) {
				found = append(found, leaf{key, path, value, other})
			})
		}
	}
	return found
}

func compare(a, b any, at steps, differs func(path steps, a, b any)) {
	switch a := a.(type) {
	case map[string]any:
		b, is := b.(map[string]any)
		if !is {
			break
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			compare(a[name], b[name], append(slices.Clone(at), step{field: name}), differs)
		}
		return
	case []any:
		b, is := b.([]any)
		if !is || len(a) != len(b) {
			break
		}
		for i, item := range a {
			next := step{index: i, item: nameOf(item), items: len(a)}
			if i > 0 && reflect.DeepEqual(a[i-1], b[i-1]) {
				next.after, _ = a[i-1].(string)
			}
			compare(item, b[i], append(slices.Clone(at), next), differs)
		}
		return
	}
	if !reflect.DeepEqual(a, b) {
		differs(at, a, b)
	}
}

// step is one step of a path: a field, or an item of a list.
type step struct {
	field string
	index int
	// item is the name of an item that has one; the cluster may have the items in another order, and more of them.
	item string
	// after is the item before, if that is a string, such as an argument; "" otherwise, and if it is generated.
	after string
	// items is the length of the list.
	items int
}

type steps []step

func nameOf(item any) string {
	fields, _ := item.(map[string]any)
	name, _ := fields["name"].(string)
	return name
}

func (s steps) String() string {
	var text strings.Builder
	for i, next := range s {
		switch {
		case next.item != "":
			fmt.Fprintf(&text, "[name=%q]", next.item)
		case next.field == "":
			fmt.Fprintf(&text, "[%d]", next.index)
		case strings.ContainsAny(next.field, ".[/"):
			fmt.Fprintf(&text, "[%q]", next.field)
		case i > 0:
			text.WriteString("." + next.field)
		default:
			text.WriteString(next.field)
		}
	}
	return text.String()
}

func (s step) of(value any) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		below, found := value[s.field]
		return below, found && s.field != ""
	case []any:
		at := s.placeIn(value)
		if s.field != "" || at < 0 || at >= len(value) {
			return nil, false
		}
		return value[at], true
	}
	return nil, false
}

// placeIn returns the place of an item in a list on the cluster; -1 if nothing tells it.
func (s step) placeIn(list []any) int {
	if s.item != "" {
		return slices.IndexFunc(list, func(item any) bool { return nameOf(item) == s.item })
	}
	if s.after == "" || s.index <= len(list) && list[s.index-1] == s.after {
		return s.index
	}
	if before := slices.Index(list, any(s.after)); before >= 0 {
		return before + 1
	}
	if len(list) == s.items {
		return s.index
	}
	return -1
}

// valueIn returns the value of a field of an object; false if it has none.
func (s steps) valueIn(live map[string]any) (any, bool) {
	var value any = live
	for _, next := range s {
		below, found := next.of(value)
		if !found {
			return nil, false
		}
		value = below
	}
	return value, live != nil
}

func (s steps) set(object map[string]any, value any) {
	var parent any = object
	for _, next := range s[:len(s)-1] {
		parent, _ = next.of(parent)
	}
	switch parent := parent.(type) {
	case map[string]any:
		parent[s[len(s)-1].field] = value
	case []any:
		parent[s[len(s)-1].index] = value
	}
}
