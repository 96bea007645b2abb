package objectkit

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Create applies a new object. Once the object exists, Create writes it into the state, even if something fails afterwards.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer r.provider.Registry().BeginApply()()
	plan := Model{resource: r}
	ctx, secrets := r.keepSecrets(ctx, &plan)
	defer secrets.scrub(&resp.Diagnostics)
	resp.Diagnostics.Append(plan.read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.takeWriteOnly(ctx, req.Config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(plan)
	r.defaultFieldManager(&plan)
	intent, diags := plan.intent()
	resp.Diagnostics.Append(diags...)
	whole, began := ctx, time.Now()
	ctx, cancel, diags := withTimeout(ctx, plan.Timeouts.Create, createTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	api, uid, diags := r.connectToApply(ctx, plan.Connection, diagnostics.Created, record.Snapshot{Object: intent.Manifest.Identity})
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	planned, diags := plan.planned()
	resp.Diagnostics.Append(diags...)
	observed, result, err := r.create(ctx, api, intent, planned)
	var unclear *cluster.OutcomeUnknownError
	if errors.As(err, &unclear) {
		// Terraform marks the resource as tainted.
		plan.setUnseen(unclear.Object)
		resp.Diagnostics.Append(plan.write(ctx, &resp.State)...)
		resp.Diagnostics.Append(identify(ctx, resp.Identity, unclear.Object, plan.ClusterName)...)
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, record.Snapshot{Object: unclear.Object, Cluster: uid, OutcomeUnknown: true})...)
	}
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Created, intent.Manifest.Identity, err))
		return
	}
	resp.Diagnostics.Append(appliedWarnings(observed.Object, result.Warnings)...)
	resp.Diagnostics.Append(r.reportDivergence(planned.State, observed, result.Overwritten...)...)
	resp.Diagnostics.Append(r.await(whole, api, &observed, &plan, operation{creates: true, began: began, timeout: plan.Timeouts.Create})...)
	plan.complete(observed)
	observed.Snapshot.Cluster, observed.Snapshot.Unshown = uid, plan.unshown(observed.View)
	resp.Diagnostics.Append(plan.write(ctx, &resp.State)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, observed.Object, plan.ClusterName)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, observed.Snapshot)...)
}

// Update applies to an existing object, or only records new settings if the object needs no apply.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	defer r.provider.Registry().BeginApply()()
	plan, state := Model{resource: r}, Model{resource: r}
	ctx, secrets := r.keepSecrets(ctx, &plan, &state)
	defer secrets.scrub(&resp.Diagnostics)
	resp.Diagnostics.Append(plan.read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.takeWriteOnly(ctx, req.Config)...)
	prior, diags := state.readPrior(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	seen, diags := loadSeen(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.Append(resp.Private.SetKey(ctx, privatestate.SeenKey, nil)...); resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(plan)
	r.defaultFieldManager(&plan)
	prior = secrets.since(seen.since(prior))
	resp.Diagnostics.Append(identify(ctx, resp.Identity, prior.Object, plan.ClusterName)...)
	intent, diags := plan.intent()
	resp.Diagnostics.Append(diags...)
	began := time.Now()
	bounded, cancel, diags := withTimeout(ctx, plan.Timeouts.Update, updateTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !intents.Pending(intent, prior) {
		if seen != nil {
			prior.Snapshot.Unshown = plan.unshown(prior.View)
		}
		r.record(ctx, prior, plan, resp)
		return
	}
	api, uid, diags := r.connectToApply(bounded, plan.Connection, diagnostics.Updated, prior.Snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	planned, diags := plan.planned()
	if resp.Diagnostics.Append(diags...); seen != nil {
		planned.State = seen.PlannedState
	}
	intent, _, err := plan.keepWriteOnly(bounded, api, intent, prior)
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return
	}
	observed, result, err := r.update(bounded, api, intent, prior, planned)
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return
	}
	resp.Diagnostics.Append(appliedWarnings(observed.Object, result.Warnings)...)
	resp.Diagnostics.Append(r.reportDivergence(planned.State, observed, result.Overwritten...)...)
	if resp.Diagnostics.Append(r.await(ctx, api, &observed, &plan, operation{began: began, timeout: plan.Timeouts.Update})...); resp.Diagnostics.HasError() {
		return // The state stays as it was, so that the next plan has the change again.
	}
	plan.complete(observed)
	observed.Snapshot.Cluster, observed.Snapshot.Unshown = uid, plan.unshown(observed.View)
	resp.Diagnostics.Append(plan.write(ctx, &resp.State)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, observed.Snapshot)...)
}

