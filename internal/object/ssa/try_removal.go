package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// tried returns in, with what else the apply removes, or leaves, if the server refuses the object without the fields
// that the apply removes. It returns the refusal if that does not help.
func (a *apply) tried(
	ctx context.Context, api cluster.Interface, in prediction.Inputs,
) (prediction.Inputs, error) {
	if a.removes != nil {
		in.Tried = a.without
		return in, nil // The server has accepted the object without them.
	}
	var refusal error
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
		return a.tried(ctx, api, in)
	}
	if err == refusal { //nolint:errorlint // It is the same error: the search has not found what is in the way.
		err = a.refused().Unremovable(refusal, in.Removes, a.count(in.Applied))
	}
	return in, err
}

// tryRemoval asks the server whether it accepts the object without the fields that the apply removes. It sends one
// dry-run, of a merge patch, if the plan's own dry-run removed none or not all of these fields. It returns the server's
// answer, or its refusal. It sends nothing if the plan tried the body as a new object and this run has not read the
// live one; the answer is nil then.
func (a *apply) tryRemoval(
	ctx context.Context, api cluster.Interface, in prediction.Inputs,
) (map[string]any, error) {
	base, outcome := in.Result, in.Outcome()
	if a.asked.IsOfNewObject {
		base, outcome = a.wanted.Prior.Live, projection.Graft(outcome, in.Body, in.Applied)
	}
	if !a.asked.IsUnderAnotherName && in.RemovesNothing() || base == nil {
		return nil, nil
	}
	// The uid guards against an object that was recreated.
	unsent := record.ServerFields(a.wanted.Prior.Object).Difference(paths.NewSet(paths.Path{paths.Field("metadata"),
		paths.Field("uid")}))
	before, _ := projection.Strip(base, unsent).(map[string]any)
	after, _ := projection.Strip(outcome, unsent).(map[string]any)
	if len(projection.Differences(before, after, in.Known().Union(in.Applied))) == 0 {
		return nil, nil
	}
	return api.TryMerge(ctx, a.wanted.Prior.Object, a.asked.Manager, projection.MergePatch(before, after))
}
