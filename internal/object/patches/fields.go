package patches

import (
	"maps"
	"reflect"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// Change describes what happens to a field.
type Change string

// The changes.
const (
	Added   Change = "Added"
	Changed Change = "Changed"
	Removed Change = "Removed"
)

// Field is a field of an object that a patch changes.
type Field struct {
	Path   paths.Path
	Change Change
	// Before is nil if Change is Added, After if it is Removed.
	Before, After any
}

// Fields returns the fields whose values differ in two versions of an object, each of which is the Before or After of a
// Result. They are scalars, empty maps and empty lists. The result is empty only if the versions are equal.
//
// known determines how the items of lists are identified: it is the union of all claims in the managedFields of the
// object. A list is compared item by item if known names all its items in both versions; then the path of a field
// contains the keys of its item. Any other list is a field as a whole, and so is a list in which the common items
// change their order. If known is nil, every list is a field as a whole.
func Fields(before, after map[string]any, known *paths.Set) []Field {
	var d differ
	d.compare(nil, present(before), present(after), known)
	return d.found
}

// version is a value in one version of an object; the zero version is a field that is missing.
type version struct {
	value any
	has   bool
}

func present(value any) version { return version{value: value, has: true} }

func versionOf[K comparable](values map[K]any, name K) version {
	value, has := values[name]
	return version{value: value, has: has}
}

type differ struct{ found []Field }

func (d *differ) compare(at paths.Path, before, after version, known *paths.Set) {
	was, wasMap := before.value.(map[string]any)
	is, isMap := after.value.(map[string]any)
	if (wasMap || !before.has) && (isMap || !after.has) && len(was)+len(is) > 0 {
		for _, name := range sortedNames(was, is) {
			element := paths.Field(name)
			d.compare(paths.Below(at, element), versionOf(was, name), versionOf(is, name), paths.Children(known, element))
		}
		return
	}
	if !d.compareItems(at, before, after, known) {
		d.leaf(at, before, after)
	}
}

// compareItems compares lists item by item. It returns false for other values, and for lists that are compared as a
// whole.
func (d *differ) compareItems(at paths.Path, before, after version, known *paths.Set) bool {
	was, wasList := before.value.([]any)
	is, isList := after.value.([]any)
	if !wasList && before.has || !isList && after.has || len(was)+len(is) == 0 {
		return false
	}
	earlier, named := identify(was, known)
	later, laterNamed := identify(is, known)
	if !named || !laterNamed || !slices.Equal(common(earlier, later), common(later, earlier)) {
		return false
	}
	added := slices.DeleteFunc(slices.Clone(later.ids), earlier.has)
	for _, id := range slices.Concat(earlier.ids, added) {
		element := later.elements[id]
		if earlier.has(id) {
			element = earlier.elements[id]
		}
		d.compare(paths.Below(at, element), versionOf(earlier.values, id), versionOf(later.values, id), paths.Children(known, element))
	}
	return true
}

// items are the items of a list by strings that identify them.
type items struct {
	ids      []string
	elements map[string]paths.PathElement
	values   map[string]any
}

func (i items) has(id string) bool {
	_, has := i.elements[id]
	return has
}

// identify returns the items of a list, and false if only their positions tell them apart.
func identify(list []any, known *paths.Set) (items, bool) {
	found := items{elements: map[string]paths.PathElement{}, values: map[string]any{}}
	for i, element := range projection.NameItems(list, known) {
		if element.Index != nil {
			return items{}, false
		}
		id := paths.ID(paths.Path{element})
		found.ids = append(found.ids, id)
		found.elements[id], found.values[id] = element, list[i]
	}
	return found, true
}

// common returns the identifying strings of one list that are in the other list too, in order.
func common(one, other items) []string {
	return slices.DeleteFunc(slices.Clone(one.ids), func(id string) bool { return !other.has(id) })
}

func (d *differ) leaf(at paths.Path, before, after version) {
	field := Field{Path: at, Change: Changed, Before: before.value, After: after.value}
	switch {
	case !before.has:
		field.Change = Added
	case !after.has:
		field.Change = Removed
	case reflect.DeepEqual(before.value, after.value):
		return
	}
	d.found = append(d.found, field)
}

// textOfPath returns the path of a field as users write it.
func textOfPath(field Field) string { return paths.Format(field.Path) }

// sortedNames returns the names in any of the maps, sorted.
func sortedNames(all ...map[string]any) []string {
	var names []string
	for _, fields := range all {
		names = slices.AppendSeq(names, maps.Keys(fields))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
