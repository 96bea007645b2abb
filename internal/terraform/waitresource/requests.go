package waitresource

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
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

// Update waits again if ready is unknown in the plan, and keeps the prior state if that fails.
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

// await waits for the object, and sets the values that it has seen. failing is the outcome of a failed wait for the
// resource.
func (r *waitResource) await(
	ctx context.Context, plan *model, within timeout, failing unready.Outcome,
) diag.Diagnostics {
	defer r.provider.Run().BeginApply(ctx)()
	api, diags := r.provider.ConnectToApply(ctx, plan.Connection)
	// Only for its diagnostics: how long the wait may take depends on the object.
	_, faults := within(ctx, 0)
	if diags.Append(faults...); diags.HasError() {
		return diags
	}
	wait := plan.wait()
	if wait.OnFailure == waits.Reports {
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

// ModifyPlan plans whether the apply waits: for a new resource, after a change of the wait, and until the object has
// been ready. It sends no request.
func (r *waitResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if r.provider == nil || req.Plan.Raw.IsNull() {
		return
	}
	// The queue of waits counts all running operations, also those that do not wait.
	defer r.provider.Run().Waits.Begin(ctx)()
	var plan, state model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	isNew := req.State.Raw.IsNull()
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	isNew = isNew || !plan.Target.Equal(state.Target) || !attributes.SameValue(plan.ClusterName, state.ClusterName)
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

// readTimeout is how long a read may take if the configuration sets no timeout.
const readTimeout = time.Minute

// Read reads the object if the resource exports values, or if the object was not ready. If the object is gone, the
// resource leaves the state. If the connection is known only during the apply, the state does not change.
func (r *waitResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() || state.Ready.ValueBool() && state.exportsNothing() {
		return
	}
	defer r.provider.Run().Waits.Begin(ctx)()
	limit, diags := state.Timeouts.Read(ctx, readTimeout)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	api, status, diags := r.provider.Connect(ctx, state.Connection)
	// A refresh knows the connection of the state alone, and the configuration may have newer credentials.
	if status == providerdata.Invalid && state.IsOwn() {
		resp.Diagnostics.Append(r.Names.NotRefreshed(state.object(), errors.New(diags.Errors()[0].Detail())))
		return
	}
	resp.Diagnostics.Append(diags...)
	if status != providerdata.Ready {
		return
	}
	seen, err := look(ctx, api, state)
	switch {
	case cluster.IsGone(err) && state.Ready.ValueBool():
		resp.State.RemoveResource(ctx)
	// The object was missing, or not ready, when the last wait ended. The next apply waits again.
	case cluster.IsGone(err):
	case cluster.LacksCredentials(err) && state.IsOwn():
		resp.Diagnostics.Append(r.Names.NotRefreshed(seen.Object, err))
	case err != nil && state.IsOwn():
		resp.Diagnostics.Append(diagnostics.OfStored(r.Names, r.explain(diagnostics.Read, seen.Object, err), err))
	case err != nil:
		resp.Diagnostics.Append(r.explain(diagnostics.Read, seen.Object, err))
	default:
		state.ID = types.StringValue(seen.Object.ID())
		state.setSeen(seen, state.Ready.ValueBool() || isReady(ctx, api, state, seen))
		resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
	}
}

// look reads the object with one GET.
func look(ctx context.Context, api cluster.Interface, state model) (waiting.Awaited, error) {
	id, err := cluster.LocateExisting(ctx, api, state.object())
	seen := waiting.Awaited{Object: id}
	if _, elsewhere := cluster.ServedElsewhere(id, err); elsewhere || err == nil {
		seen.Live, err = cluster.Get(ctx, api, id)
	}
	return seen, err
}

// isReady reports whether an object is ready now that was not ready when the last wait ended.
func isReady(ctx context.Context, api cluster.Interface, state model, seen waiting.Awaited) bool {
	judge := state.wait().Judge
	if judge == nil {
		return true
	}
	kind, err := api.Kind(ctx, seen.Live.GetAPIVersion(), seen.Live.GetKind())
	return err == nil && judge(seen.Live, kind.HasStatus).State == readiness.Ready
}