// appliedWarnings returns the warnings of an apply that succeeded.
func appliedWarnings(id manifest.Identity, warnings []ssa.Warning) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, warning := range warnings {
		diags.Append(diagnostics.ApplyWarning(id, warning))
	}
	return diags
}

// record writes the state of an object that needs no apply.
func (r *Resource) record(ctx context.Context, prior record.Prior, plan Model, resp *resource.UpdateResponse) {
	if resp.Diagnostics.Append(r.settle(ctx, prior, &plan, operation{began: time.Now(), timeout: plan.Timeouts.Update})...); resp.Diagnostics.HasError() {
		return
	}
	prior.Snapshot.Age, prior.Snapshot.Elsewhere = record.Current, ""
	resp.Diagnostics.Append(plan.write(ctx, &resp.State)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, prior.Snapshot)...)
}

// update applies to an object. If the API server cannot reach an admission webhook, update waits for the webhook first.
func (r *Resource) update(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, planned ssa.Plan) (observed record.Observed, result ssa.Result, err error) {
	switch {
	case intent.Patch != nil:
		prior = r.asPlanned(api, intent, prior)
	case intent.Restores:
		if prior, err = withLive(ctx, api, prior); err != nil {
			return observed, result, err
		}
	}
	err = registry.AwaitWebhook(ctx, &r.provider.Registry().Waits, func() (err error) {
		if intent.Patch != nil {
			observed, result.Overwritten, err = patching.Apply(ctx, api, intent, prior)
		} else {
			observed, result, err = ssa.UpdateObject(ctx, api, intent, prior, planned)
		}
		return err
	})
	return observed, result, err
}

// defaultFieldManager fills in the provider's field manager if it was unknown in the plan.
func (r *Resource) defaultFieldManager(plan *Model) {
	if plan.FieldManager.IsUnknown() {
		plan.FieldManager = r.fieldManager(*plan, nil)
	}
}

// planned returns the plan that is being applied, without a planned state if the plan had left it unknown.
func (m Model) planned() (ssa.Plan, diag.Diagnostics) {
	var plan ssa.Plan
	if known(m.ID) {
		id, diags := m.object()
		if diags.HasError() {
			return plan, diags
		}
		plan.Object = id
	}
	if !known(m.FieldOwnership) {
		return plan, nil
	}
	planned := m.plannedState()
	plan.State = &planned
	return plan, nil
}

// reportDivergence warns once of each declared field that others changed between the plan and the end of the apply.
func (r *Resource) reportDivergence(planned *prediction.PlannedState, observed record.Observed, overwritten ...ssa.Overwritten) diag.Diagnostics {
	var diags diag.Diagnostics
	if len(overwritten) > 0 {
		diags.Append(r.Words.Overwritten(observed.Object, overwritten))
	}
	if planned == nil {
		return diags
	}
	fields := slices.DeleteFunc(ssa.Divergence(*planned, observed), func(field string) bool {
		return slices.ContainsFunc(overwritten, func(o ssa.Overwritten) bool { return o.Field == field })
	})
	if len(fields) > 0 {
		diags.Append(diagnostics.Diverged(observed.Object, fields))
	}
	return diags
}
