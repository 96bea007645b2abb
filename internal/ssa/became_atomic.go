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
// server, with the object in it. previousManager and manager are the names under which we own claims in the two.
func (i Intent) becameAtomic(
	claims ownership.Claims, previousManager string, answered ownership.Claims, manager string, body, answer map[string]any,
) *paths.Set {
	as := func(name string) ownership.Rewrite {
		return ownership.Rewrite{Manager: i.FieldManager, PreviousManager: name}
	}
	before, after := as(previousManager).Claims(claims), unwritten(claims, as(manager).Claims(answered), i.FieldManager)
	reader := projection.NewReader(body)
	given := func(path paths.Path) any {
		value, _ := reader.Lookup(path)
		return value
	}
	held, whole := before.Fields(), projection.NewReader(answer)
	byOthers := before.BecameAtomic(after, func(path paths.Path) bool {
		value, _ := whole.Lookup(path)
		return projection.IsEmptyCollection(given(path)) || projection.IsEmptyCollection(value) || !isLikeBefore(value, held, path)
	})
	return byOthers.Union(before.BecameAtomicUnder(after.Own(i.FieldManager), after, given))
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
func (i Intent) becameAtomicBeside(ctx context.Context, api cluster.Interface, prior record.Prior, claims, answered ownership.Claims, asked dryRun, result map[string]any) *paths.Set {
	maybe := paths.Filter(claims.MayHaveBecomeAtomic(unwritten(claims, answered, asked.manager), asked.manager), func(path paths.Path) bool {
		value, presence := projection.Lookup(result, path)
		return presence == projection.Present && value != nil && !projection.IsEmptyCollection(value)
	})
	if maybe.Empty() {
		return maybe
	}
	dry, err := i.dryRunUnderAnotherName(projection.Graft(asked.body, result, maybe)).send(ctx, api, prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	told, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return paths.NewSet()
	}
	fields := told.Own(dryRunManager(i.FieldManager))
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
