package projection

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// Difference is a leaf of an object that has another value, or no value, in another version of the object.
type Difference struct {
	Path paths.Path
	// Before is the value, After that of the other version; After is nil if Presence is Absent.
	Before, After any
	Presence      Presence
}

// Differences returns the leaves of before that are missing or different in after, in order. It does not return what
// after adds. known determines how list items are identified. A list of which known holds no items is a leaf.
func Differences(before, after map[string]any, known *paths.Set) []Difference {
	var d differ
	d.compare(nil, root(before), root(after), known)
	return d.found
}

type differ struct{ found []Difference }

func (d *differ) compare(path paths.Path, before, after node, known *paths.Set) {
	switch value := before.value.(type) {
	case map[string]any:
		other, isMap := after.value.(map[string]any)
		if after.presence == Present && !isMap {
			d.leaf(path, before, after)
			return
		}
		for _, name := range sortedNames(value) {
			element := paths.Field(name)
			child := node{value: value[name], presence: Present}
			d.compare(paths.Below(path, element), child, childOf(other, name), paths.Children(known, element))
		}
	case []any:
		d.compareLists(path, value, before, after, known)
	case nil:
	default:
		d.leaf(path, before, after)
	}
}

func childOf(fields map[string]any, name string) node {
	value, has := fields[name]
	if !has {
		return node{}
	}
	return node{value: value, presence: Present}
}

func (d *differ) compareLists(path paths.Path, list []any, before, after node, known *paths.Set) {
	other, isList := after.value.([]any)
	names, named := itemNames(list, known)
	others, othersNamed := itemNames(other, known)
	if !named || !othersNamed || after.presence == Present && !isList {
		d.leaf(path, before, after)
		return
	}
	items := make(map[string]any, len(other))
	for i, element := range others {
		items[paths.ElementID(element)] = other[i]
	}
	for i, element := range names {
		d.compare(paths.Below(path, element), node{value: list[i], presence: Present}, childOf(items, paths.ElementID(element)), paths.Children(known, element))
	}
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

func (d *differ) leaf(path paths.Path, before, after node) {
	if after.presence == Present && Fingerprint(before.value) == Fingerprint(after.value) || isEmpty(before.value) {
		return
	}
	d.found = append(d.found, Difference{Path: path, Before: before.value, After: after.value, Presence: presenceOf(after)})
}
