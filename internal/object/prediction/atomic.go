package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// BecameAtomic returns the fields that the schema has made atomic since the claims were recorded, according to the
// answer to body. answer is the object in it, and answered are the claims in it, with ours under the name of manager.
func BecameAtomic(
	w wanted.Wanted, body map[string]any, answered ownership.Claims, manager string, answer map[string]any,
) *paths.Set {
	own := w.FieldManager
	as := func(name string) ownership.Rewrite { return ownership.Rewrite{Manager: own, PreviousManager: name} }
	before, after := as(w.PreviousManager()).Claims(w.Claims()), Unwritten(w.Claims(), as(manager).Claims(answered),
		own)
	reader := projection.NewReader(body)
	given := func(path paths.Path) any {
		value, _ := reader.Lookup(path)
		return value
	}
	held, whole := before.Fields(), projection.NewReader(answer)
	byOthers := before.BecameAtomic(after, func(path paths.Path) bool {
		value, _ := whole.Lookup(path)
		return projection.IsEmptyCollection(given(path)) || projection.IsEmptyCollection(value) ||
			!IsLikeBefore(value, held, path)
	})
	return byOthers.Union(before.BecameAtomicUnder(after.Own(own), after, given))
}

// Unwritten returns answered without the claims that managers other than fieldManager changed since claims were
// recorded. Their writes between Terraform's two plans of one change must not look like a change of the schema.
func Unwritten(claims, answered ownership.Claims, fieldManager string) ownership.Claims {
	return slices.DeleteFunc(slices.Clone(answered), func(now ownership.Claim) bool {
		before := slices.IndexFunc(claims, func(c ownership.Claim) bool { return c.Manager == now.Manager })
		return !now.IsOwn(fieldManager) && before >= 0 && !claims[before].Time.Equal(now.Time)
	})
}

// IsLikeBefore reports whether a value is of the kind that the held parts need: a map for named parts, a list for
// items. A manager that writes a value of another kind holds it as a whole, without any change of the schema.
func IsLikeBefore(value any, held *paths.Set, path paths.Path) bool {
	switch value.(type) {
	case map[string]any:
		return ownership.HasNamedParts(held, path)
	case []any:
		return !ownership.HasNamedParts(held, path)
	default:
		return false
	}
}

// replaces reports whether the body gives a scalar or a list to a field that is a map, because held has named parts of
// it. The server then replaces the map with all its parts. It merges maps, empty ones too, and leaves a map alone if
// the body contains null.
func replaces(held *paths.Set, field paths.Path, body *projection.Reader) bool {
	value, presence := body.Lookup(field)
	if presence != projection.Present || value == nil {
		return false
	}
	_, isMap := value.(map[string]any)
	return !isMap && ownership.HasNamedParts(held, field)
}

// ReplacesAny reports whether the body replaces a map that other managers hold in addition to its parts.
func ReplacesAny(body map[string]any, others *paths.Set) bool {
	reader, found := projection.NewReader(body), false
	paths.Walk(others, func(path paths.Path, leaf bool) {
		found = found || !leaf && replaces(others, path, reader)
	})
	return found
}
