package ownership

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// ReconcileWithSchema returns the claims after the server takes each of wholes for one field, because the schema has
// made it atomic: a manager that held a part of it holds the whole. Nothing is mutated.
func (c Claims) ReconcileWithSchema(wholes *paths.Set) Claims {
	return c.WithFields(func(fields *paths.Set) *paths.Set { return ReconcileFields(fields, wholes) })
}

// ReconcileFields returns fields with each of wholes instead of its parts.
func ReconcileFields(fields, wholes *paths.Set) *paths.Set {
	paths.Walk(wholes, func(path paths.Path, _ bool) {
		whole := paths.NewSet(path)
		if rest := fields.RecursiveDifference(whole); !rest.Equals(fields) {
			fields = rest.Union(whole)
		}
	})
	return fields
}

// BecameAtomic returns the fields that the schema has made atomic. Before, a manager held parts of the field; in
// answered, the claims in an answer of the server, it holds the whole, and no manager holds a part any more. isEmpty
// reports maps and lists without content: a manager that applies one always holds it as a whole.
func (c Claims) BecameAtomic(answered Claims, isEmpty func(paths.Path) bool) *paths.Set {
	wholes, held := paths.NewSet(), answered.Fields()
	for _, now := range answered {
		before := c.FieldsOf(now.Manager)
		wholes = wholes.Union(paths.Filter(now.Fields.Leaves(), func(path paths.Path) bool {
			return !before.Has(path) && HasParts(before, path) && !HasParts(held, path) && !isEmpty(path)
		}))
	}
	return wholes
}

// BecameAtomicUnder returns the leaves of applied, our claim in answered, of which some manager held parts and that are
// one field now. given returns their values in the body. For the server, a map with content, or a list, is one field
// only if it is atomic. A map that is empty in the body is always one field. An empty list may be one: the server
// merges it if some manager still holds parts of it.
func (c Claims) BecameAtomicUnder(applied *paths.Set, answered Claims, given func(paths.Path) any) *paths.Set {
	held, still := c.Fields(), answered.Fields()
	return paths.Filter(applied.Leaves(), func(path paths.Path) bool {
		if !HasParts(held, path) {
			return false
		}
		named := HasNamedParts(held, path)
		switch value := given(path).(type) {
		case map[string]any:
			return named && len(value) > 0
		case []any:
			return !named && (len(value) > 0 || !HasParts(still, path))
		}
		return false
	})
}

// MayHaveBecomeAtomic returns the fields of which a manager other than fieldManager held the whole and parts, and now
// holds only the whole, and of which no manager holds parts in answered: the schema may have made them atomic since, or
// the parts were removed.
func (c Claims) MayHaveBecomeAtomic(answered Claims, fieldManager string) *paths.Set {
	fields, still := paths.NewSet(), answered.Fields()
	for _, now := range answered.Others(fieldManager) {
		before := c.FieldsOf(now.Manager)
		fields = fields.Union(paths.Filter(now.Fields.Leaves(), func(path paths.Path) bool {
			return before.Has(path) && HasParts(before, path) && !HasParts(still, path)
		}))
	}
	return fields
}

// Holds reports whether fields holds a field, or a part of it. A field around it does not count.
func Holds(fields *paths.Set, path paths.Path) bool {
	return fields.Has(path) || HasParts(fields, path)
}

// HasParts reports whether fields holds a part of a field.
func HasParts(fields *paths.Set, path paths.Path) bool { return paths.PartsOf(fields, path) != nil }

// Inner returns the maps and lists that contain owned fields, without those at the root of the object and without list
// items that are owned themselves.
func (c Claims) Inner() *paths.Set {
	inner := paths.NewSet()
	addInner(inner, nil, c.Fields())
	return inner
}

func addInner(inner *paths.Set, parent paths.Path, fields *paths.Set) {
	for _, part := range paths.Parts(fields) {
		if part.Below == nil {
			continue
		}
		path := paths.Below(parent, part.Element)
		if len(path) > 1 && (!part.IsMember || part.Element.FieldName != nil) {
			inner.Insert(path)
		}
		addInner(inner, path, part.Below)
	}
}
