package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

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
