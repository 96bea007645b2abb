package ownership

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Apply describes a forced apply of ours that has not happened yet.
type Apply struct {
	// Manager is the entry that the apply will write.
	Manager Manager
	// Fields are the fields that we will own: the field set of our entry in the server's answer.
	Fields *paths.Set
	// Differs reports whether the body's value of a leaf of Fields differs from the live value, compared as written:
	// the server compares raw values, so 1000m differs from 1.
	Differs func(leaf paths.Path) bool
	// IsWhole reports whether the live value of a field of other managers is one value without parts, a string or a
	// list, to which no part can be added: the server replaces it if Fields holds parts of it. Nil means no field.
	IsWhole func(field paths.Path) bool
	// IsAbsent reports whether a field of other managers has no live value, for example a map that they applied without
	// content. To the server, that differs from a map or list that contains parts of Fields. Nil means no field.
	IsAbsent func(field paths.Path) bool
	// Replaces reports whether the value that the body gives a leaf of Fields replaces the parts that other managers
	// hold of the live one, as a string replaces a map. Nil means no leaf.
	Replaces func(leaf paths.Path) bool
	// Removes holds fields of other managers that are removed with the apply. Nil removes nothing.
	Removes *paths.Set
}

// Holder is a manager that owns a field, with the time of its last write to any of its fields; zero if its entry has
// none.
type Holder struct {
	Manager
	Time time.Time
}

// Taken is a field that an apply takes from the managers that hold another value.
type Taken struct {
	Path paths.Path
	From []Holder
}

// Prediction is the predicted effect of an apply on the claims.
type Prediction struct {
	After Claims
	// Taken are the fields whose owner changes, sorted by path.
	Taken []Taken
	// Removed are the fields that other managers lose with their values, sorted by path.
	Removed []Removed
}

// Predict returns the claims after the apply. Fields with equal values are shared, and fields with other values are
// taken from all other managers. Fields that our entry held before and no longer holds leave us: they keep their value
// if another manager holds them or they are released first, and are removed otherwise. A list item or map entry is
// removed with all that other managers hold inside of it, unless another manager holds the item itself. So are the
// parts of a value that is replaced as a whole. Nothing is mutated.
func (c Claims) Predict(apply Apply) Prediction {
	own := apply.Manager
	removed, replaced := c.Pruned(apply).Union(paths.OrEmpty(apply.Removes)), apply.replaced(c.Others(own.Name))
	differs := apply.differing(c.Others(own.Name))
	lost := losses{causes: removed.Union(replaced)}
	predicted := Prediction{}
	taken := map[string]*Taken{}
	var order []string
	for _, claim := range c.Others(own.Name) {
		evicted := claim.Fields.Intersection(differs)
		paths.Walk(evicted, func(path paths.Path, _ bool) {
			id := paths.ID(path)
			if taken[id] == nil {
				taken[id] = &Taken{Path: path}
				order = append(order, id)
			}
			taken[id].From = append(taken[id].From, claim.Holder())
		})
		kept := claim.Fields.Difference(evicted)
		kept = withoutParts(kept.RecursiveDifference(removed), replaced)
		lost.add(claim, evicted, kept)
		claim.Fields = kept
		if !claim.Fields.Empty() {
			predicted.After = append(predicted.After, claim)
		}
	}
	predicted.After = c.insertOwn(predicted.After, apply)
	for _, id := range order {
		predicted.Taken = append(predicted.Taken, *taken[id])
	}
	slices.SortFunc(predicted.Taken, func(a, b Taken) int { return a.Path.Compare(b.Path) })
	predicted.Removed = lost.list()
	return predicted
}

// differing returns those of the applied fields that other managers hold with another value. Only leaves have a value
// of their own: a map or list item that both sides hold is there for both. A field that other managers hold as one
// value, and to which the body gives parts, has another value too.
func (a Apply) differing(others Claims) *paths.Set {
	contested := a.Fields.Leaves().Intersection(others.Fields())
	return paths.Filter(contested, a.Differs).Union(a.becomingMaps(others))
}

// Pruned returns the list items and map entries that leave our claim and that no other manager holds.
func (c Claims) Pruned(apply Apply) *paths.Set {
	before := c.Own(apply.Manager.Name)
	others := c.Others(apply.Manager.Name).Fields()
	removed := paths.NewSet()
	paths.Walk(before.Difference(apply.Fields), func(path paths.Path, leaf bool) {
		isItem := path[len(path)-1].FieldName == nil || !leaf
		if isItem && !others.Has(path) {
			removed.Insert(path)
		}
	})
	return removed
}

// insertOwn inserts our claim at its position in the server's order. An apply that changes nothing keeps the position.
// Otherwise the claim follows all other applies, because its time is the newest.
func (c Claims) insertOwn(others Claims, apply Apply) Claims {
	if apply.Fields.Empty() {
		return others
	}
	own := Claim{Manager: apply.Manager, Fields: apply.Fields}
	position := 0
	unchanged := apply.Fields.Equals(c.Own(apply.Manager.Name))
	before := slices.IndexFunc(c, func(claim Claim) bool { return claim.IsOwn(own.Name) })
	for i, claim := range others {
		if claim.Operation != metav1.ManagedFieldsOperationApply {
			break
		}
		if unchanged && before < c.index(claim.Manager) {
			break
		}
		position = i + 1
	}
	return slices.Insert(slices.Clone(others), position, own)
}

// Holder returns the manager of the claim.
func (c Claim) Holder() Holder { return Holder{Manager: c.Manager, Time: c.Time} }

// Holders returns the managers that hold a field, in order.
func (c Claims) Holders(field paths.Path) []Holder {
	return HoldersOf(c, func(fields *paths.Set) bool { return fields.Has(field) })
}

// HoldersWithin returns the managers that hold a field or a part of it, in order.
func (c Claims) HoldersWithin(field paths.Path) []Holder {
	return HoldersOf(c, func(fields *paths.Set) bool { return Holds(fields, field) })
}

// HoldersOf returns the managers for whose fields hold returns true, in order.
func HoldersOf(claims Claims, hold func(fields *paths.Set) bool) []Holder {
	var holders []Holder
	for _, claim := range claims {
		if hold(claim.Fields) {
			holders = append(holders, claim.Holder())
		}
	}
	return holders
}

// FieldsOf returns the fields of a manager.
func (c Claims) FieldsOf(manager Manager) *paths.Set {
	if at := c.index(manager); at >= 0 {
		return c[at].Fields
	}
	return paths.NewSet()
}

func (c Claims) index(manager Manager) int {
	return slices.IndexFunc(c, func(claim Claim) bool { return claim.Manager == manager })
}

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
	is := func(asked func(paths.Path) bool, path paths.Path) bool { return asked != nil && asked(path) }
	return paths.Filter(others.Fields().Leaves(), func(path paths.Path) bool {
		return HasNamedParts(a.Fields, path) && is(a.IsWhole, path) || HasParts(a.Fields, path) && is(a.IsAbsent, path)
	})
}

// replaced returns the leaves of the apply whose value replaces the parts that other managers hold.
func (a Apply) replaced(others Claims) *paths.Set {
	if a.Replaces == nil {
		return paths.NewSet()
	}
	held := others.Fields()
	return paths.Filter(a.Fields.Leaves(), func(path paths.Path) bool {
		return HasParts(held, path) && a.Replaces(path)
	})
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
	keys := paths.Filter(lost, paths.IsKeyField)
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
var named = paths.NewSet(paths.FieldPath("metadata", "name"))

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
