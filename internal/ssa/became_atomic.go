package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// becameAtomicBeside returns the fields that the schema has made atomic, and of which only others hold parts, in addition
// to the map or list itself. The answer would show the same claims if those parts had just been removed. So, if there are
// such fields, a dry-run of the live values finds out. If the server refuses it, the claims count as they were recorded.
func (u *update) becameAtomicBeside(ctx context.Context, api cluster.Interface, answered ownership.Claims, result map[string]any) *paths.Set {
	manager := u.asked.Manager
	maybe := paths.Filter(u.Claims.MayHaveBecomeAtomic(prediction.Unwritten(u.Claims, answered, manager), manager), func(path paths.Path) bool {
		value, presence := projection.Lookup(result, path)
		return presence == projection.Present && value != nil && !projection.IsEmptyCollection(value)
	})
	if maybe.Empty() {
		return maybe
	}
	dry, err := u.DryRunUnderAnotherName(projection.Graft(u.asked.Body, result, maybe)).Send(ctx, api, u.Prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	told, err := record.ClaimsOf(u.Prior.Object, dry.Object)
	if err != nil {
		return paths.NewSet()
	}
	fields := told.Own(prediction.DryRunManager(u.Intent.FieldManager))
	return paths.Filter(maybe, func(path paths.Path) bool { return fields.Has(path) && !ownership.HasParts(fields, path) })
}
