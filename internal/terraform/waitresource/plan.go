package waitresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// ModifyPlan plans whether the apply waits: for a new resource, after a change of the wait, and as long as the object
// has not been ready. It sends no request.
func (r *waitResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if r.provider == nil || req.Plan.Raw.IsNull() {
		return
	}
	// The queue of waits counts all operations that run, those that do not wait, too.
	defer r.provider.Run().Waits.Begin()()
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	isNew := req.State.Raw.IsNull()
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	isNew = isNew || !plan.Target.Equal(state.Target)
	if !plan.Target.IsUnknown() {
		resp.Diagnostics.Append(exports.RefuseSecret(plan.Exports, attributes.TargetOf(plan.Target).IsSecret(), nil)...)
	}
	plan.ID, plan.Ready, plan.Values, plan.SensitiveValues = state.ID, state.Ready, state.Values, state.SensitiveValues
	if isNew || !plan.waitsLike(state) || !state.Ready.ValueBool() {
		_, status, diags := r.provider.Connect(ctx, plan.Connection)
		resp.Diagnostics.Append(diags...)
		if isFirst := r.provider.Run().Rounds.Current() == run.FirstRound; isFirst && status == providerdata.Deferred &&
			req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonProviderConfigUnknown}
		}
		plan.setUnknown()
	}
	if isNew {
		plan.ID = types.StringUnknown()
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}
