package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// NewItem is a list item that an apply adds, because no item of the object has its keys.
type NewItem struct {
	Field string
	// Others are the items that the list has.
	Others []string
}

// NewItems returns the outermost list items with keys that the apply of a part adds, in order of their paths. For a
// whole object, these are the items that its first apply adds beside other items, and those that a later one adds
// again.
func (in Inputs) NewItems() []NewItem {
	if !in.Wanted.IsPart {
		return in.addsBeside()
	}
	added := wanted.AddedBy(in.Wanted.Arguments, in.Wanted.Prior, in.Applied)
	if added == nil || in.Wanted.Prior.Live == nil {
		return nil
	}
	names := in.Wanted.LiveRenderer().Names(in.Wanted.Claims().Formatter(in.Applied))
	declared := paths.OrEmpty(in.Wanted.Prior.Snapshot.Fields.Declared)
	return NewItems(in.Applied, projection.NewReader(in.Wanted.Prior.Live), names, func(path paths.Path) bool {
		return added.Has(path) && !declared.Has(path)
	})
}

// NewItems returns the outermost list items with keys among fields that are new to a live object, in order of their
// paths.
func NewItems(
	fields *paths.Set, live *projection.Reader, names rendering.Formatter, isNew func(paths.Path) bool,
) []NewItem {
	var items []NewItem
	var visit func(fields *paths.Set, at paths.Path)
	visit = func(fields *paths.Set, at paths.Path) {
		for _, part := range paths.Parts(fields) {
			path := paths.Below(at, part.Element)
			if !part.IsMember || paths.KeyFields(part.Element) == nil || !isNew(path) {
				visit(part.Below, path)
				continue
			}
			value, _ := live.Lookup(at)
			list, _ := value.([]any)
			item := NewItem{Field: names.Format(path)}
			for _, element := range projection.NameItems(list, fields) {
				item.Others = append(item.Others, names.Format(paths.Below(at, element)))
			}
			items = append(items, item)
		}
	}
	visit(fields, nil)
	return items
}
