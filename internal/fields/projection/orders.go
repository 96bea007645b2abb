package projection

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Order is the order of some items of a list with keys.
type Order struct {
	Path  paths.Path
	Items []paths.PathElement
}

// Orders returns the lists of which fields holds several items with keys that object has, each with these items in the
// order in which object has them. Other items of the lists do not count.
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
