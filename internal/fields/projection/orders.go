package projection

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Order is the order of some items of a list with keys.
type Order struct {
	Path  paths.Path
	Items []paths.PathElement
}

// Orders returns the lists of which fields contains several items with keys that are in object, each with these items
// in the order of object. Other items of the lists do not count.
func Orders(object map[string]any, fields *paths.Set) []Order {
	return ordersIn(nil, root(object), fields, nil)
}

// Reordered returns those of Orders in which object and other do not have their common items in the same order.
func Reordered(object, other map[string]any, fields *paths.Set) []Order {
	here := Orders(object, fields)
	if len(here) == 0 {
		return nil
	}
	positions := map[string]int{}
	for _, order := range Orders(other, fields) {
		for position, item := range order.Items {
			positions[paths.ID(paths.Below(order.Path, item))] = position
		}
	}
	var reordered []Order
	for _, order := range here {
		var common []int
		for _, item := range order.Items {
			if position, has := positions[paths.ID(paths.Below(order.Path, item))]; has {
				common = append(common, position)
			}
		}
		if !slices.IsSorted(common) {
			reordered = append(reordered, order)
		}
	}
	return reordered
}

// Arranged returns object with the items that orders name in that order, at the positions that these items have there.
// Other items keep their positions. object is not mutated.
func Arranged(object map[string]any, orders []Order) map[string]any {
	for _, order := range orders {
		object, _ = arrange(object, order.Path, order.Items).(map[string]any)
	}
	return object
}

func arrange(value any, at paths.Path, order []paths.PathElement) any {
	switch value := value.(type) {
	case map[string]any:
		if len(at) == 0 || at[0].FieldName == nil {
			return value
		}
		if inner, has := value[*at[0].FieldName]; has {
			value = maps.Clone(value)
			value[*at[0].FieldName] = arrange(inner, at[1:], order)
		}
		return value
	case []any:
		known, out := items{list: value}, slices.Clone(value)
		if len(at) > 0 {
			if position := known.find(at[0]); position >= 0 {
				out[position] = arrange(value[position], at[1:], order)
			}
			return out
		}
		var from []int
		for _, item := range order {
			if position := known.find(item); position >= 0 {
				from = append(from, position)
			}
		}
		for i, position := range slices.Sorted(slices.Values(from)) {
			out[position] = value[from[i]]
		}
		return out
	default:
		return value
	}
}

// ordersIn appends to found the lists at and below a node.
func ordersIn(path paths.Path, at node, fields *paths.Set, found []Order) []Order {
	children := childrenOf(at)
	type positioned struct {
		element paths.PathElement
		index   int
	}
	var items []positioned
	for _, part := range paths.Parts(fields) {
		if part.Below == nil && part.Element.Key == nil {
			continue
		}
		child := children.get(part.Element)
		if child.presence != Present {
			continue
		}
		if part.Element.Key != nil {
			items = append(items, positioned{part.Element, child.index})
		}
		if part.Below != nil {
			found = ordersIn(paths.Below(path, part.Element), child, part.Below, found)
		}
	}
	if len(items) < 2 {
		return found
	}
	slices.SortStableFunc(items, func(a, b positioned) int { return a.index - b.index })
	order := Order{Path: path}
	for _, item := range items {
		order.Items = append(order.Items, item.element)
	}
	return append(found, order)
}
