package objectkit

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

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

// Planning is what a plan of an object is made of.
type Planning struct {
	// Plan is what the configuration asks for; nil for a destroy. [Objects.PlanObject] fills in what it computes.
	Plan *model.Model
	// State is nil for a new object.
	State   *model.Model
	Private privatestate.Private
}

// Planned is the plan of an object, apart from its attributes.
type Planned struct {
	Diags diag.Diagnostics
	// Refused is the error with which the create will end; empty if nothing refuses it.
	Refused diag.Diagnostics
	// Replaces are the attributes that may require a replacement.
	Replaces path.Paths
	// Deferred is set if the change has to wait for another run.
	Deferred *resource.Deferred
	// State is the state that the plan starts from; nil for a new object, and for one that a failed create has left.
	State *model.Model
	// Leaves is how the object stays that the plan gives up without deleting it; nil otherwise, and for a part.
	Leaves *changes.Departure
	// Requested is the end of the object that a taint or -replace requests; nil without one.
	Requested *model.End
	// Becomes is as in [ssa.Plan], also of the end of a part; nil if the object is replaced.
	Becomes map[string]any
	// Found is how long an object exists that a create takes over from an apply which ended early; 0 without.
	Found time.Duration
	// Forgets is true if the end of the object leaves it as it is, because it is not the one of the last apply.
	Forgets bool
	// ChangesIdentity is true if the identity of the state does not fit the plan.
	ChangesIdentity bool
}

// resumedAge returns how long an object exists that a create takes over from an apply which ended early; 0 without.
func (c *change) resumedAge() time.Duration {
	left := c.planned.Adoption.Resumed
	if left == nil {
		return 0
	}
	return time.Since((&unstructured.Unstructured{Object: left.Live}).GetCreationTimestamp().Time)
}

// PlanObject plans one object.
func (r *Objects) PlanObject(ctx context.Context, p Planning) (out Planned) {
	defer r.provider.Run().Waits.Begin(ctx)()
	snapshot, completed, diags := privatestate.Load(ctx, p.Private)
	out.Diags.Append(diags...)
	plan, state := p.Plan, p.State
	if plan == nil && completed.IsGone {
		return out
	}
	if plan == nil {
		state = model.Ending(state, r.provider)
	}
	ctx, secrets := secrecy.Keep(ctx, present(plan, state)...)
	secrets.Since(snapshot)
	defer secrets.Scrub(&out.Diags)
	if state != nil {
		var read record.Snapshot
		read, out.Becomes, diags = r.noteObject(ctx, state, snapshot, plan == nil)
		out.Diags.Append(diags...)
		if plan == nil {
			// Terraform passes the destroy the private state of this plan, which may come before the refresh.
			out.Diags.Append(privatestate.SaveSnapshot(ctx, p.Private, read)...)
		}
	}
	if plan == nil && !out.Diags.HasError() {
		r.leaveObject(&out, state, snapshot)
		out.Forgets = forgets(state, snapshot)
	}
	if plan == nil || out.Diags.HasError() { // A destroy has nothing to predict.
		out.Diags.Append(privatestate.ForgetStays(ctx, p.Private)...)
		return out
	}
	unserved := r.provider.PlanRules(ctx, plan, state)
	if plan.NamesNoManager {
		plan.FieldManager = r.fieldManager(plan, keptBy(state, snapshot)) // Rules may tell which values are secret.
	}
	r = r.speakingOf(plan)
	if out.Diags.Append(model.CheckSuccessor(plan)...); !plan.RulesApplied.IsNull() && plan.ArgumentsKnown() {
		out.Diags.Append(model.Validate(plan, r.Names)...) // A rule may contradict an argument of the resource.
	}
	if out.Diags.HasError() {
		return out
	}
	c := change{
		resource: r, plan: plan, unserved: unserved,
		start: start{
			state: state, snapshot: snapshot, completed: completed, along: privatestate.LoadAlong(ctx, p.Private),
		},
	}
	makePlan(ctx, &c)
	if out.Diags.Append(c.diags...); out.Diags.HasError() {
		return out
	}
	out.Diags.Append(unservedKinds(ctx, &c)...)
	out.Diags.Append(savePrivate(ctx, c, p.Private)...)
	out.Replaces, out.Deferred, out.State, out.Refused = c.replaces, c.deferred(), c.state, c.refused
	out.Requested, out.Found = RequestedEnd(r, c.planned.Replaces, c.snapshot.Known()), c.resumedAge()
	out.Becomes = c.planned.Becomes
	if len(c.replaces) > 0 && !c.completed.IsGone {
		r.leaveObject(&out, model.Ending(state, r.provider), snapshot)
	}
	if state != nil && r.provider.Run().Rounds.Current() == run.FirstRound {
		plan.KeepEqualManifest(state)
	}
	out.ChangesIdentity = c.changesIdentity()
	return out
}

