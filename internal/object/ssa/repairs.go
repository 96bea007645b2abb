package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/refusals"
)

// repair helps an apply that the server refuses. A plan asks for the outcome of the apply after the repair, so that it
// shows what the apply does.
type repair struct {
	// recognizes reports whether the repair is for a refusal.
	recognizes func(u *update, refusal error) bool
	// dryRun is what a plan asks the server instead.
	dryRun func(ctx context.Context, api cluster.Interface, u *update, refusal error) (cluster.Applied, error)
	// mend changes the object, so that the server takes the same apply.
	mend func(ctx context.Context, api cluster.Interface, u *update, refusal error) error
}

// repairs are tried in this order.
var repairs = []repair{pruneRefused, otherBody, emptiedByNull, keptRefused, releasedRefused}

// pruneRefused is for a field that leaves the body, if the server refuses the parts of it that managers to be taken over
// would keep: they lose their parts.
var pruneRefused = repair{
	recognizes: func(u *update, refusal error) bool {
		removal := u.WhenPruneRefused(refusal)
		return refusals.IsOfObject(refusal) && !removal.Removed.Empty() && removal.Changes(u.meets)
	},
	dryRun: tryAsNew,
	mend: func(ctx context.Context, api cluster.Interface, u *update, refusal error) error {
		u.Rewrite = u.WhenPruneRefused(refusal)
		live, err := u.rewriteLive(ctx, api, func(live ownership.Claims, previousManager string) ownership.Rewrite {
			return u.Intent.WhenPruneRefused(live, previousManager, refusal)
		}, record.NoEdits)
		if err != nil {
			return err
		}
		claims, err := record.ClaimsOf(u.Prior.Object, live)
		u.mended(live, claims)
		return err
	},
}

// mended notes what others wrote before a repair of the object, which is then the object that the apply is for.
func (u *update) mended(live *unstructured.Unstructured, claims ownership.Claims) {
	u.version, u.overwritten = live.GetResourceVersion(), withNews(u.overwritten, u.writtenSince(live, claims))
}

// otherBody is for a body that does not fit the live object as long as nothing is removed from it: another member of a
// union, for instance. Only a dry-run under another name removes nothing, so an apply never needs it.
var otherBody = repair{
	recognizes: func(u *update, refusal error) bool {
		return refusals.IsOfObject(refusal) && u.asked.IsUnderAnotherName && len(u.emptiedFields(refusal)) == 0
	},
	dryRun: tryAsNew,
}

// emptiedByNull is for maps and lists of custom resources of which the apply removes the last part.
var emptiedByNull = repair{
	recognizes: func(u *update, refusal error) bool { return len(u.emptiedFields(refusal)) > 0 },
	dryRun: func(ctx context.Context, api cluster.Interface, u *update, _ error) (cluster.Applied, error) {
		u.asked = u.DryRunUnderAnotherName(u.Body)
		return u.asked.Send(ctx, api, u.Prior.Object)
	},
	mend: func(ctx context.Context, api cluster.Interface, u *update, refusal error) error {
		return u.empty(ctx, api, refusal)
	},
}

// keptRefused is for kept values that the server refuses without the fields that leave: they are removed, too. An apply
// finds that out before it applies; see prepareLive.
var keptRefused = repair{
	recognizes: func(u *update, refusal error) bool { return refusals.IsOfObject(refusal) && u.asked.Keeps },
	dryRun: func(ctx context.Context, api cluster.Interface, u *update, _ error) (cluster.Applied, error) {
		keepingNothing := u.Attempt
		keepingNothing.Kept = paths.NewSet()
		u.asked = keepingNothing.DryRun()
		return u.asked.Send(ctx, api, u.Prior.Object)
	},
}

// releasedRefused is for values that are released and do not fit the body any more: node ports, for instance, if the type
// of a Service changes with them. The refusal names them, and the server drops them by itself. Only a dry-run sends them.
var releasedRefused = repair{
	recognizes: func(u *update, refusal error) bool {
		return refusals.IsOfObject(refusal) && u.asked.Adds(refusals.Fields(refusal))
	},
	dryRun: func(ctx context.Context, api cluster.Interface, u *update, _ error) (cluster.Applied, error) {
		u.asked = u.DryRunUnderAnotherName(u.Body)
		return u.asked.Send(ctx, api, u.Prior.Object)
	},
}

// try asks the server what the apply will make of the body, and once more if a repair helps.
func (u *update) try(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	u.asked = u.DryRun()
	dry, err := u.asked.Send(ctx, api, u.Prior.Object)
	for _, step := range repairs {
		if step.recognizes(u, err) {
			return step.dryRun(ctx, api, u, err)
		}
	}
	return dry, err
}

// tryAsNew sends a dry-run of the body as a new object, because the body does not fit the live one. If the server
// refuses that as well, it returns refusal.
func tryAsNew(ctx context.Context, api cluster.Interface, u *update, refusal error) (cluster.Applied, error) {
	dry, err := u.DryRunAsNew(ctx, api)
	if err != nil {
		return cluster.Applied{}, refusal
	}
	u.Rewrite = u.WhenPruneRefused(refusal)
	u.meets = u.Rewrite.Claims(u.Claims)
	u.asked = u.DryRunUnderAnotherName(u.Body)
	u.asked.IsOfNewObject = true
	return dry, nil
}
