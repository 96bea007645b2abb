package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// ModifyPlan predicts the computed attributes. Terraform calls it twice for each change, the second time during
// the apply. The second plan must have the same known values as the first.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.provider == nil {
		return
	}
	p := Planning{Private: private{req.Private, resp.Private}}
	if req.Plan.Raw.IsNull() {
		r.provider.Run().Rounds.Set(run.FirstRound) // Terraform plans a destroy once.
	}
	if !req.State.Raw.IsNull() {
		p.State = r.model()
		resp.Diagnostics.Append(p.State.Read(ctx, req.State)...)
	}
	if !req.Plan.Raw.IsNull() {
		var manager types.String
		p.Plan = r.model()
		resp.Diagnostics.Append(p.Plan.Read(ctx, req.Plan)...)
		resp.Diagnostics.Append(p.Plan.TakeWriteOnly(ctx, req.Config)...)
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("field_manager"), &manager)...)
		p.Plan.NamesNoManager = manager.IsNull()
	}
	if resp.Diagnostics.HasError() {
		return
	}
	var given model.Model
	if p.Plan != nil {
		given = *p.Plan
	}
	planned := r.PlanObject(ctx, p)
	if resp.Diagnostics.Append(planned.Diags...); resp.Diagnostics.HasError() || p.Plan == nil {
		return
	}
	resp.RequiresReplace = append(resp.RequiresReplace, planned.Replaces...)
	if req.ClientCapabilities.DeferralAllowed {
		resp.Deferred = planned.Deferred
	}
	if !p.Plan.Equal(&given) {
		resp.Diagnostics.Append(p.Plan.Write(ctx, &resp.Plan)...)
	}
	if planned.ChangesIdentity {
		resp.Diagnostics.Append(model.IdentifyPlanned(ctx, resp.Identity, p.Plan)...)
	}
}

// Planning is what a plan of an object is made of.
type Planning struct {
	// Plan is what the configuration asks for; nil for a destroy. [Resource.PlanObject] fills in what it computes.
	Plan *model.Model
	// State is nil for a new object.
	State   *model.Model
	Private Private
}

// Planned is what a plan of an object says, apart from its attributes.
type Planned struct {
	Diags diag.Diagnostics
	// Replaces are the attributes that may require a replacement.
	Replaces path.Paths
	// Deferred is set if the change has to wait for another run.
	Deferred *resource.Deferred
	// State is the state that the plan starts from; nil for an object that is new, even if something of it is there.
	State *model.Model
	// ChangesIdentity is true if the identity of the state does not fit the plan.
	ChangesIdentity bool
}

// PlanObject plans one object.
func (r *Resource) PlanObject(ctx context.Context, p Planning) (out Planned) {
	defer r.provider.Run().Waits.Begin()()
	snapshot, diags := privatestate.LoadSnapshot(ctx, p.Private)
	out.Diags.Append(diags...)
	plan, state := p.Plan, p.State
	if state != nil {
		out.Diags.Append(r.noteObject(ctx, state, snapshot, plan == nil)...)
	}
	if plan == nil || out.Diags.HasError() {
		out.Diags.Append(privatestate.ForgetStays(ctx, p.Private)...)
		return out // A destroy has nothing to predict.
	}
	ctx, secrets := secrecy.Keep(ctx, r.provider, plan, state)
	secrets.Since(snapshot)
	defer secrets.Scrub(&out.Diags)
	if plan.NamesNoManager {
		plan.FieldManager = r.fieldManager(plan, keptBy(state, snapshot))
	}
	r = r.speakingOf(plan)
	c := change{resource: r, plan: plan, state: state, snapshot: snapshot}
	makePlan(ctx, &c)
	if out.Diags.Append(c.diags...); out.Diags.HasError() {
		return out
	}
	out.Diags.Append(savePrivate(ctx, c, p.Private)...)
	out.Replaces, out.Deferred, out.State = c.replaces, c.deferred(), c.state
	if state != nil && r.provider.Run().Rounds.Current() == run.FirstRound {
		plan.KeepEqualManifest(state)
	}
	out.ChangesIdentity = state == nil || !model.SameClusterName(plan, state) ||
		c.changesVersion() && len(c.replaces) == 0
	return out
}

// makePlan makes the plan, and notes it in the run.
func makePlan(ctx context.Context, c *change) {
	c.timeout = c.applyTimeout(ctx)
	left := (unfinishedOnes{c.resource.provider}).before(ctx, c.plan, c.state)
	// The CLI passes private state to the create of a replacement, unless the resource is tainted.
	if left != nil && !c.snapshot.Known() {
		c.finish(ctx, left)
	} else {
		c.decide(ctx)
		c.reportReplacement(ctx)
	}
	c.noteDefinition(ctx)
	c.planResults()
	c.shareObject()
}

// savePrivate writes what the apply has to know of the plan into private state.
func savePrivate(ctx context.Context, c change, private Private) diag.Diagnostics {
	var diags diag.Diagnostics
	if c.stays {
		diags.Append(privatestate.SaveStays(ctx, private, c.snapshot.UID)...)
	}
	if c.reread || c.stays {
		diags.Append(privatestate.SaveSnapshot(ctx, private, c.snapshot)...)
	}
	if c.seen != nil {
		diags.Append(c.seen.Save(ctx, private)...)
	}
	return diags
}

