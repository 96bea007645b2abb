package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Difference is a leaf of an object that has another value, or no value, in another version of the object.
type Difference struct {
	Path paths.Path
	// Before is the value in the first version, After that in the second one; each is nil if the version lacks the
	// field.
	Before, After any
	// Presence shows whether the second version has the field.
	Presence Presence
}

// Differences returns the leaves of before that are missing or different in after, in order. It does not return what
// after adds, nor list items that only change their order, nor empty values, apart from maps and lists that known holds
// and after lacks. known determines how list items are identified. A list of which known holds no items is a leaf.
func Differences(before, after map[string]any, known *paths.Set) []Difference {
	var d differ
	d.compare(nil, root(before), root(after), known)
	return slices.DeleteFunc(d.found, func(found Difference) bool {
		isGone := IsEmptyCollection(found.Before) && found.Presence == Absent && paths.OrEmpty(known).Has(found.Path)
		return isEmpty(found.Before) && !isGone
	})
}

// Changes returns all leaves that differ between before and after, in order. They are scalars, empty maps and empty
// lists, and lists of which known holds no items or whose common items change their order. The result is empty only if
// the versions are equal.
func Changes(before, after map[string]any, known *paths.Set) []Difference {
	d := differ{ordered: true}
	d.compare(nil, root(before), root(after), known)
	return d.found
}

type differ struct {
	// ordered is true if a list is a leaf when its common items change their order.
	ordered bool
	found   []Difference
}

func (d *differ) compare(path paths.Path, before, after node, known *paths.Set) {
	was, wasMap := before.value.(map[string]any)
	is, isMap := after.value.(map[string]any)
	if isOrLacks(before, wasMap) && isOrLacks(after, isMap) && len(was)+len(is) > 0 {
		for _, name := range namesOf(was, is) {
			element := paths.Field(name)
			d.compare(paths.Below(path, element), childOf(was, name), childOf(is, name), paths.Children(known, element))
		}
		return
	}
	if !d.compareItems(path, before, after, known) {
		d.leaf(path, before, after)
	}
}

func isOrLacks(at node, is bool) bool { return is || at.presence != Present }

func childOf(fields map[string]any, name string) node {
	value, has := fields[name]
	return node{value: value, presence: Presence(has), index: -1}
}

// namesOf returns the names in one of two maps, sorted.
func namesOf(one, other map[string]any) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(one)), maps.Keys(other))
	slices.Sort(names)
	return slices.Compact(names)
}

// compareItems compares lists item by item. It returns false for other values, and for lists that are leaves.
func (d *differ) compareItems(path paths.Path, before, after node, known *paths.Set) bool {
	was, wasList := before.value.([]any)
	is, isList := after.value.([]any)
	if !isOrLacks(before, wasList) || !isOrLacks(after, isList) || len(was)+len(is) == 0 {
		return false
	}
	earlier, named := itemNames(was, known)
	later, laterNamed := itemNames(is, known)
	if !named || !laterNamed {
		return false
	}
	items, laterItems := itemsByID(was, earlier), itemsByID(is, later)
	if d.ordered && !slices.Equal(within(earlier, laterItems), within(later, items)) {
		return false
	}
	added := slices.DeleteFunc(later, func(element paths.PathElement) bool {
		_, has := items[paths.ElementID(element)]
		return has
	})
	for _, element := range slices.Concat(earlier, added) {
		id := paths.ElementID(element)
		d.compare(paths.Below(path, element), childOf(items, id), childOf(laterItems, id),
			paths.Children(known, element))
	}
	return true
}

// itemNames returns the elements of a list's items, and false if only their positions identify some of them.
func itemNames(list []any, known *paths.Set) ([]paths.PathElement, bool) {
	names := NameItems(list, known)
	for _, element := range names {
		if element.Index != nil {
			return nil, false
		}
	}
	return names, true
}

func itemsByID(list []any, names []paths.PathElement) map[string]any {
	items := make(map[string]any, len(list))
	for i, element := range names {
		items[paths.ElementID(element)] = list[i]
	}
	return items
}

// within returns the IDs of those items that are in the other list, too, in order.
func within(names []paths.PathElement, others map[string]any) []string {
	var common []string
	for _, element := range names {
		if _, has := others[paths.ElementID(element)]; has {
			common = append(common, paths.ElementID(element))
		}
	}
	return common
}

func (d *differ) leaf(path paths.Path, before, after node) {
	isPresent := before.presence == Present && after.presence == Present
	if isPresent && Fingerprint(before.value) == Fingerprint(after.value) {
		return
	}
	d.found = append(d.found, Difference{
		Path: path, Before: before.value, After: after.value, Presence: after.presence,
	})
}

// MergePatch returns the merge patch that sets all of after in an object, and removes the fields that only before has.
func MergePatch(before, after map[string]any) map[string]any {
	patch := make(map[string]any, len(after))
	for name, value := range after {
		inner, isMap := value.(map[string]any)
		was, wasMap := before[name].(map[string]any)
		if isMap && wasMap {
			value = MergePatch(was, inner)
		}
		patch[name] = value
	}
	for name := range before {
		if _, stays := after[name]; !stays {
			patch[name] = nil
		}
	}
	return patch
}
