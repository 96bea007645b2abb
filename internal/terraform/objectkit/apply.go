package objectkit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// Create applies a new object. Once the object exists, Create writes it into the state, even if something fails
// afterwards.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	defer r.provider.Run().BeginApply()()
	plan := r.model()
	ctx, secrets := secrecy.Keep(ctx, r.provider, plan)
	defer secrets.Scrub(&resp.Diagnostics)
	resp.Diagnostics.Append(plan.Read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.TakeWriteOnly(ctx, req.Config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.defaultFieldManager(plan)
	addRules(ctx, r.provider, plan)
	r = r.speakingOf(plan)
	args, diags := plan.Arguments()
	resp.Diagnostics.Append(diags...)
	whole, began := ctx, time.Now()
	ctx, cancel, diags := withTimeout(ctx, plan.Timeouts.Create, createTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	api, uid, diags := r.connectToApply(ctx, plan, diagnostics.Created, record.Snapshot{Object: args.Manifest.Identity})
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	planned, diags := plannedBy(plan)
	resp.Diagnostics.Append(diags...)
	if left := (unfinishedOnes{r.provider}).handedOver(api, planned.Object); left != nil {
		createOn(whole, left, existing{resource: r, plan: plan, began: began, creates: true}, resp)
		return
	}
	observed, result, err := engine.Of(r.work(api, args)).Create(ctx, planned)
	var unclear *cluster.OutcomeUnknownError
	if errors.As(err, &unclear) {
		// Terraform marks the resource as tainted.
		plan.SetUnseen(unclear.Object)
		resp.Diagnostics.Append(plan.Write(ctx, &resp.State)...)
		resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, unclear.Object, plan.ClusterName)...)
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private,
			record.Snapshot{Object: unclear.Object, Cluster: uid, OutcomeUnknown: true, Unfinished: true})...)
	}
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Created, args.Manifest.Identity, err))
		return
	}
	resp.Diagnostics.Append(r.reportApplied(planned, observed, result)...)
	waited := results.Await(whole, api, &observed, plan, r.operation(true, began, plan.Timeouts.Create))
	resp.Diagnostics.Append(waited...)
	plan.Complete(observed)
	observed.Snapshot.Cluster, observed.Snapshot.Unshown = uid, plan.Unshown(observed.Owners)
	observed.Snapshot.Unfinished = waited.HasError()
	resp.Diagnostics.Append(plan.Write(ctx, &resp.State)...)
	resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, observed.Object, plan.ClusterName)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, observed.Snapshot)...)
}

// Update applies to an existing object, or only records new settings if the object needs no apply.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	defer r.provider.Run().BeginApply()()
	plan, state, began := r.model(), r.model(), time.Now()
	ctx, secrets := secrecy.Keep(ctx, r.provider, plan, state)
	defer secrets.Scrub(&resp.Diagnostics)
	resp.Diagnostics.Append(plan.Read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.TakeWriteOnly(ctx, req.Config)...)
	prior, diags := state.ReadPrior(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	seen, diags := privatestate.TakeSeen(ctx, req.Private, resp.Private)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	r.defaultFieldManager(plan)
	addRules(ctx, r.provider, plan)
	r = r.speakingOf(plan)
	prior = seen.Since(prior)
	secrets.Since(prior.Snapshot)
	resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, prior.Object, plan.ClusterName)...)
	existing{resource: r, prior: prior, plan: plan, seen: seen, began: began}.apply(ctx, resp)
}

// existing is an apply to an object that exists.
type existing struct {
	resource *Resource
	prior    record.Prior
	plan     *model.Model
	// seen is the object from which the apply starts if the refresh could not read it.
	seen  *privatestate.Seen
	began time.Time
	// creates is true if the apply is the create half of a replacement that keeps the object.
	creates bool
}

// timeout returns how long the apply may take, if the configuration says so.
func (e existing) timeout() timeoutOf {
	if e.creates {
		return e.plan.Timeouts.Create
	}
	return e.plan.Timeouts.Update
}

// apply applies to the object. After an error, the state stays as it is in resp, except that the create half
// of a replacement writes what it has applied.
func (e existing) apply(ctx context.Context, resp *resource.UpdateResponse) {
	r, prior, plan, seen := e.resource, e.prior, e.plan, e.seen
	args, diags := plan.Arguments()
	resp.Diagnostics.Append(diags...)
	bounded, cancel, diags := withTimeout(ctx, e.timeout(), updateTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !e.creates && !r.work(nil, args).IsReplaced(prior.Snapshot.UID) && !engine.Pending(args, prior) {
		if seen != nil {
			e.prior.Snapshot.Unshown = plan.Unshown(prior.Owners)
		}
		e.record(ctx, resp)
		return
	}
	api, uid, diags := r.connectToApply(bounded, plan, diagnostics.Updated, prior.Snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	planned, diags := plannedBy(plan)
	if resp.Diagnostics.Append(diags...); seen != nil {
		planned.State = seen.PlannedState
	}
	updated, err := r.work(api, args).Update(bounded, prior, planned)
	observed := updated.Observed
	if plan.Sent = &updated.Sent; err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return
	}
	resp.Diagnostics.Append(r.reportApplied(planned, observed, updated.Result)...)
	waited := results.Await(ctx, api, &observed, plan, r.operation(e.creates, e.began, e.timeout()))
	if resp.Diagnostics.Append(waited...); resp.Diagnostics.HasError() && !e.creates {
		return // The state stays as it was, so that the next plan has the change again.
	}
	plan.Complete(observed)
	observed.Snapshot.Cluster, observed.Snapshot.Unshown = uid, plan.Unshown(observed.Owners)
	observed.Snapshot.Unfinished = waited.HasError()
	resp.Diagnostics.Append(plan.Write(ctx, &resp.State)...)
	resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, observed.Object, plan.ClusterName)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, observed.Snapshot)...)
}

