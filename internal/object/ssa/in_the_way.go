package ssa

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// obstructed is for fields that the manifest does not declare and that the server refuses together with it: the default
// of another member of a union, or a list item whose key another client changed. Our entry claims them, and they go.
var obstructed = repair{
	recognizes: func(_ *apply, refusal error) bool { return refusals.IsOfObject(refusal) },
	dryRun: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) (cluster.Applied, error) {
		a.asked = a.dryRun()
		if dry, err := a.asked.send(ctx, api, a.wanted.Prior.Object); err == nil {
			return dry, nil // Nothing is in the way: the refusal passed.
		}
		after, err := a.search(ctx, api, refusal)
		if err != nil {
			return cluster.Applied{}, err
		}
		return a.dryRunAfter(ctx, api, after, refusal)
	},
	mend: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) error {
		if _, err := a.dryRun().send(ctx, api, a.wanted.Prior.Object); err == nil {
			return nil
		}
		if _, err := a.search(ctx, api, refusal); err != nil {
			return err
		}
		return a.claimObstacles(ctx, api, refusal)
	},
}

// search notes what the apply has to remove so that the server takes it, and returns the object after the apply. If
// that is nothing, it returns refusal, or the refusal of a change that is immutable.
func (a *apply) search(ctx context.Context, api cluster.Interface, refusal error) (map[string]any, error) {
	live, err := a.live(ctx, api)
	if err != nil {
		return nil, refusal
	}
	unsent := record.ServerFields(a.wanted.Prior.Object)
	before, _ := projection.Strip(live, unsent).(map[string]any)
	var answer map[string]any
	found, err := a.refused().Search(refusal, live, func(after map[string]any) (map[string]any, error) {
		after, _ = projection.Strip(after, unsent).(map[string]any)
		got, err := api.TryMerge(ctx, a.wanted.Prior.Object, wanted.DryRunManager(a.wanted.FieldManager),
			projection.MergePatch(before, after))
		if err == nil {
			answer = got
		}
		return got, err
	})
	switch {
	case err != nil:
		return nil, err
	case found.Fields == nil:
		return nil, a.blocked(ctx, api, found, refusal)
	}
	a.removes, a.without = found.Fields, answer
	a.wanted = a.wanted.WithoutPinsIn(found.Fields)
	a.body = a.wanted.Body(a.known(), a.wanted.Prior.Snapshot.UID)
	return found.After, nil
}

// blocked returns why the server refuses the apply if the search has found nothing: one dry-run if a field stays.
func (a *apply) blocked(ctx context.Context, api cluster.Interface, found obstacles.Found, refusal error) error {
	err := a.refused().Blocked(refusal, a.wanted.Prior.Live, found)
	blocked, is := errors.AsType[*obstacles.BlockedError](err)
	if !is || !blocked.Stays || a.wanted.IsPart {
		return err
	}
	if blocked.New = refusedAsNew(ctx, api, a); blocked.New == nil {
		return &obstacles.KeptError{BlockedError: blocked}
	}
	return err
}

// live returns the object as this run has read it: a GET if it has not.
func (a *apply) live(ctx context.Context, api cluster.Interface) (map[string]any, error) {
	// Only an apply that is carried out has a planned object. It looks again: another client may have written since.
	if a.wanted.Prior.Live != nil && a.planned.Object == (manifest.Identity{}) {
		return a.wanted.Prior.Live, nil
	}
	live, err := a.wanted.Prior.Read(ctx, api)
	if err != nil {
		return nil, err
	}
	a.claimsBefore = a.wanted.Prior.UnmaskedClaims(a.claimsBefore, live.Object)
	a.wanted.Prior = a.wanted.Prior.Seen(live.Object)
	return live.Object, nil
}

// dryRunAfter returns the dry-run of the body as a new object. If the server refuses that, or drops a value that stays
// on the live object, it returns the answer about the live object without the obstacles, with the claims that a new
// object shows. None can be tried with what only one object may have, such as a node port.
func (a *apply) dryRunAfter(
	ctx context.Context, api cluster.Interface, after map[string]any, refusal error,
) (cluster.Applied, error) {
	answer := &unstructured.Unstructured{Object: a.without}
	answered, err := record.ClaimsOf(a.wanted.Prior.Object, answer)
	if err != nil {
		return cluster.Applied{}, err
	}
	own := a.refused().Applied(a.known().Union(answered.Fields()))
	// tryAsNew changes the apply, which has to stay as it is if the answer lacks a value that stays on the object.
	staying, tried := projection.WithValues(a.without, own), *a
	dry, err := tryAsNew(ctx, api, &tried, refusal)
	if err == nil && projection.WithoutValues(dry.Object.Object, staying).Empty() {
		*a = tried
		return dry, nil
	}
	if err != nil {
		after, _ = projection.Strip(after, record.ServerFields(a.wanted.Prior.Object)).(map[string]any)
		dry, err = a.dryRunAsNew(ctx, api, after)
	}
	if err == nil {
		if answered, err = record.ClaimsOf(a.wanted.Prior.Object, dry.Object); err != nil {
			return cluster.Applied{}, err
		}
		own = projection.WithValues(a.body, answered.Own(wanted.DryRunManager(a.wanted.FieldManager)))
	}
	a.asked = dryRun{Manager: a.wanted.FieldManager, Body: a.body, added: paths.NewSet(), own: own}
	dry.Object, dry.Outcome = answer, cluster.Updated
	return dry, nil
}

