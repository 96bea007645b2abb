package objectkit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// Applying is what an apply to an object is made of. Plan becomes the state.
type Applying struct {
	// Plan is as [Objects.PlanObject] has left it.
	Plan *model.Model
	// State is nil for a create.
	State   *model.Model
	Private privatestate.Private
	// Undoes is true if an update is to leave the way back, even if the wait of the object does not ask for it.
	Undoes bool
}

// Applied is what an apply has made of an object.
type Applied struct {
	Diags diag.Diagnostics
	// State is what to store; nil if the state stays as it was.
	State *model.Model
	// Object is the object of the state. It is empty if no object is known.
	Object      manifest.Identity
	ClusterName types.String
	// Undo is the way back from an update that was applied; nil without one. If it has Failed, Diags have no error yet:
	// [Objects.UndoObject] adds it.
	Undo *results.Undo
}

// CreateObject applies one new object.
func (r *Objects) CreateObject(ctx context.Context, a Applying) (out Applied) {
	defer r.provider.Run().BeginApply(ctx)()
	plan := a.Plan
	out.ClusterName = plan.ClusterName
	ctx, secrets := secrecy.Keep(ctx, plan)
	defer secrets.Scrub(&out.Diags)
	if a.State == nil { // The CLI passes on what private state has of a replaced object.
		out.Diags.Append(privatestate.Completed{}.Save(ctx, a.Private)...)
	}
	whole, began := ctx, time.Now()
	ctx, cancel, diags := withTimeout(ctx, plan.Timeouts.Create, createTimeout)
	defer cancel()
	out.Diags.Append(diags...)
	if out.Diags.Append(r.addRules(ctx, plan, diagnostics.Created)...); out.Diags.HasError() {
		return out
	}
	r = r.speakingOf(plan)
	args, diags := plan.Arguments()
	out.Diags.Append(diags...)
	api, uid, diags := r.connectToApply(ctx, plan, diagnostics.Created, record.Snapshot{Object: args.Manifest.Identity})
	if out.Diags.Append(diags...); out.Diags.HasError() {
		return out
	}
	planned, diags := plannedBy(plan)
	out.Diags.Append(diags...)
	if left := (results.UnfinishedOnes{Provider: r.provider}).HandedOver(api, planned.Object); left != nil {
		createOn(whole, left, existing{resource: r, Applying: a, began: began, creates: true}, &out)
		return out
	}
	observed, result, err := engine.Of(r.work(api, args)).Create(ctx, planned)
	if unclear, is := errors.AsType[*cluster.OutcomeUnknownError](err); is {
		// Terraform marks the resource as tainted.
		plan.SetUnseen(unclear.Object)
		out.State, out.Object = plan, unclear.Object
		out.Diags.Append(privatestate.SaveSnapshot(ctx, a.Private,
			record.Snapshot{
				Object: unclear.Object, Sighting: record.Sighting{Cluster: uid},
				Creation: record.Creation{OutcomeUnknown: true, Unfinished: true},
			})...)
	}
	if err != nil {
		out.Diags.Append(reportMet(r.Names, args.Manifest.Identity, result, nil)...)
		out.Diags.Append(r.explain(diagnostics.Created, args.Manifest.Identity, err))
		return out
	}
	out.Diags.Append(r.reportApplied(planned, observed, result)...)
	waited := results.Await(whole, api, &observed, plan, r.operation(a.State == nil, began, plan.Timeouts.Create))
	if out.Diags.Append(waited...); waited.HasError() && a.State != nil {
		return out // The next plan finds the new Job, and has the change again.
	}
	out.complete(ctx, a, observed, uid, waited.HasError())
	return out
}

// complete stores what was observed after an apply on the cluster with a uid.
func (a *Applied) complete(
	ctx context.Context, from Applying, observed record.Observed, uid string, isUnfinished bool,
) {
	from.Plan.Complete(observed)
	observed.Snapshot.Cluster, observed.Snapshot.Unshown = uid, from.Plan.Unshown(observed.Owners)
	observed.Snapshot.Unfinished = isUnfinished
	a.State, a.Object = from.Plan, observed.Object
	a.Diags.Append(privatestate.SaveSnapshot(ctx, from.Private, observed.Snapshot)...)
	a.Diags.Append(results.SaveCompleted(ctx, from.Private, observed)...)
}

