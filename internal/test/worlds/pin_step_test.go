package worlds_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/livediff"
)

// pin is one edit of what is pinned: a path more or less, a field that moves from yaml_body to pin_fields, or the wish
// for new values.
func (r random) pin(c *configuration) {
	pattern := pick(r, r.kind.pinnable...)
	switch dice := r.IntN(8); {
	case dice < 4:
		c.pin = toggled(c.pin, pattern)
	case dice < 7:
		c.fields = slices.DeleteFunc(slices.Clone(c.fields), func(f choice) bool { return covered([]string{pattern}, f.field()) })
		if !slices.Contains(c.pin, pattern) {
			c.pin = toggled(c.pin, pattern)
		}
	default:
		c.repin = pick(r, "1", "2", "3")
	}
}

// pinned returns the paths of pin_fields that no other argument decides about: the others are refused, so a user takes
// them out for as long as that is so.
func (c configuration) pinned() []string {
	return slices.DeleteFunc(slices.Clone(c.pin), func(pattern string) bool {
		isWithin := func(whole string) bool { return within(pattern, whole) }
		declared := func(f choice) bool {
			_, isList := f.value.([]any)
			return covered([]string{pattern}, f.field()) || isList && within(pattern, f.field().String())
		}
		return slices.ContainsFunc(c.ignore, isWithin) || slices.ContainsFunc(c.sensitive, isWithin) || slices.ContainsFunc(c.fields, declared)
	})
}

// within reports whether a pattern is at or below another one of the menu.
func within(pattern, whole string) bool {
	inner, outer := segments(pattern), segments(whole)
	return len(outer) <= len(inner) && slices.EqualFunc(outer, inner[:len(outer)], func(out, in string) bool {
		return out == in || out == "[*]" && strings.HasPrefix(in, "[")
	})
}

// segments returns the names and the items of a pattern.
func segments(pattern string) []string {
	var all []string
	for field := range strings.SplitSeq(strings.ReplaceAll(pattern, "[", ".["), ".") {
		all = append(all, field)
	}
	return all
}

// field returns the path of a choice as managedFields writes it.
func (c choice) field() livediff.Path {
	var path livediff.Path
	for step := range strings.SplitSeq(c.path, "|") {
		keys := keysOf(step)
		if keys == nil {
			path = append(path, "f:"+step)
			continue
		}
		text, _ := json.Marshal(keys)
		path = append(path, "k:"+string(text))
	}
	return path
}

// itemOf returns the path of the innermost list item around a field, and the path itself where there is no such item.
func itemOf(path string) string {
	if end := strings.LastIndex(path, "]"); end >= 0 {
		return path[:end+1]
	}
	return path
}

// withPins returns a body as it is applied if every list item with pins is there: with what is pinned, and with what the
// last read has found to pin. Members of sets are left out: no server refuses one.
func (w *world) withPins(c configuration, body map[string]any) map[string]any {
	found := map[string]value{}
	if w.seen != nil {
		if seen, err := at(w.seen); err == nil {
			found = w.values(c, seen)
		}
	}
	maps.Copy(found, w.pins)
	for _, pinned := range found {
		if covered(c.pinned(), pinned.path) && !covered(c.ignore, pinned.path) && !strings.HasPrefix(pinned.path[len(pinned.path)-1], "v:") {
			put(body, stepsTo(pinned.path), pinned.value)
		}
	}
	return body
}

// stepsTo returns the steps of a path of managedFields.
func stepsTo(field livediff.Path) []string {
	all := make([]string, len(field))
	for i, element := range field {
		var keys map[string]any
		if text, isItem := strings.CutPrefix(element, "k:"); !isItem || json.Unmarshal([]byte(text), &keys) != nil {
			all[i] = strings.TrimPrefix(element, "f:")
			continue
		}
		var parts []string
		for name, key := range keys {
			parts = append(parts, fmt.Sprint(name, "=", key))
		}
		all[i] = "[" + strings.Join(parts, ",") + "]"
	}
	return all
}