// claimObstacles claims the fields to remove, which all other managers lose: a GET and a PATCH. If other managers
// may lose nothing, it returns refusal.
func (a *apply) claimObstacles(ctx context.Context, api cluster.Interface, refusal error) error {
	held := a.claimsBefore.Others(a.wanted.FieldManager).Fields()
	if a.wanted.OnConflict == arguments.Fail && paths.TouchesAny(held, a.removes) {
		return refusal
	}
	var before ownership.Claims
	live, err := a.rewriteLive(ctx, api, func(live ownership.Claims, previousManager string) ownership.Rewrite {
		rewrite := a.wanted.BeforeApply(live, previousManager)
		before = rewrite.Claims(live)
		rewrite.Take, rewrite.TakeAs = a.removes, a.wanted.Manager()
		return rewrite
	}, record.NoEdits)
	if err != nil {
		return err
	}
	a.mended(live, before)
	a.claimsBefore, err = record.ClaimsOf(a.wanted.Prior.Object, live)
	return err
}

// refused returns the apply for package obstacles.
func (a *apply) refused() obstacles.Apply {
	return obstacles.Apply{Wanted: a.wanted, Rewrite: a.rewrite, Body: a.body, ClaimsBefore: a.claimsBefore}
}

// tried returns in, with what else the apply removes, or leaves, if the server refuses the object without the fields
// that the apply removes. It returns the refusal if that does not help.
func (a *apply) tried(ctx context.Context, api cluster.Interface, in prediction.Inputs) (prediction.Inputs, error) {
	if a.removes != nil {
		in.Tried = a.without
		return in, nil // The server has accepted the object without them.
	}
	var refusal error
	in = triedSince(ctx, api, a, in)
	in.Tried, refusal = a.tryRemoval(ctx, api, in)
	if refusals.IsOfObject(refusal) && !in.Forgotten.Removed.Empty() {
		whole := in
		whole.Forgotten = in.Forgotten.Whole(a.wanted, in.Applied)
		if tried, err := a.tryRemoval(ctx, api, whole); err == nil {
			in, in.Tried, refusal = whole, tried, nil
		}
	}
	switch {
	case refusal == nil:
		return in, nil
	case pruneRefused.recognizes(a, refusal):
		in.Rewrite = a.whenPruneRefused(refusal)
		return in, nil
	case !obstructed.recognizes(a, refusal):
		return in, refusal
	}
	_, err := a.search(ctx, api, refusal)
	in.Obstacles, in.Tried = paths.OrEmpty(a.removes), a.without
	if !in.Forgotten.Removed.Empty() && refusals.IsOfObject(err) && !obstacles.IsKept(err) {
		in.Forgotten = in.Forgotten.Keeping(refusal)
		// It ends, because each round keeps at least one forgotten field more.
		return a.tried(ctx, api, in)
	}
	if err == refusal { //nolint:errorlint // It is the same error: the search has not found what is in the way.
		err = a.refused().Unremovable(refusal, in.Removes)
	}
	return in, err
}

// triedSince returns in with what managers to be taken over lose because the server refuses what would be left of
// fields that leave the body, if the dry-run hides that refusal: one dry-run, and a GET after one of a new object.
func triedSince(ctx context.Context, api cluster.Interface, a *apply, in prediction.Inputs) prediction.Inputs {
	if !in.HidesRefusal() {
		return in
	}
	whole, reader := in, *a
	whole.PrunesNothing = true
	if in.IsOfNewObject {
		whole.Wanted.Prior.Live, _ = reader.live(ctx, api)
	}
	_, refusal := a.tryRemoval(ctx, api, whole)
	if pruneRefused.recognizes(a, refusal) {
		in.Rewrite = a.whenPruneRefused(refusal)
	} else if refusals.IsOfObject(refusal) {
		in.Wanted = whole.Wanted // It has the live object, so that the removal is tried.
	}
	return in
}

// tryRemoval asks the server for the object without the fields that the apply removes, if there are any: one dry-run.
func (a *apply) tryRemoval(ctx context.Context, api cluster.Interface, in prediction.Inputs) (map[string]any, error) {
	if patch := in.RemovalPatch(); patch != nil {
		return api.TryMerge(ctx, a.wanted.Prior.Object, a.asked.Manager, patch)
	}
	return nil, nil
}