// UpdateObject applies to one existing object.
func (r *Objects) UpdateObject(ctx context.Context, a Applying) (out Applied) {
	defer r.provider.Run().BeginApply(ctx)()
	plan, state, began := a.Plan, a.State, time.Now()
	out.ClusterName = plan.ClusterName
	ctx, secrets := secrecy.Keep(ctx, plan, state)
	defer secrets.Scrub(&out.Diags)
	prior, diags := priorOf(ctx, state, a.Private)
	out.Diags.Append(diags...)
	seen, diags := privatestate.TakeSeen(ctx, a.Private, a.Private)
	out.Diags.Append(diags...)
	completed, diags := privatestate.LoadCompleted(ctx, a.Private)
	if out.Diags.Append(diags...); out.Diags.HasError() {
		return out
	}
	bounded, cancel, diags := withTimeout(ctx, plan.Timeouts.Update, updateTimeout)
	defer cancel()
	diags.Append(r.addRules(bounded, plan, diagnostics.Updated)...)
	if out.Diags.Append(diags...); out.Diags.HasError() {
		return out
	}
	r = r.speakingOf(plan)
	prior = seen.Since(prior)
	secrets.Since(prior.Snapshot)
	out.Object = prior.Object
	e := existing{resource: r, Applying: a, prior: prior, seen: seen, began: began}
	switch args, _ := plan.Arguments(); {
	case completed.IsGone && model.RunsOnce(plan) && args.HasManifestOf(prior.Arguments):
		e.record(ctx, &out)
	case completed.IsGone:
		return r.CreateObject(ctx, a) // The update runs the Job again.
	default:
		e.apply(ctx, &out)
	}
	return out
}

// existing is an apply to an object that exists.
type existing struct {
	Applying
	resource *Objects
	prior    record.Prior
	// seen is the object from which the apply starts if the refresh could not read it.
	seen  *privatestate.Seen
	began time.Time
	// creates is true if the apply is the create half of a replacement that keeps the object.
	creates bool
}

// timeout returns how long the apply may take, if the configuration limits it.
func (e existing) timeout() timeoutOf {
	if e.creates {
		return e.Plan.Timeouts.Create
	}
	return e.Plan.Timeouts.Update
}

// apply applies to the object. After an error, the state stays as it is in out, except that the create half
// of a replacement stores what it has applied.
func (e existing) apply(ctx context.Context, out *Applied) {
	r, prior, plan, seen := e.resource, e.prior, e.Plan, e.seen
	args, diags := plan.Arguments()
	out.Diags.Append(diags...)
	bounded, cancel, diags := withTimeout(ctx, e.timeout(), updateTimeout)
	defer cancel()
	if out.Diags.Append(diags...); out.Diags.HasError() {
		return
	}
	if !e.creates && !r.work(nil, args).IsReplaced(prior.Snapshot.UID) && !engine.Pending(args, prior) {
		if seen != nil {
			e.prior.Snapshot.Unshown = plan.Unshown(prior.Owners)
		}
		e.record(ctx, out)
		return
	}
	api, uid, diags := r.connectToApply(bounded, plan, diagnostics.Updated, prior.Snapshot)
	if out.Diags.Append(diags...); out.Diags.HasError() {
		return
	}
	planned, diags := plannedBy(plan)
	if out.Diags.Append(diags...); seen != nil {
		planned.State = seen.PlannedState
	}
	var updated engine.Updated
	before, err := e.readFirst(bounded, api)
	if err == nil {
		updated, err = r.work(api, args).Update(bounded, prior, planned)
	}
	observed := updated.Observed
	if plan.Sent = &updated.Sent; err != nil {
		out.Diags.Append(reportMet(r.Names, prior.Object, updated.Result, nil)...)
		if out.Diags.Append(r.explain(diagnostics.Updated, prior.Object, err)); r.IsPart && observed.Snapshot.Known() {
			e.keepState(ctx, observed, uid, out)
		}
		return
	}
	out.Diags.Append(r.reportApplied(planned, observed, updated.Result)...)
	in := r.operation(e.creates, e.began, e.timeout())
	in.Unforeseen = seen != nil
	if e.mayUndo() {
		out.Undo = e.undo(api, before, updated, in)
		in.Undo = out.Undo
	}
	waited := results.Await(ctx, api, &observed, plan, in)
	out.Diags.Append(waited...)
	if !e.creates && (out.Diags.HasError() || out.Undo.IsWanted()) {
		e.keepState(ctx, observed, uid, out)
		return
	}
	out.complete(ctx, e.Applying, observed, uid, waited.HasError())
}

