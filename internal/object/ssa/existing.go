package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// apply is an apply to an object that exists, as a plan tries it and as it is done.
type apply struct {
	wanted wanted.Wanted
	// rewrite is the rewrite of claims before the apply. kept are the fields whose values must survive the apply. body
	// is what is sent.
	rewrite ownership.Rewrite
	kept    *paths.Set
	body    map[string]any
	// claimsBefore are the claims on the object when the apply is sent.
	claimsBefore ownership.Claims

	// asked is the dry-run that a plan sends.
	asked dryRun
	// removes are the obstacles that the apply removes; nil until search has found them.
	removes *paths.Set
	// without is what the server makes of the object without them, and without what leaves the body.
	without map[string]any

	// planned is the plan that is carried out.
	planned Plan
	// version is the resourceVersion of the object that the plan knows, or that was read since; "" if it is not known.
	// overwritten is what other clients wrote in between.
	version     string
	overwritten []ownership.Change
	// unwanted finds what remove_fields covers, for an apply that is carried out.
	unwanted unwanted
	// updated are the fields that our manager owned by updates before this apply sent one; nil before that.
	updated *paths.Set
	// done is the object if nothing is left to apply and no manager owns anything of it; nil otherwise. An apply would
	// make the server add a manager to it.
	done *unstructured.Unstructured
}

// newApply returns the apply of arguments to an object as the last read saw it.
func newApply(args arguments.Arguments, prior record.Prior) *apply {
	w := wanted.For(args, prior)
	rewrite := w.BeforeApply(w.Claims(), w.PreviousManager())
	a := &apply{
		wanted: w, rewrite: rewrite, kept: w.Prior.KeptFields(rewrite), claimsBefore: rewrite.Claims(w.Claims()),
	}
	a.body = w.Body(a.known(), w.Prior.Snapshot.UID)
	return a
}

// noteUpdated notes what our manager owns by updates, before the first update that the apply sends.
func noteUpdated(a *apply, claims ownership.Claims) {
	if a.updated == nil {
		a.updated = claims.Updated(a.wanted.FieldManager)
	}
}

// known returns all fields of the object that are known to have, or to have had, an owner.
func (a *apply) known() *paths.Set { return a.wanted.Claims().Fields().Union(a.kept) }

// whenPruneRefused returns rewrite for the case that the server refuses what would remain of a field that leaves the
// body.
func (a *apply) whenPruneRefused(refusal error) ownership.Rewrite {
	return a.wanted.WhenPruneRefused(a.wanted.Claims(), a.wanted.PreviousManager(), refusal)
}

// rewriteLive rewrites claims on the live object, makes edits, and returns the object. It returns a *ConflictsError,
// and sends no write, if the arguments refuse to remove what other managers have written since the plan.
func (a *apply) rewriteLive(
	ctx context.Context, api cluster.Interface, rewrite func(ownership.Claims, string) ownership.Rewrite,
	edits record.Editing,
) (*unstructured.Unstructured, error) {
	live, err := a.wanted.Prior.Read(ctx, api)
	if err != nil {
		return nil, err
	}
	if err := refuseWrittenSince(a, live); err != nil {
		return nil, err
	}
	renderer := a.wanted.Prior.Snapshot.Renderer()
	// The snapshot contains digests instead of secret list items. The object contains the items.
	if a.wanted.Preserved != nil {
		a.wanted.Preserved = renderer.UnmaskSet(a.wanted.Preserved, live.Object)
	}
	a.wanted.Promised = renderer.UnmaskSet(paths.OrEmpty(a.wanted.Promised), live.Object)
	return record.RewriteAndEdit(ctx, api, a.wanted.Prior.Object, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite { return rewrite(claims, a.wanted.PreviousManager()) },
		Edits:  edits,
	})
}

