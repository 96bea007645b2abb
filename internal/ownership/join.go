package ownership

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"

// Join is what the claims become when the server takes each of wholes for one field, because the schema
// has made it atomic: who held a part of it holds the whole. Nothing is mutated.
func (c Claims) Join(wholes *paths.Set) Claims {
	joined := make(Claims, 0, len(c))
	for _, claim := range c {
		claim.Fields = Join(claim.Fields, wholes)
		joined = append(joined, claim)
	}
	return joined
}

// Join is fields with each of wholes in the place of its parts.
func Join(fields, wholes *paths.Set) *paths.Set {
	paths.Walk(wholes, func(path paths.Path, _ bool) {
		whole := paths.NewSet(path)
		if rest := fields.RecursiveDifference(whole); !rest.Equals(fields) {
			fields = rest.Union(whole)
		}
	})
	return fields
}

// Joined are the fields of which a manager held parts, and holds the whole in answered, the claims in an
// answer of the server: the schema has made them atomic since. isEmpty tells the maps and lists that our
// body gives without content, which we hold as a whole in any case.
func (c Claims) Joined(answered Claims, isEmpty func(paths.Path) bool) *paths.Set {
	wholes := paths.NewSet()
	for _, now := range answered {
		index := c.index(now.Manager)
		if index < 0 {
			continue
		}
		before := c[index].Fields
		paths.Walk(now.Fields.Leaves(), func(path paths.Path, _ bool) {
			if !before.Has(path) && HasParts(before, path) && !isEmpty(path) {
				wholes.Insert(path)
			}
		})
	}
	return wholes
}

// HasParts says whether fields holds a part of a field.
func HasParts(fields *paths.Set, path paths.Path) bool {
	for _, element := range path {
		fields = paths.Children(fields, element)
	}
	return fields != nil
}

// Inner are the maps and lists that hold owned fields and are no owned fields themselves, without those
// at the root of the object.
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
		if len(path) > 1 && !part.IsMember {
			inner.Insert(path)
		}
		addInner(inner, path, part.Below)
	}
}