// changesIdentity reports whether the plan changes what identifies the object for Terraform.
func (c *change) changesIdentity() bool {
	return c.state == nil || !model.SameClusterName(c.plan, c.state) || c.changesVersion() && len(c.replaces) == 0
}

// RequestedEnd returns the end of the object with a uid that a request replaces; nil if nothing is held of it. isSilent
// is true for -replace.
func RequestedEnd(r *Objects, uid string, isSilent bool) *model.End {
	ends, is := r.provider.TakeOut(endOf{uid}).(*model.Model)
	if !is {
		return nil
	}
	return &model.End{State: ends, IsRequested: true, IsSilent: isSilent}
}

// present returns the models that are not nil.
func present(models ...*model.Model) []*model.Model {
	return slices.DeleteFunc(models, func(m *model.Model) bool { return m == nil })
}

func makePlan(ctx context.Context, c *change) {
	c.timeout = c.applyTimeout(ctx)
	left := (results.UnfinishedOnes{Provider: c.resource.provider}).Before(ctx, c.plan, c.state)
	// The CLI passes private state to the create of a replacement, unless the resource is tainted.
	if left != nil && !c.snapshot.Known() {
		c.finish(ctx, left)
	} else {
		c.decide(ctx)
		c.reportReplacement(ctx)
	}
	c.noteDefinition(ctx)
	c.planResults(ctx)
	c.shareObject()
	if objects, rights := c.resource.provider.Run().AwaitWithoutDryRun(ctx); objects > 0 {
		c.diags.Append(changes.WithoutDryRun(objects, rights))
	}
}

// savePrivate writes what the apply has to know of the plan into private state.
func savePrivate(ctx context.Context, c change, private privatestate.Private) diag.Diagnostics {
	var diags diag.Diagnostics
	if c.stays == staysInPlace {
		diags.Append(privatestate.SaveStays(ctx, private, c.snapshot.UID)...)
	}
	if tainted := c.taintedPart(); tainted.Known() {
		diags.Append(privatestate.SaveSnapshot(ctx, private, tainted)...)
	}
	if c.reread || c.stays == staysInPlace {
		diags.Append(privatestate.SaveSnapshot(ctx, private, c.snapshot)...)
	}
	diags.Append(c.completed.Save(ctx, private)...)
	diags.Append(c.seen.Save(ctx, private)...)
	diags.Append(privatestate.SaveAlong(ctx, private, c.along)...)
	return diags
}

// taintedPart returns the snapshot of a part whose resource is tainted, for the destroy half: Terraform plans it as if
// it had no state, and passes the private state of this plan. It is empty for any other resource.
func (c *change) taintedPart() record.Snapshot {
	if !c.resource.IsPart || c.work.API == nil {
		return record.Snapshot{}
	}
	objects, at := &c.resource.provider.Run().Objects, run.At{API: c.work.API, Object: c.planned.Object}
	switch {
	case c.state != nil:
		at.Object, _ = c.state.Object()
		run.TakePart(objects, at, c.state.FieldManager.ValueString(), false)
	case !c.snapshot.Known():
		return run.TakePart(objects, at, c.plan.FieldManager.ValueString(), true)
	}
	return record.Snapshot{}
}