// createOn is the create half of a replacement that keeps the object; see [unfinished]. If it fails, the state has the
// object as it was before.
func createOn(ctx context.Context, left *unfinished, e existing, resp *resource.CreateResponse) {
	update := resource.UpdateResponse{
		State: resp.State, Private: resp.Private, Identity: resp.Identity, Diagnostics: resp.Diagnostics,
	}
	var diags diag.Diagnostics
	e.prior, diags = left.state.Prior(left.snapshot)
	update.Diagnostics.Append(diags...)
	update.Diagnostics.Append(left.state.Write(ctx, &update.State)...)
	update.Diagnostics.Append(privatestate.SaveSnapshot(ctx, update.Private, left.snapshot)...)
	update.Diagnostics.Append(model.Identify(ctx, update.Identity, e.prior.Object, e.plan.ClusterName)...)
	if !update.Diagnostics.HasError() {
		e.apply(ctx, &update)
	}
	resp.State, resp.Private, resp.Identity, resp.Diagnostics = update.State, update.Private, update.Identity,
		update.Diagnostics
}

// reportApplied returns the warnings of an apply that succeeded: what others have changed meanwhile, and what went
// otherwise than planned.
func (r *Resource) reportApplied(planned ssa.Plan, observed record.Observed, result ssa.Result) diag.Diagnostics {
	var diags diag.Diagnostics
	if len(result.Warnings) > 0 {
		diags.Append(diagnostics.AppliedWithWarnings(r.Names, observed.Object, result.Warnings))
	}
	diverged := planned.Divergence(observed, result.Overwritten)
	if len(result.Overwritten)+len(diverged) > 0 {
		diags.Append(r.Names.ChangedDuringApply(observed.Object, result.Overwritten, diverged))
	}
	return diags
}

// record writes the state of an object that needs no apply.
func (e existing) record(ctx context.Context, resp *resource.UpdateResponse) {
	if resp.Diagnostics.Append(e.resource.settle(ctx, e.prior, e.plan)...); resp.Diagnostics.HasError() {
		return
	}
	snapshot := e.prior.Snapshot
	snapshot.Age, snapshot.Elsewhere, snapshot.Unfinished = record.Current, "", false
	resp.Diagnostics.Append(e.plan.Write(ctx, &resp.State)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, snapshot)...)
}

// defaultFieldManager fills in the provider's field manager if it was unknown in the plan.
func (r *Resource) defaultFieldManager(plan *model.Model) {
	if plan.FieldManager.IsUnknown() {
		plan.FieldManager = r.fieldManager(plan, nil)
	}
}

// planned returns the plan that is being applied, without a planned state if the plan had left it unknown.
func plannedBy(m *model.Model) (ssa.Plan, diag.Diagnostics) {
	var plan ssa.Plan
	if model.IsKnown(m.ID) {
		id, diags := m.Object()
		if diags.HasError() {
			return plan, diags
		}
		plan.Object = id
	}
	if !model.IsKnown(m.FieldOwnership) {
		return plan, nil
	}
	planned := m.Shown()
	plan.State = &planned
	return plan, nil
}

// settle fills in the attributes that are still unknown after an update that applies nothing: it reads the object,
// waits for it, and takes its values.
func (r *Resource) settle(ctx context.Context, prior record.Prior, plan *model.Model) diag.Diagnostics {
	if !results.IsOpen(plan) {
		return nil
	}
	in := r.operation(false, time.Now(), plan.Timeouts.Update)
	api, _, diags := r.connectToApply(ctx, plan, diagnostics.Updated, prior.Snapshot)
	if diags.HasError() {
		return diags
	}
	live, err := cluster.Get(ctx, api, prior.Object)
	if err == nil {
		err = prior.CheckUID(live)
	}
	if err != nil {
		diags.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return diags
	}
	observed := record.Observed{
		Object: prior.Object, UID: string(live.GetUID()), Live: live.Object, Snapshot: prior.Snapshot,
	}
	diags.Append(results.Await(ctx, api, &observed, plan, in)...)
	plan.Complete(observed)
	return diags
}

// operation returns what a wait has to know of a create or an update.
func (r *Resource) operation(creates bool, began time.Time, timeout timeoutOf) results.Operation {
	return results.Operation{
		Creates: creates, IsPart: r.IsPart, Began: began, Timeout: timeout, Words: r.Names, Explain: r.explain,
	}
}
