package wanted

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// withItemsWhole returns fields without the fields inside of the list items and map entries that it contains: an apply
// that leaves out one of them removes it with its content.
func withItemsWhole(fields *paths.Set) *paths.Set {
	items := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, isLeaf bool) {
		if !isLeaf && !paths.Touches(items, path) {
			items.Insert(path)
		}
	})
	return fields.RecursiveDifference(items).Union(items)
}

// exclusive returns the fields of manager that no other manager owns, without the maps that it owns without any part
// and in which other managers own fields.
func exclusive(claims ownership.Claims, manager string) *paths.Set {
	own, others := claims.Own(manager), claims.Others(manager).Fields()
	return paths.Filter(own.Difference(others), func(path paths.Path) bool {
		isMap := path[len(path)-1].FieldName != nil && !ownership.HasParts(own, path)
		return !isMap || !ownership.HasParts(others, path)
	})
}

// Filled returns the parts of fields that manager owns, and that other managers own, too, or have filled.
func Filled(claims ownership.Claims, manager string, fields []paths.Path) *paths.Set {
	return Within(claims.Own(manager).Difference(exclusive(claims, manager)), fields)
}

// Emptied returns the edits that empty each of fields whose parts would all be removed with the claim of manager, which
// is ours. A list item is removed together with the fields that other managers own inside of it, unless they own the
// item itself. The unowned fields of a map of which only we own a part are removed, too.
func Emptied(live map[string]any, claims ownership.Claims, manager string, fields []paths.Path) []cluster.Edit {
	ours := exclusive(claims, manager)
	leaving := ownership.OutermostLeaving(claims.Own(manager), claims.Others(manager).Fields())
	var edits []cluster.Edit
	for _, path := range fields {
		value, _ := projection.Lookup(live, path)
		pointer, has := projection.Pointer(live, path)
		whole := paths.OrEmpty(paths.PartsOf(leaving, path))
		parts := withItemsWhole(paths.OrEmpty(paths.PartsOf(ours, path)))
		stays := projection.Strip(value, parts) != nil &&
			projection.Strip(value, parts.RecursiveDifference(whole).Union(whole)) != nil
		if !has || projection.IsEmptyCollection(value) || stays {
			continue
		}
		switch value.(type) {
		case map[string]any:
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: map[string]any{}})
		case []any:
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: []any{}})
		}
	}
	// Inner maps come first, because emptying an outer one removes them.
	slices.SortFunc(edits, func(a, b cluster.Edit) int { return len(b.Pointer) - len(a.Pointer) })
	return edits
}
