package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// Server-side apply removes the fields that leave our claim, and each map or list around them in which no manager owns
// anything any more, with the values that no manager owns. So values that we released, or that other managers have
// released since, would be removed with our last field next to them. To keep such values, a JSON patch removes our
// fields and nothing else.

// Endangered returns the outermost maps and lists that an apply of body by manager would remove as a whole, although
// fields of kept are in them. claims are those before the apply. A list item of ours that leaves the body is removed
// with all its content.
func Endangered(claims ownership.Claims, manager string, body map[string]any, kept *paths.Set) []paths.Path {
	if kept.Empty() {
		return nil
	}
	var found []paths.Path
	reader := projection.NewReader(body)
	var visit func(own, others, kept *paths.Set, at paths.Path)
	visit = func(own, others, kept *paths.Set, at paths.Path) {
		for _, part := range paths.Parts(own) {
			below := paths.Children(kept, part.Element)
			if below == nil {
				continue
			}
			path, theirs := paths.Below(at, part.Element), paths.Children(others, part.Element)
			_, written := reader.Lookup(path)
			stays := written == projection.Present || paths.Has(others, part.Element)
			switch {
			// The field stays, or another manager owns a part of this map: only something inside of it can be
			// removed as a whole.
			case stays || theirs != nil && part.Element.FieldName != nil:
				visit(part.Below, theirs, below, path)
			case part.Element.FieldName != nil:
				found = append(found, path)
			// The server removes an item only with a claim on the item itself, and not with claims on its parts.
			case !part.IsMember:
				visit(part.Below, theirs, below, path)
			}
		}
	}
	visit(claims.Own(manager), claims.Others(manager).Fields(), kept, nil)
	return found
}

// IsBare reports whether a body has only the identity of an object.
func IsBare(body map[string]any) bool {
	metadata, _ := body["metadata"].(map[string]any)
	for name := range metadata {
		if name != "name" && name != "namespace" && name != "uid" {
			return false
		}
	}
	for name := range body {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			return false
		}
	}
	return true
}

// Stripped returns the edits that set each of fields to what is left of it without the part of manager; fields of which
// nothing is left get no edit.
func Stripped(live map[string]any, claims ownership.Claims, manager string, fields []paths.Path) []cluster.Edit {
	ours := exclusive(claims, manager)
	var edits []cluster.Edit
	for _, path := range fields {
		pointer, has := projection.Pointer(live, path)
		value, _ := projection.Lookup(live, path)
		if rest := projection.Strip(value, paths.PartsOf(ours, path)); has && rest != nil {
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: rest})
		}
	}
	return edits
}

// Within returns the part of fields below any of roots, as paths from the root of the object.
func Within(fields *paths.Set, roots []paths.Path) *paths.Set {
	part := paths.NewSet()
	for _, root := range roots {
		paths.Walk(paths.PartsOf(fields, root), func(path paths.Path, _ bool) {
			part.Insert(append(root.Copy(), path...))
		})
	}
	return part
}
