package wanted

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Server-side apply removes the fields that leave our claim, and each map or list around them in which no manager owns
// anything any more, with the values that no manager owns. So values that we released, or that other managers have
// released since, would be removed with our last field next to them. To keep those values, a JSON patch removes our
// fields and nothing else.

// PrunedAsAWhole returns the outermost maps and lists that an apply of body by manager would remove as a whole,
// although fields of kept are in them. claims are those before the apply. A list item of ours that leaves the body is
// removed with all its content.
func PrunedAsAWhole(claims ownership.Claims, manager string, body map[string]any, kept *paths.Set) []paths.Path {
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
			stays := reader.Has(path) || paths.Has(others, part.Element)
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

// IsBare reports whether a body contains only the identity of an object.
func IsBare(body map[string]any) bool {
	metadata, _ := body["metadata"].(map[string]any)
	for name := range metadata {
		if name != "name" && name != "namespace" && name != "uid" {
			return false
		}
	}
	return !HasContent(body)
}

// HasContent reports whether a body contains fields other than apiVersion, kind and metadata.
func HasContent(body map[string]any) bool {
	for name := range body {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			return true
		}
	}
	return false
}

// Stripped returns the edits that set each of fields to its value without the parts that only manager owns. Fields
// whose whole value would go get no edit.
func Stripped(live map[string]any, claims ownership.Claims, manager string, fields []paths.Path) []cluster.Edit {
	ours, reader := exclusive(claims, manager), projection.NewReader(live)
	var edits []cluster.Edit
	for _, path := range fields {
		pointer, has := reader.Pointer(path)
		value, _ := reader.Lookup(path)
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

// WhenPruneRefused returns BeforeApply for the case that the server refuses what would remain of a field that leaves
// the body: managers to take over then lose all of the outermost map or list that leaves with it. For example, kubectl
// owns a probe itself, the fields that it set in the probe, and the server's defaults in it. Fields that refusal does
// not name keep the parts that kubectl set.
func (w Wanted) WhenPruneRefused(claims ownership.Claims, previousManager string, refusal error) ownership.Rewrite {
	return pruning(w, claims, previousManager, func(path paths.Path) bool { return refusals.Refuses(refusal, path) })
}

// MayPruneMore reports whether managers to take over own parts of fields that leave the body, which they lose only if
// the server refuses these parts alone.
func MayPruneMore(w Wanted) bool {
	claims, previous := w.Claims(), w.PreviousManager()
	all := pruning(w, claims, previous, func(paths.Path) bool { return true })
	return all.Changes(w.BeforeApply(claims, previous).Claims(claims))
}

// pruning returns BeforeApply, with which managers to take over also lose all of the outermost maps and lists that
// leave the body and that are refused.
func pruning(
	w Wanted, claims ownership.Claims, previousManager string, isRefused func(paths.Path) bool,
) ownership.Rewrite {
	rewrite := w.BeforeApply(claims, previousManager)
	rewrite.Removed = paths.NewSet()
	body := projection.NewReader(w.Keys.Complete(w.Manifest.Object))
	paths.Walk(rewrite.Declared, func(path paths.Path, _ bool) {
		for length := 1; length <= len(path); length++ {
			if body.Has(path[:length]) {
				continue
			}
			if isRefused(path[:length]) {
				rewrite.Removed.Insert(path[:length].Copy())
			}
			return
		}
	})
	return rewrite
}

// WithoutFields returns the edits that remove fields of maps, and that set each list around fields to its remaining
// items.
func WithoutFields(live map[string]any, fields *paths.Set) []cluster.Edit {
	var edits []cluster.Edit
	done := map[string]bool{}
	reader := projection.NewReader(live)
	rest, _ := projection.Strip(live, fields).(map[string]any)
	// A field goes with a map that goes, and could not be removed after it.
	paths.Walk(paths.Outermost(projection.WithValues(live, fields)), func(field paths.Path, _ bool) {
		list := outermostList(field)
		if list == nil {
			if pointer, has := reader.Pointer(field); has {
				edits = append(edits, cluster.Edit{Pointer: pointer, Remove: true})
			}
			return
		}
		pointer, has := reader.Pointer(list)
		if !has || done[paths.ID(list)] {
			return
		}
		done[paths.ID(list)] = true
		value, _ := projection.Lookup(rest, list)
		if value == nil {
			value = []any{} // Strip leaves out empty lists.
		}
		edits = append(edits, cluster.Edit{Pointer: pointer, Value: value})
	})
	return edits
}

// outermostList returns the outermost list around a field; nil without one. The positions of its items change as items
// are removed.
func outermostList(field paths.Path) paths.Path {
	for length, element := range field {
		if element.FieldName == nil {
			return field[:length]
		}
	}
	return nil
}

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
	reader := projection.NewReader(live)
	var edits []cluster.Edit
	for _, path := range fields {
		value, _ := reader.Lookup(path)
		pointer, has := reader.Pointer(path)
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

// Additions returns the fields that other managers have added to the object by the last read, without those that the
// manifest contains; nil for a part and a patch. A field that leaves the manifest is an addition if other managers own
// it, too.
func Additions(w Wanted) []additions.Addition {
	if w.IsPart || w.Patch != nil {
		return nil
	}
	snapshot := w.Prior.Snapshot
	claims := snapshot.Claims
	declared := projection.WithValues(w.Keys.Complete(w.Manifest.Object), claims.Fields())
	if w.Manifest.APIVersion == w.Prior.Object.APIVersion {
		claims = claims.WithOwn(w.FieldManager, claims.Own(w.FieldManager).Intersection(declared))
	} else { // The manifest may have other names for the fields of the claims.
		declared = declared.Union(paths.OrEmpty(snapshot.Fields.Declared))
	}
	return AdditionsBeside(w, claims, declared)
}

// AdditionsBeside returns the additions to an object with these claims of which the manifest contains the fields
// declared.
func AdditionsBeside(w Wanted, claims ownership.Claims, declared *paths.Set) []additions.Addition {
	// A map whose last part leaves with us is no addition of a manager that owns nothing else of it.
	after, before := claims.Fields(), w.Claims().Own(w.FieldManager)
	found := slices.DeleteFunc(record.AdditionsTo(claims, w.FieldManager, w.Left(), declared, w.Prior.Snapshot),
		func(addition additions.Addition) bool {
			return !ownership.HasParts(after, addition.Path) && ownership.HasParts(before, addition.Path)
		})
	renderer := w.LiveRenderer()
	for i, addition := range found {
		// Only a run that has read the object knows this key, and both of Terraform's plans have to agree.
		if len(renderer.RedactedPath(addition.Path)) < len(addition.Path) {
			found[i].Stays = additions.SecretKey
		}
	}
	return found
}

// removeAdditions adds to Remove what only people and their tools have added, if the configuration asks for that. It
// takes the fields from the snapshot: both of Terraform's plans have to remove the same.
func removeAdditions(w Wanted) Wanted {
	if w.OnAddition != arguments.RemoveAdditions {
		return w
	}
	var fields []paths.Path
	for _, addition := range Additions(w) {
		if addition.Stays == "" {
			fields = append(fields, addition.Path)
		}
	}
	w.Remove = append(w.Remove[:len(w.Remove):len(w.Remove)], paths.Covering(fields, w.Claims().Formatter())...)
	return w
}
