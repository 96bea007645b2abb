package ssa

import (
	"context"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// becameAtomic returns the fields that the schema has made atomic since the claims were recorded, by an answer of the
// server: the claims in it, with ours under the name of manager, and the object.
func (u *update) becameAtomic(answered ownership.Claims, manager string, answer map[string]any) *paths.Set {
	own := u.intent.FieldManager
	as := func(name string) ownership.Rewrite { return ownership.Rewrite{Manager: own, PreviousManager: name} }
	before, after := as(u.previousManager()).Claims(u.claims), unwritten(u.claims, as(manager).Claims(answered), own)
	reader := projection.NewReader(u.body)
	given := func(path paths.Path) any {
		value, _ := reader.Lookup(path)
		return value
	}
	held, whole := before.Fields(), projection.NewReader(answer)
	byOthers := before.BecameAtomic(after, func(path paths.Path) bool {
		value, _ := whole.Lookup(path)
		return projection.IsEmptyCollection(given(path)) || projection.IsEmptyCollection(value) || !isLikeBefore(value, held, path)
	})
	return byOthers.Union(before.BecameAtomicUnder(after.Own(own), after, given))
}

// unwritten returns the claims of answered that nobody but fieldManager changed since claims were recorded: what others
// write between Terraform's two plans of one change must not look like another schema.
func unwritten(claims, answered ownership.Claims, fieldManager string) ownership.Claims {
	return slices.DeleteFunc(slices.Clone(answered), func(now ownership.Claim) bool {
		before := slices.IndexFunc(claims, func(c ownership.Claim) bool { return c.Manager == now.Manager })
		return !now.IsOwn(fieldManager) && before >= 0 && !claims[before].Time.Equal(now.Time)
	})
}

// isLikeBefore reports whether a value is of the kind of which parts were held: a map of named ones, a list of items. A
// writer who gives it another kind holds it as a whole without any change of the schema.
func isLikeBefore(value any, held *paths.Set, path paths.Path) bool {
	switch value.(type) {
	case map[string]any:
		return ownership.HasNamedParts(held, path)
	case []any:
		return !ownership.HasNamedParts(held, path)
	default:
		return false
	}
}

// becameAtomicBeside returns the fields that the schema has made atomic, and of which only others hold parts, in addition
// to the map or list itself. The answer would show the same claims if those parts had just been removed. So, if there are
// such fields, a dry-run of the live values finds out. If the server refuses it, the claims count as they were recorded.
func (u *update) becameAtomicBeside(ctx context.Context, api cluster.Interface, answered ownership.Claims, result map[string]any) *paths.Set {
	manager := u.asked.manager
	maybe := paths.Filter(u.claims.MayHaveBecomeAtomic(unwritten(u.claims, answered, manager), manager), func(path paths.Path) bool {
		value, presence := projection.Lookup(result, path)
		return presence == projection.Present && value != nil && !projection.IsEmptyCollection(value)
	})
	if maybe.Empty() {
		return maybe
	}
	dry, err := u.intent.dryRunUnderAnotherName(projection.Graft(u.asked.body, result, maybe)).send(ctx, api, u.prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	told, err := record.ClaimsOf(u.prior.Object, dry.Object)
	if err != nil {
		return paths.NewSet()
	}
	fields := told.Own(dryRunManager(u.intent.FieldManager))
	return paths.Filter(maybe, func(path paths.Path) bool { return fields.Has(path) && !ownership.HasParts(fields, path) })
}

// givenEmpty says which fields a body gives as a map or list without content.
func givenEmpty(body map[string]any) func(paths.Path) bool {
	reader := projection.NewReader(body)
	return func(path paths.Path) bool {
		value, _ := reader.Lookup(path)
		return projection.IsEmptyCollection(value)
	}
}
