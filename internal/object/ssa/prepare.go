package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// prepareLive rewrites claims on the live object before the apply. It also removes the fields that leave the body, if
// the apply would remove more than these. If the server refuses what would then be left of a map, the apply removes
// the whole map, as its plan says. prepareLive sends nothing if there is nothing to prepare.
func (a *apply) prepareLive(ctx context.Context, api cluster.Interface) error {
	endangered := wanted.Endangered(a.meets, a.wanted.FieldManager, a.body, a.kept)
	if !a.rewrite.Changes(a.wanted.Claims()) && len(endangered) == 0 {
		a.meets = a.wanted.Claims()
		return nil
	}
	return a.prepare(ctx, api, len(endangered) > 0)
}

// prepare does what prepareLive does, whether or not the last read shows that it is needed: a GET, and a PATCH if it
// is. It also releases the fields that the plan has promised to keep and that no other manager owns any more.
// mayEmpty is true if the object may be left without owners.
func (a *apply) prepare(ctx context.Context, api cluster.Interface, mayEmpty bool) error {
	manager := a.wanted.FieldManager
	edits := func(live map[string]any, claims ownership.Claims) []cluster.Edit {
		return wanted.Stripped(live, claims, manager,
			wanted.Endangered(claims, manager, a.body, projection.WithValues(live, a.kept.Union(a.wanted.Promised))))
	}
	before := func(claims ownership.Claims, previousManager string) ownership.Rewrite {
		return a.wanted.BeforeApply(claims, previousManager)
	}
	live, err := a.rewriteLive(ctx, api, before, edits)
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		live, err = a.rewriteLive(ctx, api, before, record.NoEdits)
	}
	if err != nil {
		return err
	}
	if a.meets, err = record.ClaimsOf(a.wanted.Prior.Object, live); err != nil {
		return err
	}
	if err := refuseNews(a, live); err != nil {
		return err // It was written while the claims were rewritten.
	}
	a.kept = a.kept.Union(a.wanted.Promised)
	a.body, a.version = a.wanted.Body(a.meets.Fields().Union(a.kept),
		a.wanted.Prior.Snapshot.UID), live.GetResourceVersion()
	a.overwritten = withNews(a.overwritten, a.writtenSince(live, a.meets))
	if mayEmpty && a.meets.Fields().Empty() && wanted.IsBare(a.body) {
		a.done = live
	}
	return nil
}
