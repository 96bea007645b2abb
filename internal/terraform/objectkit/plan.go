package objectkit

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// ModifyPlan predicts the computed attributes. Terraform calls it twice for each change, the second time during
// the apply. The second plan must have the same known values as the first.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.provider == nil {
		return
	}
	defer r.provider.Registry().Waits.Begin()()
	snapshot, diags := privatestate.LoadSnapshot(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	var state *Model
	if !req.State.Raw.IsNull() {
		state = &Model{resource: r}
		resp.Diagnostics.Append(state.read(ctx, req.State)...)
	}
	if state != nil {
		resp.Diagnostics.Append(r.noteObject(*state, snapshot, req.Plan.Raw.IsNull())...)
	}
	if req.Plan.Raw.IsNull() || resp.Diagnostics.HasError() {
		return // A destroy has nothing to predict.
	}
	plan := Model{resource: r}
	ctx, secrets := r.keepSecrets(ctx, &plan, state)
	secrets.snapshot = snapshot
	defer secrets.scrub(&resp.Diagnostics)
	resp.Diagnostics.Append(plan.read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.takeWriteOnly(ctx, req.Config)...)
	var manager types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("field_manager"), &manager)...)
	if resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(plan)
	given := plan
	if manager.IsNull() {
		plan.FieldManager = r.fieldManager(plan, keptBy(state, snapshot))
	}
	c := change{resource: r, plan: &plan, state: state, snapshot: snapshot}
	c.timeout = c.applyTimeout(ctx)
	c.decide(ctx)
	c.planWait()
	c.planExports()
	c.shareObject()
	resp.Diagnostics.Append(c.diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if c.reread {
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, c.snapshot)...)
	}
	if c.seen != nil {
		resp.Diagnostics.Append(c.seen.save(ctx, resp.Private)...)
	}
	resp.RequiresReplace = append(resp.RequiresReplace, c.replaces...)
	resp.Deferred = c.deferred(req.ClientCapabilities)
	plan.keepEqualManifest(state, r.provider.Registry().Rounds.Round())
	if !plan.equal(given) {
		resp.Diagnostics.Append(plan.write(ctx, &resp.Plan)...)
	}
	if state == nil || !attributes.SameValue(plan.ClusterName, state.ClusterName) {
		resp.Diagnostics.Append(identifyPlanned(ctx, resp.Identity, plan)...)
	}
}

// keep registers the object of the state. It returns an error if another resource is to replace or adopt the object.
func (r *Resource) keep(state Model, snapshot record.Snapshot) diag.Diagnostics {
	id, diags := state.object()
	if diags.HasError() {
		return diags
	}
	if err := r.provider.Registry().Keep(id, snapshot.UID); err != nil {
		diags.Append(r.Words.Error(diagnostics.Planned, id, err))
	}
	r.protect(state, snapshot)
	return diags
}

// leave registers an object that the plan deletes. It returns an error if another resource is to replace the object.
func (r *Resource) leave(state Model, snapshot record.Snapshot) diag.Diagnostics {
	id, diags := state.object()
	if diags.HasError() {
		return diags
	}
	if err := r.provider.Registry().Leave(id, state.uid()); err != nil {
		diags.Append(r.Words.Error(diagnostics.Planned, id, err))
	}
	r.provider.Sightings().Take(state.uid())
	r.protect(state, snapshot)
	return diags
}

// protect registers an object whose state has delete_protection, and one that is not the object of the last apply.
func (r *Resource) protect(state Model, snapshot record.Snapshot) {
	if state.Protection.ValueBool() {
		r.provider.Registry().Protect(state.uid())
	}
	if recreated := recreatedOf(snapshot); recreated != nil && !r.IsPart && !state.releases() {
		r.provider.Registry().Recreate(recreated)
	}
}

// recreatedOf returns what a snapshot says of an object that is not the one of the last apply; nil if it is that object.
func recreatedOf(snapshot record.Snapshot) *registry.RecreatedError {
	if snapshot.Former == "" {
		return nil
	}
	return &registry.RecreatedError{Object: snapshot.Object, Was: snapshot.Former, Is: snapshot.UID, Managers: snapshot.Claims.Names()}
}

// noteObject registers what the plan does with the object in the state. destroys says that the plan is a destroy.
func (r *Resource) noteObject(state Model, snapshot record.Snapshot, destroys bool) diag.Diagnostics {
	if destroys {
		r.provider.Registry().Rounds.Note(registry.FirstRound)
	}
	r = r.speakingOf(state)
	switch {
	case r.IsPart && destroys:
		return r.leavePart(state, snapshot)
	case r.IsPart:
		return nil
	case !destroys:
		return r.keep(state, snapshot)
	}
	diags := r.leave(state, snapshot)
	diags.Append(state.refuseLoss(r.Words, diagnostics.Destroy, snapshot)...)
	if snapshot.Age == record.Outdated {
		diags.Append(r.staleDestroy(snapshot))
	}
	return diags
}

// shareObject registers the fields that the plan applies, so that the provider refuses another resource that applies the same
// fields.
func (c *change) shareObject() {
	if c.diags.HasError() || len(c.replaces) > 0 {
		return
	}
	fields, uid := c.applies, c.uid
	if c.state != nil {
		uid = c.state.uid()
	}
	if fields == nil && c.state != nil {
		fields = c.state.plannedState().ManagedState
	}
	id, diags := c.plan.object()
	if diags.HasError() || fields == nil {
		return
	}
	err := c.resource.provider.Registry().Share(id, uid, registry.Share{
		FieldManager: c.plan.FieldManager.ValueString(), IsPart: c.resource.IsPart, Fields: slices.Collect(maps.Keys(fields)),
	})
	if err != nil {
		c.diags.Append(c.resource.Words.Error(diagnostics.Planned, id, err))
	}
}
