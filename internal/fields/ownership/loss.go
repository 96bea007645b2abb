package ownership

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Removed is a field of other managers that an apply removes together with something that contains it.
type Removed struct {
	Path paths.Path
	// With is the list item or map entry that leaves our claim, or the field whose value is replaced.
	With paths.Path
	From []Holder
}

// TakenFields returns the paths of Taken.
func (f Prediction) TakenFields() *paths.Set {
	fields := paths.NewSet()
	for _, taken := range f.Taken {
		fields.Insert(taken.Path)
	}
	return fields
}

// becomingMaps returns the fields that other managers hold as one value, or without a value, and to which the apply
// gives parts.
func (a Apply) becomingMaps(others Claims) *paths.Set {
	fields := paths.NewSet()
	is := func(asked func(paths.Path) bool, path paths.Path) bool { return asked != nil && asked(path) }
	paths.Walk(others.Fields(), func(path paths.Path, leaf bool) {
		if leaf && (HasNamedParts(a.Fields, path) && is(a.IsWhole, path) ||
			HasParts(a.Fields, path) && is(a.IsAbsent, path)) {
			fields.Insert(path)
		}
	})
	return fields
}

// replaced returns the leaves of the apply whose value replaces the parts that other managers hold.
func (a Apply) replaced(others Claims) *paths.Set {
	replaced := paths.NewSet()
	if a.Replaces == nil {
		return replaced
	}
	held := others.Fields()
	paths.Walk(a.Fields, func(path paths.Path, leaf bool) {
		if leaf && HasParts(held, path) && a.Replaces(path) {
			replaced.Insert(path)
		}
	})
	return replaced
}

// HasNamedParts reports whether fields contains a part of a field with a name, which only parts of maps have.
func HasNamedParts(fields *paths.Set, path paths.Path) bool {
	return slices.ContainsFunc(paths.Elements(paths.PartsOf(fields, path)), func(e paths.PathElement) bool {
		return e.FieldName != nil
	})
}

// withoutParts returns fields without the parts of wholes; the wholes themselves stay.
func withoutParts(fields, wholes *paths.Set) *paths.Set {
	if wholes.Empty() {
		return fields
	}
	return fields.RecursiveDifference(wholes).Union(fields.Intersection(wholes))
}

// losses collects the fields that other managers lose because something that contains them is removed or replaced.
type losses struct {
	// causes are the items that are removed and the values that are replaced.
	causes *paths.Set
	all    []Claim
}

// add notes what a claim loses in addition to the fields that are taken from it.
func (l *losses) add(claim Claim, taken, kept *paths.Set) {
	if l.causes.Empty() {
		return
	}
	if claim.Fields = claim.Fields.Difference(taken).Difference(kept); !claim.Fields.Empty() {
		l.all = append(l.all, claim)
	}
}

// list returns each leaf that other managers lose, once, with all managers that lose it. It leaves out key fields,
// which are removed with their list item.
func (l *losses) list() []Removed {
	lost := Claims(l.all).Fields()
	keys := paths.NewSet()
	paths.Walk(lost, func(path paths.Path, _ bool) {
		if paths.IsKeyField(path) {
			keys.Insert(path)
		}
	})
	var removed []Removed
	paths.Walk(lost.Difference(keys).Leaves(), func(path paths.Path, _ bool) {
		removed = append(removed, Removed{Path: path, With: l.causeOf(path), From: Claims(l.all).Holders(path)})
	})
	return removed
}

// causeOf returns the outermost of the causes that contain a field.
func (l *losses) causeOf(path paths.Path) paths.Path {
	for length := 1; length < len(path); length++ {
		if l.causes.Has(path[:length]) {
			return path[:length].Copy()
		}
	}
	return path
}

// named is the field that each apply has and no manager owns.
var named = paths.NewSet(paths.Path{paths.Field("metadata"), paths.Field("name")})

// OutermostLeaving returns the outermost fields of ours that an apply removes if the fields in staying are what
// managers own after it. With a field of ours that leaves the body, server-side apply removes each map around it of
// which no manager owns a part, and all of an item that only we own. The name of the object stays, and so does
// metadata.
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
	visit(ours, staying.Union(named), nil)
	return leaving
}
