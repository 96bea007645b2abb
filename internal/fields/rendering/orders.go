package rendering

import (
	"maps"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// orderMark is how the order of a list begins where attributes and warnings show it.
const orderMark = "order: "

// IsOrder reports whether a string is one of [Renderer.Order]. It returns false for an order so long that only its
// digest is shown.
func IsOrder(text string) bool { return strings.HasPrefix(text, orderMark) }

// Order returns the order of a list as attributes and warnings show it: the keys of its items. It returns false if the
// keys may be secret.
func (r Renderer) Order(order projection.Order) (string, bool) {
	var items []string
	for _, item := range order.Items {
		path := paths.Below(order.Path, item)
		if len(r.RedactedPath(path)) < len(path) || r.IsSecret(path) {
			return "", false
		}
		keys := paths.KeyFields(item)
		var values []string
		for _, name := range slices.Sorted(maps.Keys(keys)) {
			values = append(values, r.Text(nil, keys[name]))
		}
		items = append(items, strings.Join(values, "/"))
	}
	return r.Text(order.Path, orderMark+strings.Join(items, ", ")), true
}

// Orders maps the string of each list in which object and body do not have the common items of fields in the same order
// to the order in object. Lists whose keys may be secret are left out.
func (r Renderer) Orders(object, body map[string]any, fields *paths.Set, formatter Formatter) map[string]string {
	orders := map[string]string{}
	if len(body) == 0 {
		return orders
	}
	for _, order := range projection.Reordered(object, body, fields) {
		if text, isPublic := r.Order(order); isPublic {
			orders[formatter.Format(order.Path)] = text
		}
	}
	return orders
}

// IsReordered reports whether the common items of two results of Order are in different orders. before may be any value
// that the state shows for a list.
func IsReordered(before, after string) bool {
	was, is := strings.TrimPrefix(before, orderMark), strings.TrimPrefix(after, orderMark)
	switch {
	case is == after:
		return before != after // They are so long that only their digests are shown.
	case was == before:
		return false // It is the value of the whole list, which had one owner then.
	}
	earlier, later := strings.Split(was, ", "), strings.Split(is, ", ")
	within := func(items, others []string) []string {
		return slices.DeleteFunc(slices.Clone(items), func(item string) bool { return !slices.Contains(others, item) })
	}
	return !slices.Equal(within(earlier, later), within(later, earlier))
}