// keepState stores the snapshot after an apply that has failed later. The state stays as it was, and the next plan
// shows the change again, but the state knows who wrote to the object. That of a part also knows what was added, and
// which values were there before: its fields may leave the body again.
func (e existing) keepState(ctx context.Context, observed record.Observed, uid string, out *Applied) {
	snapshot, manager := e.prior.Snapshot, e.Plan.FieldManager.ValueString()
	snapshot.Claims = snapshot.Claims.At(manager, observed.Snapshot.Claims.TimeOf(manager))
	if e.resource.IsPart {
		snapshot = observed.Snapshot.Lost()
		snapshot.Cluster, snapshot.Unshown = uid, e.State.Unshown(observed.Owners)
	}
	out.Diags.Append(privatestate.SaveSnapshot(ctx, e.Private, snapshot)...)
}

// createOn is the create half of a replacement that keeps the object; see [results.Unfinished]. If it fails, the state
// contains the object as it was before.
func createOn(ctx context.Context, left *results.Unfinished, e existing, out *Applied) {
	var diags diag.Diagnostics
	e.prior, diags = left.State.Prior(left.Snapshot)
	out.Diags.Append(diags...)
	out.State, out.Object = left.State, e.prior.Object
	out.Diags.Append(privatestate.SaveSnapshot(ctx, e.Private, left.Snapshot)...)
	if !out.Diags.HasError() {
		e.apply(ctx, out)
	}
}

// record stores an object that needs no apply.
func (e existing) record(ctx context.Context, out *Applied) {
	if out.Diags.Append(e.settle(ctx)...); out.Diags.HasError() {
		return
	}
	snapshot := e.prior.Snapshot
	snapshot.Age, snapshot.Elsewhere, snapshot.Unfinished = record.Current, "", false
	out.State = e.Plan
	out.Diags.Append(privatestate.SaveSnapshot(ctx, e.Private, snapshot)...)
}

// addRules adds what rules add to the arguments of a plan that could not know it, and then the field manager if it was
// unknown in the plan.
func (r *Objects) addRules(ctx context.Context, plan *model.Model, of diagnostics.Operation) (diags diag.Diagnostics) {
	if err := r.provider.AddRules(ctx, plan); err != nil {
		diags.Append(r.explain(of, plan.Body().Manifest.Identity, err))
	}
	if plan.FieldManager.IsUnknown() {
		plan.FieldManager = r.fieldManager(plan, nil)
	}
	return diags
}

// plannedBy returns the plan that is being applied, without a planned state if the plan had left it unknown.
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
func (e existing) settle(ctx context.Context) diag.Diagnostics {
	r, prior, plan := e.resource, e.prior, e.Plan
	if !results.IsOpen(plan) {
		return nil
	}
	in := r.operation(false, time.Now(), plan.Timeouts.Update)
	api, _, diags := r.connectToApply(ctx, plan, diagnostics.Updated, prior.Snapshot)
	if diags.HasError() {
		return diags
	}
	live, err := prior.Read(ctx, api)
	if err != nil {
		diags.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return diags
	}
	observed := record.Observed{
		Object: prior.Object, UID: string(live.GetUID()), Live: live.Object, Snapshot: prior.Snapshot,
	}
	diags.Append(results.Await(ctx, api, &observed, plan, in)...)
	diags.Append(results.RefreshCompleted(ctx, e.Private, plan, observed)...)
	plan.Complete(observed)
	return diags
}

// operation returns what a wait has to know of a create or an update.
func (r *Objects) operation(creates bool, began time.Time, timeout timeoutOf) results.Operation {
	return results.Operation{
		Creates: creates, IsPart: r.IsPart, Began: began, Timeout: timeout, Words: r.Names, Explain: r.explain,
	}
}
