package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// repair helps an apply that the server refuses. A plan asks for the outcome of the apply after the repair, and shows
// that.
type repair struct {
	// recognizes reports whether the repair is for a refusal.
	recognizes func(a *apply, refusal error) bool
	// dryRun is what a plan asks the server instead.
	dryRun func(ctx context.Context, api cluster.Interface, a *apply, refusal error) (cluster.Applied, error)
	// mend changes the object so that the server accepts the same apply; nil if only a dry-run can be helped.
	mend func(ctx context.Context, api cluster.Interface, a *apply, refusal error) error
}

// repairs are tried in this order.
var repairs = []repair{
	unusable, unusable, pruneRefused, otherBody, emptiedByNull, keptRefused, releasedRefused, obstructed,
}

// pruneRefused is for a field that leaves the body, if the server refuses the parts of it that managers to be taken
// over would keep: they lose their parts.
var pruneRefused = repair{
	recognizes: func(a *apply, refusal error) bool {
		removal := a.whenPruneRefused(refusal)
		return refusals.IsOfObject(refusal) && !removal.Removed.Empty() && removal.Changes(a.claimsBefore)
	},
	dryRun: tryAsNew,
	mend: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) error {
		a.rewrite = a.whenPruneRefused(refusal)
		live, err := a.rewriteLive(ctx, api, func(live ownership.Claims, previousManager string) ownership.Rewrite {
			return a.wanted.WhenPruneRefused(live, previousManager, refusal)
		}, record.NoEdits)
		if err != nil {
			return err
		}
		claims, err := record.ClaimsOf(a.wanted.Prior.Object, live)
		a.mended(live, claims)
		return err
	},
}

// mended notes what other clients wrote before a repair of the object, which is then the object that the apply is for.
func (a *apply) mended(live *unstructured.Unstructured, claims ownership.Claims) {
	a.version, a.overwritten = live.GetResourceVersion(), withLater(a.overwritten, a.writtenSince(live, claims))
}

// otherBody is for a body that does not fit the live object as long as nothing is removed from it: another member of a
// union, for instance. Only a dry-run under another name removes nothing, so an apply never needs it.
var otherBody = repair{
	recognizes: func(a *apply, refusal error) bool {
		return refusals.IsOfObject(refusal) && a.asked.IsUnderAnotherName && len(a.emptiedFields(refusal)) == 0
	},
	dryRun: tryAsNew,
}

// emptiedByNull is for maps and lists of custom resources of which the apply removes the last part.
var emptiedByNull = repair{
	recognizes: func(a *apply, refusal error) bool { return len(a.emptiedFields(refusal)) > 0 },
	dryRun: func(ctx context.Context, api cluster.Interface, a *apply, _ error) (cluster.Applied, error) {
		a.asked = a.dryRunUnderAnotherName(a.body)
		return a.asked.send(ctx, api, a.wanted.Prior.Object)
	},
	mend: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) error {
		return a.empty(ctx, api, refusal)
	},
}

// keptRefused is for kept values that the server refuses without the fields that leave: they are removed, too. An apply
// finds that out before it applies; see prepareLive.
var keptRefused = repair{
	recognizes: func(a *apply, refusal error) bool { return refusals.IsOfObject(refusal) && a.asked.Keeps },
	dryRun: func(ctx context.Context, api cluster.Interface, a *apply, _ error) (cluster.Applied, error) {
		keepingNothing := *a
		keepingNothing.kept = paths.NewSet()
		a.asked = keepingNothing.dryRun()
		return a.asked.send(ctx, api, a.wanted.Prior.Object)
	},
}

// releasedRefused is for values that are released and do not fit the body any more: node ports, for instance, if the
// type of a Service changes with them, or fields that another version of the kind lacks. The refusal names them, and
// the server drops or keeps them by itself. Only a dry-run sends them. It is also for a dry-run that removes what
// stays: its other owners have given it up since the last read.
var releasedRefused = repair{
	recognizes: func(a *apply, refusal error) bool {
		return refusals.IsOfValues(refusal) && a.asked.adds(refusals.Fields(refusal)) ||
			refusals.IsOfObject(refusal) && wanted.OnlyPromises(a.wanted)
	},
	dryRun: func(ctx context.Context, api cluster.Interface, a *apply, _ error) (cluster.Applied, error) {
		a.asked = a.dryRunUnderAnotherName(a.body)
		return a.asked.send(ctx, api, a.wanted.Prior.Object)
	},
}

// try asks the server what the apply will make of the body, and once more for each repair that may help.
func (a *apply) try(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	a.asked = a.dryRun()
	dry, err := a.asked.send(ctx, api, a.wanted.Prior.Object)
	// Each step judges the last refusal: a repair that does not suffice may bring up what a later one is for.
	for _, step := range repairs {
		if !step.recognizes(a, err) {
			continue
		}
		if dry, err = step.dryRun(ctx, api, a, err); err == nil {
			break
		}
	}
	return dry, err
}

// tryAsNew sends a dry-run of the body as a new object, because the body does not fit the live one. If the server
// refuses that as well, it returns refusal.
func tryAsNew(ctx context.Context, api cluster.Interface, a *apply, refusal error) (cluster.Applied, error) {
	dry, err := a.dryRunAsNew(ctx, api, a.wanted.Split(a.known()))
	if err != nil {
		return cluster.Applied{}, refusal
	}
	a.rewrite = a.whenPruneRefused(refusal)
	a.claimsBefore = a.rewrite.Claims(a.wanted.Claims())
	a.asked = a.dryRunUnderAnotherName(a.body)
	a.asked.IsOfNewObject = true
	return dry, nil
}

// unusable is for claims in versions to which the server cannot convert the object. It names one at a time.
var unusable = repair{
	recognizes: func(a *apply, err error) bool { return a.wanted.Prior.IsUnusable(err) },
	dryRun: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) (cluster.Applied, error) {
		a.rewrite = a.converting(ctx, api, a.rewrite, a.wanted.Claims(), refusal)
		a.claimsBefore = a.rewrite.Claims(a.wanted.Claims())
		a.asked = a.dryRunUnderAnotherName(a.body)
		// A dry-run cannot rewrite managedFields, so on the live object the server would refuse it again.
		a.asked.IsOfNewObject = true
		return a.dryRunAsNew(ctx, api, a.wanted.Split(a.known()))
	},
	mend: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) error {
		live, err := a.rewriteLive(ctx, api, func(live ownership.Claims, previousManager string) ownership.Rewrite {
			a.rewrite = a.converting(ctx, api, a.wanted.BeforeApply(live, previousManager), live, refusal)
			return a.rewrite
		}, record.NoEdits)
		if err == nil {
			a.claimsBefore, err = record.ClaimsOf(a.wanted.Prior.Object, live)
			a.mended(live, a.claimsBefore)
		}
		return err
	},
}

// converting returns a rewrite of claims that also converts those because of which the server refuses the apply.
func (a *apply) converting(
	ctx context.Context, api cluster.Interface, rewrite ownership.Rewrite, claims ownership.Claims, refusal error,
) ownership.Rewrite {
	return record.Refused{
		Manager: a.wanted.PreviousManager(), Claims: claims, Refusal: refusal, Again: len(a.rewrite.Versions) > 0,
	}.Converting(ctx, api, a.wanted.Prior.Object, rewrite)
}
