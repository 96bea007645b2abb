package ownership

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// OutermostLeaving returns the outermost fields of ours that an apply removes if the fields in staying are what
// managers own after it. With a field of ours that leaves the body, server-side apply removes each map around it of
// which no manager owns a part, and all of an item that only we own.
func OutermostLeaving(ours, staying *paths.Set) *paths.Set {
	leaving := paths.NewSet()
	var visit func(ours, staying *paths.Set, at paths.Path)
	visit = func(ours, staying *paths.Set, at paths.Path) {
		for _, part := range paths.Parts(ours) {
			path, below := paths.Below(at, part.Element), paths.Children(staying, part.Element)
			isField := part.Element.FieldName != nil
			if paths.Has(staying, part.Element) || isField && below != nil || !isField && !part.IsMember {
				visit(part.Below, below, path)
				continue
			}
			leaving.Insert(path)
		}
	}
	visit(ours, staying, nil)
	return leaving
}
