package difference

import (
	"fmt"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// pathsOf returns the paths below two maps or lists at which they differ, with both values.
func pathsOf(before, after any) []string {
	var d structure
	d.compare("", before, after)
	return d.lines
}

// Leaf is a path at which two maps or lists differ. Added is true if only the second has it, Removed if only the first.
type Leaf struct {
	Path           string
	Added, Removed bool
}

// Leaves returns the outermost paths at which two maps or lists differ, without any value: items of lists are told by
// their name, or by their index. It returns nil for other values.
func Leaves(before, after any) []Leaf {
	if !isSameStructure(before, after) {
		return nil
	}
	d := structure{byName: true}
	d.compare("", before, after)
	return d.leaves
}

// Halves returns the parts at which two long maps or two long lists differ, as the lines "entry path: value" of each of
// the two, at most 40; nil for other values.
func Halves(before, after any) (was, becomes []string) {
	if !isSameStructure(before, after) || !IsLong(encoded(before)) && !IsLong(encoded(after)) {
		return nil, nil
	}
	var d structure
	d.compare("", before, after)
	return cut(d.halves[0]), cut(d.halves[1])
}

// structure collects the differences of two maps or lists.
type structure struct {
	lines []string
	// halves are the lines for each of the two alone.
	halves [2][]string
	leaves []Leaf
	// byName is true if the items of lists are told by their name alone: another key may be secret.
	byName bool
}

// missing is a value that one of the two does not have. As JSON, it would be no value of an object.
type missing struct{}

const noValue = "(none)"

func (d *structure) compare(path string, before, after any) {
	was, wasMap := before.(map[string]any)
	is, isMap := after.(map[string]any)
	wasItems, wasList := before.([]any)
	isItems, isList := after.([]any)
	switch {
	case wasMap && isMap:
		names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			d.compare(paths.Join(path, name), of(was, name), of(is, name))
		}
	case wasList && isList:
		d.compareItems(path, wasItems, isItems)
	default:
		d.leaf(path, before, after)
	}
}

func of(fields map[string]any, name string) any {
	value, has := fields[name]
	if !has {
		return missing{}
	}
	return value
}

// compareItems compares lists item by item: those with the same name, or else those at the same distance from the first
// difference.
func (d *structure) compareItems(path string, before, after []any) {
	if key := keyOf(before, after); key != "" && (!d.byName || key == "name") {
		was, is := byKey(before, key), byKey(after, key)
		for _, item := range before {
			id := scalarOf(item, key)
			d.compare(fmt.Sprintf("%s[%s=%s]", path, key, id), item, of(is, id))
		}
		for _, item := range after {
			if id := scalarOf(item, key); of(was, id) == (missing{}) {
				d.compare(fmt.Sprintf("%s[%s=%s]", path, key, id), missing{}, item)
			}
		}
		return
	}
	start, end := 0, 0
	for start < min(len(before), len(after)) && encoded(before[start]) == encoded(after[start]) {
		start++
	}
	for end < min(len(before), len(after))-start &&
		encoded(before[len(before)-1-end]) == encoded(after[len(after)-1-end]) {
		end++
	}
	for i := start; i < max(len(before), len(after))-end; i++ {
		d.compare(fmt.Sprintf("%s[%d]", path, i), at(before, i, end), at(after, i, end))
	}
}

// at returns an item of a list without its last items.
func at(list []any, i, without int) any {
	if i >= len(list)-without {
		return missing{}
	}
	return list[i]
}

// keyOf returns a field that every item of both lists has, with a scalar value of its own: "name" if there are several;
// "" without one.
func keyOf(before, after []any) string {
	if len(before) == 0 || len(after) == 0 {
		return ""
	}
	first, _ := before[0].(map[string]any)
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(first)), func(key string) bool {
		return !identifies(before, key) || !identifies(after, key)
	})
	switch {
	case slices.Contains(keys, "name"):
		return "name"
	case len(keys) > 0:
		return keys[0]
	}
	return ""
}

// identifies reports whether each item has a scalar value at key, and no two items have the same.
func identifies(list []any, key string) bool {
	seen := map[string]bool{}
	for _, item := range list {
		id := scalarOf(item, key)
		if id == "" || seen[id] {
			return false
		}
		seen[id] = true
	}
	return true
}

func byKey(list []any, key string) map[string]any {
	items := map[string]any{}
	for _, item := range list {
		items[scalarOf(item, key)] = item
	}
	return items
}

// scalarOf returns the scalar value of an item's field, as JSON; "" without one.
func scalarOf(item any, key string) string {
	fields, _ := item.(map[string]any)
	switch value := fields[key].(type) {
	case nil, map[string]any, []any:
		return ""
	default:
		return encoded(value)
	}
}

// leaf adds the line of a value that differs, and the differing lines of a long string.
func (d *structure) leaf(path string, before, after any) {
	if encoded(before) != encoded(after) {
		d.leaves = append(d.leaves, Leaf{path, before == any(missing{}), after == any(missing{})})
		for i, value := range []any{before, after} {
			// OpenTofu would take a string that begins with [20] for JSON.
			d.halves[i] = append(d.halves[i], "entry "+path+": "+shown(value))
		}
	}
	was, wasText := before.(string)
	is, isText := after.(string)
	switch {
	case wasText && isText && was != is && (IsLong(was) || IsLong(is)):
		d.lines = append(d.lines, path+":")
		for _, line := range linesOf(was, is) {
			d.lines = append(d.lines, "  "+line)
		}
	case encoded(before) != encoded(after):
		d.lines = append(d.lines, fmt.Sprintf("%s: %s -> %s", path, shown(before), shown(after)))
	}
}

// shown returns a value as the line of a path has it.
func shown(value any) string { return shortened(encoded(value), longestLeaf) }