// prepareLive rewrites claims on the live object before the apply. It also removes the fields that leave the body, if
// the apply would remove more than these. If the server refuses what would then be left of a map, the apply removes
// the whole map, as its plan shows. prepareLive sends nothing if there is nothing to prepare.
func (a *apply) prepareLive(ctx context.Context, api cluster.Interface) error {
	pruned := wanted.PrunedAsAWhole(a.claimsBefore, a.wanted.FieldManager, a.wanted.Keys.Complete(a.body), a.kept)
	if !a.rewrite.Changes(a.wanted.Claims()) && len(pruned) == 0 {
		a.claimsBefore = a.wanted.Claims()
		return nil
	}
	return a.prepare(ctx, api, len(pruned) > 0)
}

// prepare does what prepareLive does, whether or not the last read shows that it is needed: a GET, and a PATCH if it
// is. It also releases the fields that the plan has promised to keep and that no other manager owns any more.
// mayEmpty is true if the object may be left without owners.
func (a *apply) prepare(ctx context.Context, api cluster.Interface, mayEmpty bool) error {
	manager := a.wanted.FieldManager
	edits := func(live map[string]any, claims ownership.Claims) []cluster.Edit {
		noteUpdated(a, claims)
		kept := projection.WithValues(live, a.kept.Union(a.wanted.Promised))
		return wanted.Stripped(live, claims, manager,
			wanted.PrunedAsAWhole(claims, manager, a.wanted.Keys.Complete(a.body), kept))
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
	if a.claimsBefore, err = record.ClaimsOf(a.wanted.Prior.Object, live); err != nil {
		return err
	}
	if err := refuseWrittenSince(a, live); err != nil {
		return err // It was written while the claims were rewritten.
	}
	a.kept = a.kept.Union(a.wanted.Promised)
	a.body, a.version = a.wanted.Body(a.claimsBefore.Fields().Union(a.kept),
		a.wanted.Prior.Snapshot.UID), live.GetResourceVersion()
	a.overwritten = withLater(a.overwritten, a.writtenSince(live, a.claimsBefore))
	if mayEmpty && a.claimsBefore.Fields().Empty() && wanted.IsBare(a.body) {
		a.done = live
	}
	return nil
}

// maybeFilled returns the fields of an object to which we have applied nothing that may be additions, and that the API
// server may have filled in for its creator.
func maybeFilled(args arguments.Arguments, prior record.Prior) *paths.Set {
	if args.IsPart || prior.Snapshot.AppliedState != "" {
		return paths.NewSet()
	}
	declared := projection.WithValues(args.Manifest.Object, prior.Snapshot.Claims.Fields())
	return prior.Snapshot.MaybeFilled(args.FieldManager, declared)
}

// filled returns those of maybe that the API server fills in by itself, and those that prior knows: one dry-run of a
// new object under another name, if that may show more. If the server refuses it, as for a CustomResourceDefinition, or
// the user may not create, they are those that prior knows.
func filled(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, maybe *paths.Set,
) (*paths.Set, error) {
	known, snapshot := paths.OrEmpty(prior.Snapshot.Fields.Filled), prior.Snapshot
	if maybe = maybe.Difference(known); maybe.Empty() {
		return known, nil
	}
	id := prior.Object
	id.Name = cluster.DryRunName(id.Name)
	dry, err := api.Apply(ctx, id, manifest.Identified(args.Manifest.Object, id), cluster.ApplyOptions{
		FieldManager: wanted.DryRunManager(args.FieldManager), DryRun: true, New: true,
	})
	switch cluster.ReasonOf(err) {
	case cluster.ReasonWebhookUnreachable, cluster.ReasonNotYetAdmitted, cluster.ReasonNamespaceTerminating,
		cluster.ReasonConflict:
		return known, nil // They are about creates alone.
	}
	switch {
	case cluster.IsRefusal(err), cluster.MissingRightOf(err) != nil:
		return known, nil //nolint:nilerr // Less is known then.
	case err != nil:
		return known, err
	}
	prints := snapshot.Renderer().Fingerprints(dry.Object.Object, maybe)
	return known.Union(paths.Filter(maybe, func(path paths.Path) bool {
		id := paths.ID(path)
		print, has := prints[id]
		return has && print == snapshot.Values[id]
	})), nil
}
