package waitresource

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// Create waits, and stores nothing if that fails.
func (r *waitResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan model
	if resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...); resp.Diagnostics.HasError() {
		return
	}
	if resp.Diagnostics.Append(r.await(ctx, &plan, plan.Timeouts.Create,
		unready.NotStored)...); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	}
}

// Update waits again if the plan says so, and keeps the prior state if that fails.
func (r *waitResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan model
	if resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...); resp.Diagnostics.HasError() {
		return
	}
	if plan.Ready.IsUnknown() {
		resp.Diagnostics.Append(r.await(ctx, &plan, plan.Timeouts.Update, unready.PriorKept)...)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	}
}

// Delete sends nothing: the framework takes the resource out of the state.
func (r *waitResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// timeout is how long an operation may take: what the configuration sets, else fallback.
type timeout func(ctx context.Context, fallback time.Duration) (time.Duration, diag.Diagnostics)

// await waits for the object, and sets the values that it has seen. failing is what a failed wait means for the
// resource.
func (r *waitResource) await(
	ctx context.Context, plan *model, within timeout, failing unready.Outcome,
) diag.Diagnostics {
	defer r.provider.Run().BeginApply()()
	api, diags := r.provider.ConnectToApply(ctx, plan.Connection)
	// Only for its diagnostics: how long the wait may take depends on the object.
	_, faults := within(ctx, 0)
	if diags.Append(faults...); diags.HasError() {
		return diags
	}
	wait := plan.wait()
	if wait.Reports {
		failing = unready.WaitsAgain
	}
	end, err := waiting.AwaitName(ctx, api, plan.object(), wait.Goal,
		func(live *unstructured.Unstructured) time.Duration {
			limit, _ := within(ctx, waiting.Limit(live))
			return limit
		})
	plan.setSeen(end, err == nil)
	diags.Append(waits.Report(r.Names, end, err, failing, r.explain)...)
	return diags
}

// explain returns the diagnostic for a failed operation on an object.
func (r *waitResource) explain(operation diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	return r.provider.Explain(r.Names, operation, id, err)
}