// finish plans an update of the object that an unfinished resource has left. If the object has to be replaced, it plans
// that instead.
func (c *change) finish(ctx context.Context, left *unfinished) {
	ctx, secrets := secrecy.Keep(ctx, c.resource.provider, c.plan, left.state)
	secrets.Since(left.snapshot)
	defer secrets.Scrub(&c.diags)
	whole, given := *c, *c.plan
	c.state, c.snapshot = left.state, left.snapshot
	c.decide(ctx)
	switch {
	case c.diags.HasError():
		if len(c.replaces) == 0 && !left.isHandedOver { // The warning has the way out.
			c.diags = append(diag.Diagnostics{changes.Stays(c.resource.Names, c.stateObject())}, c.diags...)
		}
		return
	case len(c.replaces) > 0:
		whole.diags, *c.plan = c.diags, given
		*c = whole
		c.decide(ctx)
		return
	}
	id := c.stateObject()
	if c.stays = true; left.isHandedOver {
		return
	}
	if left.isStored {
		c.work.Run.Objects.EndRead(c.snapshot.UID)
	}
	if err := c.work.Run.Objects.Replace(id, c.snapshot.UID); err != nil {
		c.diags.Append(c.resource.Names.Error(diagnostics.Planned, id, err))
		return
	}
	c.diags = append(diag.Diagnostics{changes.Stays(c.resource.Names, id)}, c.diags...)
}

// keep registers the object of the state. It returns an error if another resource is to replace or adopt the object.
func (r *Resource) keep(state *model.Model, snapshot record.Snapshot) diag.Diagnostics {
	id, diags := state.Object()
	if diags.HasError() {
		return diags
	}
	if err := r.provider.Run().PlanWithState(id, snapshot.UID); err != nil {
		diags.Append(r.Names.Error(diagnostics.Planned, id, err))
	}
	r.protect(state, snapshot)
	return diags
}

// leave registers an object that the plan deletes. It returns an error if another resource is to replace the object.
func (r *Resource) leave(state *model.Model, snapshot record.Snapshot) diag.Diagnostics {
	id, diags := state.Object()
	if diags.HasError() {
		return diags
	}
	if err := r.provider.Run().Objects.PlanDeletion(id, state.UID()); err != nil {
		diags.Append(r.Names.Error(diagnostics.Planned, id, err))
	}
	r.provider.Run().Refreshed.TakeOut(state.UID())
	r.protect(state, snapshot)
	return diags
}

// protect registers an object whose state has delete_protection, and one that is not the object of the last apply.
func (r *Resource) protect(state *model.Model, snapshot record.Snapshot) {
	if state.Protection.ValueBool() {
		r.provider.Run().Objects.Protect(state.UID())
	}
	if recreated := recreatedOf(snapshot); recreated != nil && !r.IsPart && !state.Releases() {
		r.provider.Run().Objects.NoteRecreated(recreated)
	}
}

// recreatedOf returns what a snapshot says of an object that is not the one of the last apply; nil if it is that
// object.
func recreatedOf(snapshot record.Snapshot) *run.RecreatedError {
	if snapshot.Former == "" {
		return nil
	}
	return &run.RecreatedError{
		Object: snapshot.Object, Was: snapshot.Former, Is: snapshot.UID, Managers: snapshot.Claims.Names(),
	}
}

// noteObject registers what the plan does with the object in the state. destroys is true if the plan is a destroy.
func (r *Resource) noteObject(
	ctx context.Context, state *model.Model, snapshot record.Snapshot, destroys bool,
) diag.Diagnostics {
	r = r.speakingOf(state)
	switch {
	case r.IsPart && destroys:
		return r.leavePart(ctx, state, snapshot, changes.Destroyed)
	case r.IsPart:
		return nil
	case !destroys:
		return r.keep(state, snapshot)
	}
	diags := r.leave(state, snapshot)
	diags.Append(r.refuseLoss(state, diagnostics.Destroy, snapshot)...)
	if snapshot.Age == record.Outdated {
		diags.Append(r.staleDestroy(snapshot))
	}
	return diags
}

// planResults plans what else an apply shows of the object.
func (c *change) planResults() {
	if c.diags.HasError() {
		return
	}
	before := c.state
	if len(c.replaces) > 0 {
		before = nil
	}
	c.diags.Append(results.Plan(c.plan, before, c.pending)...)
}

// shareObject registers what the plan does to the object, so that the provider refuses another resource that applies or
// removes the same fields.
func (c *change) shareObject() {
	if c.diags.HasError() || c.work.API == nil || len(c.replaces) > 0 || c.resource.provider.Destroys() {
		return
	}
	id, diags := c.plan.Object()
	if diags.HasError() {
		return
	}
	at, last := run.At{API: c.work.API, Object: id, UID: c.uid}, record.Snapshot{}
	if c.state != nil {
		at.UID, last = c.state.UID(), c.snapshot
	}
	share := engine.ShareOf(id, c.work.Args, c.planned, last)
	share.FieldManager = c.plan.FieldManager.ValueString() // It is "" if it is known only during the apply.
	if err := c.work.Run.Objects.Share(at, share); err != nil {
		c.diags.Append(c.resource.Names.Error(diagnostics.Planned, id, err))
	}
}