// keep registers the object of the state. It returns an error if another resource is to replace or adopt the object.
func (r *Objects) keep(state *model.Model, snapshot record.Snapshot) diag.Diagnostics {
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
func (r *Objects) leave(state *model.Model, snapshot record.Snapshot) diag.Diagnostics {
	id, diags := state.Object()
	if diags.HasError() {
		return diags
	}
	var parts []run.Share
	current := r.provider.Run()
	current.Objects.TakeLive(state.UID())
	err := current.Objects.PlanEnd(id, state.UID(), model.Giver(state), current.Rounds.Current())
	if err == nil && !state.Releases() && !forgets(state, snapshot) && !r.provider.Destroys() {
		parts, err = current.Objects.NoteLeaving(id, state.UID())
	}
	if err != nil {
		diags.Append(r.Names.Error(diagnostics.Planned, id, err))
	} else if len(parts) > 0 {
		diags.Append(changes.PartsLeave(r.Names, id, parts...))
	}
	r.protect(state, snapshot)
	return diags
}

// endOf is the key of what decides how an object ends: a taint and -replace plan that without the state.
type endOf struct{ uid string }

// HoldEnd keeps what decides how the object of a state ends for [RequestedEnd], which only a plan asks for.
func HoldEnd(r *Objects, state *model.Model) {
	if !r.IsPart && state.UID() != "" && !r.provider.Destroys() && !r.provider.Run().Rounds.Applies() {
		r.provider.Hold(endOf{state.UID()}, model.ToEnd(model.Ending(state, r.provider)))
	}
}

// protect registers an object whose state has delete_protection, one that is not the object of the last apply, and how
// the object ends.
func (r *Objects) protect(state *model.Model, snapshot record.Snapshot) {
	HoldEnd(r, state)
	if _, is := model.IsProtected(state, r.provider.Rules(state.OwnRules)); is {
		r.provider.Run().Objects.Protect(state.UID())
	}
	if recreated := run.RecreatedIn(snapshot); recreated != nil && !r.IsPart && !state.Releases() {
		r.provider.Run().Objects.NoteRecreated(recreated)
	}
}

// noteObject registers what the plan does with the object in the state. destroys is true if the plan is a destroy. It
// returns the snapshot by which the plan goes, and the object as the end of a part leaves it.
func (r *Objects) noteObject(
	ctx context.Context, state *model.Model, snapshot record.Snapshot, destroys bool,
) (record.Snapshot, map[string]any, diag.Diagnostics) {
	r = r.speakingOf(state)
	if r.IsPart {
		run.NoteManager(&r.provider.Run().Objects, state.UID(), state.FieldManager.ValueString())
	}
	switch {
	case r.IsPart && destroys:
		return r.leavePart(ctx, state, snapshot, changes.Destroyed)
	case r.IsPart:
		return snapshot, nil, nil
	case !destroys:
		return snapshot, nil, r.keep(state, snapshot)
	}
	diags := r.leave(state, snapshot)
	diags.Append(r.refuseLoss(state, diagnostics.Destroy, snapshot)...)
	if snapshot.Age == record.Outdated {
		diags.Append(r.unreached(diagnostics.Deleted, snapshot))
	}
	return snapshot, nil, diags
}

// planResults plans what else an apply shows of the object.
func (c *change) planResults(ctx context.Context) {
	if c.diags.HasError() {
		return
	}
	if c.state != nil && !c.completed.IsGone && c.stays != staysInPlace && !c.resource.provider.Destroys() {
		c.diags.Append(results.RefuseUndo(ctx, results.Change{
			Words: c.resource.Names, Work: c.work, Plan: c.plan, State: c.state, Snapshot: c.snapshot,
			Replaces: len(c.replaces) > 0, Pending: c.pending,
		})...)
	}
	before := c.state
	if c.stays == staysGone {
		c.diags.Append(results.PlanGone(c.plan, c.state)...)
		return
	} else if len(c.replaces) > 0 || c.completed.IsGone {
		before = nil
	}
	// The create half of a replacement that keeps the object takes the claim back, and so always applies something.
	c.diags.Append(results.Plan(c.plan, before, c.pending && !c.unforeseen || c.stays == staysInPlace)...)
}

// shareObject registers what the plan does to the object, and the provider then refuses another resource that applies
// or removes the same fields.
func (c *change) shareObject() {
	if c.diags.HasError() || c.work.API == nil || len(c.replaces) > 0 || c.resource.provider.Destroys() {
		return
	}
	id, diags := c.plan.Object()
	if diags.HasError() {
		id = c.planned.Object // The attributes with the object are known after the apply.
	}
	if id.Name == "" {
		return
	}
	at := run.At{API: c.work.API, Object: id, UID: c.uid}
	if c.state != nil {
		at.UID = c.state.UID()
	} else if c.work.Run.Objects.Of(c.uid).IsReplaced {
		at.UID = "" // What the resource applies to does not exist yet.
	}
	share := engine.ShareOf(id, c.work.Args, c.planned, c.snapshot, c.state != nil)
	share.FieldManager = c.plan.FieldManager.ValueString() // It is "" if it is known only during the apply.
	share.IsPending = c.pending
	if err := c.work.Run.Objects.Share(at, share); err != nil {
		c.diags.Append(c.resource.Names.Error(diagnostics.Planned, id, err))
	} else if share.IsPart && c.work.Run.Objects.Of(at.UID).Ends() {
		c.diags.Append(changes.PartsLeave(c.resource.Names, id, share))
	}
}

// keptBy returns the state whose field manager a plan keeps if the configuration names none; nil if it keeps none. A
// moved state contains the field manager of another resource, which our first apply replaces.
func keptBy(state *model.Model, snapshot record.Snapshot) *model.Model {
	if snapshot.Moved {
		return nil
	}
	return state
}

// leaveObject notes how an object stays on the cluster that a plan gives up, and warns of it.
func (r *Objects) leaveObject(out *Planned, state *model.Model, snapshot record.Snapshot) {
	prior, diags := state.Prior(snapshot)
	if out.Diags.Append(diags...); diags.HasError() || r.IsPart || !snapshot.Known() {
		return
	}
	if out.Leaves = departure(state, prior); out.Leaves != nil && state.Entry == "" {
		out.Diags.Append(changes.Left(r.speakingOf(state).Names, prior.Object, *out.Leaves))
	}
}
