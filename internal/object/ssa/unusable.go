package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// unusable is for claims in versions to which the server cannot convert the object. It names one at a time.
var unusable = repair{
	recognizes: func(a *apply, err error) bool { return a.wanted.Prior.IsUnusable(err) },
	dryRun: func(ctx context.Context, api cluster.Interface, a *apply, refusal error) (cluster.Applied, error) {
		a.rewrite = a.converting(ctx, api, a.rewrite, a.wanted.Claims(), refusal)
		a.meets = a.rewrite.Claims(a.wanted.Claims())
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
			a.meets, err = record.ClaimsOf(a.wanted.Prior.Object, live)
			a.mended(live, a.meets)
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
