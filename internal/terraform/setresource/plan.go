package setresource

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// ModifyPlan plans each object, and shows the differences alone.
func (r *setResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if r.provider == nil {
		return
	}
	plan, state, diags := planAndState(ctx, req)
	resp.Diagnostics.Append(diags...)
	if plan == nil {
		r.provider.Run().Rounds.Set(run.FirstRound) // Only the first of Terraform's two plans plans a destroy.
	}
	objects, diags := load(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	if plan != nil {
		_, isKnown := plan.entries()
		isKnown = r.findRelease(ctx, plan, state == nil, &resp.Diagnostics) && isKnown
		if state == nil {
			resp.Diagnostics.Append(r.replan(ctx, plan, isKnown, objects)...)
		}
		if !isKnown {
			r.planUnknown(ctx, plan, state, objects, resp)
			return
		}
	}
	staying, leaving := compare(plan, state, objects)
	if plan != nil {
		resp.Diagnostics.Append(manageAll(ctx, req, plan, state, staying)...)
		plan.noteRelease(ctx, staying)
		resp.Diagnostics.Append(model.CheckSuccessor(plan.object("", entry{}))...)
		if resp.Diagnostics.HasError() {
			return
		}
	}
	r.announceEnds(leaving)
	r.planAll(ctx, staying, state != nil)
	plan.noteResumed(staying)
	if r.provider.Run().Rounds.Current() == run.FirstRound && isOfAnotherState(staying) {
		resp.Diagnostics.Append(sets.OfAnotherState(names, plan.FieldManager.ValueString(), idsOf(staying)))
		return
	}
	changed := append(changedOf(staying), leaving...)
	resp.Diagnostics.Append(r.endAll(ctx, plan, state, staying, leaving)...)
	if plan == nil || resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(r.runner().End(plan.hooked(), state.hooked())...)
		return
	}
	resp.Diagnostics.Append(deleted(plan, staying, leaving)...)
	kept := storedOf(append(staying, leaving...))
	if plan.show(ctx, state, staying, changed) {
		resp.Diagnostics.Append(save(ctx, resp.Private, kept)...)
		r.holdForApply(plan, state, staying, kept)
	} else if r.keepsForm(ctx, req, resp, *plan, state) {
		return
	}
	resp.Diagnostics.Append(r.runner().Plan(ctx, plan.hooked(), state.hooked())...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
	if state != nil && len(changed) == 0 && !resp.Plan.Raw.Equal(req.State.Raw) {
		plan.Conflicts = types.MapNull(model.ConflictsType) // An update of arguments alone takes nothing.
		resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
	}
}

// planUnknown plans a set whose manifests arrive during the apply.
func (r *setResource) planUnknown(
	ctx context.Context, plan, state *set, objects map[string]stored, resp *resource.ModifyPlanResponse,
) {
	if state != nil {
		_, all := compare(nil, state, objects)
		for _, m := range all { // A request may replace the set.
			objectkit.HoldEnd(&r.kit, m.state)
		}
	}
	if plan.hide(); state != nil && !r.provider.Destroys() {
		resp.Diagnostics.Append(sets.ManifestsUnknown(names))
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan)...)
}

// refusedIn is the key of the errors with which creates of a set will end.
type refusedIn struct{ set setName }

// holdForApply holds the records of a plan for a create, to which the framework passes no private state, and the errors
// with which creates of members will end, for an apply, which then changes no object at all.
func (r *setResource) holdForApply(plan, state *set, staying []*member, records map[string]stored) {
	if state == nil {
		r.provider.Hold(plan.name(), records)
	}
	var refused diag.Diagnostics
	for _, m := range staying {
		refused.Append(m.refused...)
	}
	if refused.HasError() {
		r.provider.Hold(refusedIn{plan.name()}, refused)
	}
}

// keepsForm answers a request with the manifests of the state, from which those of the plan differ in their form alone.
// It returns false if something else changes: an apply plans again then, and that plan has to have the same form.
func (r *setResource) keepsForm(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, plan set, state *set,
) bool {
	if r.provider.Run().Rounds.Current() != run.FirstRound {
		return false
	}
	plan.Manifests, plan.SecretManifests = state.Manifests, state.SecretManifests
	_ = r.runner().Plan(ctx, plan.hooked(), state.hooked()) // It says nothing if nothing changes.
	diags := resp.Plan.Set(ctx, plan)
	return !diags.HasError() && resp.Plan.Raw.Equal(req.State.Raw)
}

// findRelease finds the release that a plan takes over. It returns false while that is not known.
func (r *setResource) findRelease(ctx context.Context, plan *set, isNew bool, diags *diag.Diagnostics) (isKnown bool) {
	release, isKnown, faults := r.runner().Release(ctx, plan.hooked(), isNew)
	plan.release = release
	diags.Append(faults...)
	return isKnown
}

// noteRelease notes which members are objects of the release that a plan takes over.
func (s *set) noteRelease(ctx context.Context, members []*member) {
	for _, m := range members {
		args, is := m.plan.Legible()
		m.plan.OfRelease = is && s.release.Has(ctx, args.Manifest.Identity)
	}
}

// noteResumed notes whether an apply that ended early has left all members, for a set that has no state.
func (s *set) noteResumed(members []*member) {
	if s != nil {
		s.isResumed = !slices.ContainsFunc(members, func(m *member) bool { return m.found == 0 })
	}
}

// hide makes what is computed unknown.
func (s *set) hide() {
	s.computed = unknown()
	s.Unknown()
}

// show sets the computed attributes of a plan. It returns false if nothing changes. state is nil without one.
func (s *set) show(ctx context.Context, state *set, staying, changed []*member) bool {
	if state != nil && len(changed) == 0 && hasSameKeys(*s, *state) {
		s.computed = state.computed // The manifests differ in their form alone.
		return false
	}
	s.computed = computedOf(staying)
	s.Conflicts = conflictsOf(changed)
	if state == nil {
		s.Objects = types.MapUnknown(objectType) // Each of them would say that it is known after the apply.
	} else if s.isOpen(ctx) || s.isLike(*state) {
		s.Pending = types.MapUnknown(types.StringType) // So that Terraform sees that there is something to do.
	}
	return true
}

// planAndState returns the sets of a request, each nil if the request has none.
func planAndState(ctx context.Context, req resource.ModifyPlanRequest) (plan, state *set, diags diag.Diagnostics) {
	if !req.State.Raw.IsNull() {
		before, faults := readSet(ctx, req.State)
		diags.Append(faults...)
		state = &before
	}
	if !req.Plan.Raw.IsNull() {
		now, faults := readSet(ctx, req.Plan)
		diags.Append(faults...)
		diags.Append(now.takeWriteOnly(ctx, req.Config)...)
		plan = &now
	}
	return plan, state, diags
}

// manageAll gives a plan and its members the field manager, if the configuration names none. It stays unknown in the
// plan as long as not all objects are known.
func manageAll(
	ctx context.Context, req resource.ModifyPlanRequest, plan, state *set, members []*member,
) diag.Diagnostics {
	var configured types.String
	diags := req.Config.GetAttribute(ctx, path.Root("field_manager"), &configured)
	if diags.HasError() || !configured.IsNull() {
		return diags
	}
	manager, isKnown := defaultManager(members)
	if state != nil {
		manager, isKnown = state.FieldManager.ValueString(), true
	}
	for _, m := range members {
		manage(m.plan, types.StringValue(manager))
	}
	if plan.FieldManager = types.StringUnknown(); isKnown {
		plan.FieldManager = types.StringValue(manager)
	}
	return diags
}

// planAll plans the objects of the configuration. isStored is true if the set has a state.
func (r *setResource) planAll(ctx context.Context, members []*member, isStored bool) {
	for _, m := range members {
		m.plan.IsStored = isStored
		if m.state == nil {
			r.provider.Run().Objects.AnnounceCreate(m.id())
		}
	}
	read := r.readAgain(ctx, members)
	unordered(ctx, members, func(ctx context.Context, m *member) { r.planOne(ctx, m, read) })
}

// quickRestart is how long after the creation of all objects of a set an apply that was killed before it had a state
// may be followed by another one.
const quickRestart = 10 * time.Minute

// isOfAnotherState reports whether a set without a state finds all of its objects, and none was created just now. An
// apply that was killed may have left all, but usually has not come to the last ones.
func isOfAnotherState(members []*member) bool {
	for _, m := range members {
		if m.found <= quickRestart {
			return false
		}
	}
	return len(members) > 0
}

// planOne plans one object of the configuration. read are objects that were read again; nil if none were.
func (r *setResource) planOne(ctx context.Context, m *member, read listing.Page) {
	if live := read[m.id()]; live != nil {
		r.provider.Run().Objects.HoldLive(string(live.GetUID()), live.Object)
	}
	// The same manifest in another form changes nothing, so it must not make the two models differ below.
	if m.state != nil && manifest.EqualText(m.plan.YAMLBody.ValueString(), m.state.YAMLBody.ValueString()) {
		m.plan.YAMLBody = m.state.YAMLBody
	}
	was := m.stored
	m.stored = was.own()
	m.stored.OfRelease = m.plan.OfRelease
	planned := r.kit.PlanObject(ctx, objectkit.Planning{Plan: m.plan, State: m.state, Private: m.stored.Private})
	m.diags.Append(planned.Diags...)
	m.diags.Append(reading.Unowned(ctx, r.provider, names, m.plan, m.state)...)
	m.diags.Append(reading.Scaled(ctx, r.provider, names, m.plan, planned.Becomes)...)
	m.leaves, m.found, m.refused, m.requested = planned.Leaves, planned.Found, planned.Refused, planned.Requested
	switch {
	case m.diags.HasError():
		return
	case m.state == nil:
		if m.stored.Does = creates; planned.State != nil { // Its create has not ended well, and it stays.
			was.take(planned.State)
		}
	case len(planned.Replaces) > 0:
		if m.stored.Does = replaces; !r.planAgain(ctx, m) {
			return
		}
	case !m.plan.Equal(m.state):
		m.stored.Does = updates
	default:
		m.stored.Does = keeps
		return
	}
	m.stored.take(m.plan)
	m.stored.takeRules(m.plan)
	m.stored.Left = nil
	if was.Object != "" {
		m.stored.Before = &was
	}
}

// planAgain plans the create of an object that is replaced, as Terraform does. The first plan has reported the warnings
// of both halves.
func (r *setResource) planAgain(ctx context.Context, m *member) bool {
	// A copy of private state: the delete half of the apply needs the data that the first plan has put there.
	planned := r.kit.PlanObject(ctx, objectkit.Planning{Plan: m.plan, Private: m.stored.own().Private})
	m.diags.Append(planned.Diags.Errors()...)
	m.refused.Append(planned.Refused...)
	return !m.diags.HasError()
}

// changedOf returns the members to which an apply does something, and those that have another key.
func changedOf(members []*member) []*member {
	var changed []*member
	for _, m := range members {
		if m.stored.Does != keeps || m.stored.From != "" {
			changed = append(changed, m)
		}
	}
	return changed
}

// formerOf returns the objects of members whose manifests are now about other objects.
func formerOf(members []*member) []string {
	var former []string
	for _, m := range members {
		if m.stored.Before == nil || m.stored.Does != replaces || m.leaves != nil {
			continue
		}
		was, err := manifest.ParseID(m.stored.Before.Object)
		if err == nil && was.InAnyVersion() != m.id().InAnyVersion() {
			former = append(former, was.String())
		}
	}
	return former
}

// storedOf returns what private state keeps of members.
func storedOf(members []*member) map[string]stored {
	all := make(map[string]stored, len(members))
	for _, m := range members {
		all[m.key] = m.stored
	}
	return all
}

// isLike reports whether Terraform would see no difference between a plan and a state.
func (s set) isLike(state set) bool {
	return s.Manifests.Equal(state.Manifests) && s.SecretManifests.Equal(state.SecretManifests) &&
		s.SameCluster(state.Connection) && s.FieldManager.Equal(state.FieldManager) &&
		s.Objects.Equal(state.Objects) && s.OwnersElsewhere.Equal(state.OwnersElsewhere) &&
		s.Drifted.Equal(state.Drifted) && s.Conflicts.Equal(state.Conflicts) && s.Additions.Equal(state.Additions) &&
		s.Pending.Equal(state.Pending)
}

// isOpen reports whether some value of the manifests or the connection is not known: when it is, the plan may be like
// the state.
func (s set) isOpen(ctx context.Context) bool {
	for _, of := range []attr.Value{s.Manifests, s.SecretManifests, s.Cluster, s.ClusterName} {
		if value, err := of.ToTerraformValue(ctx); err == nil && !value.IsFullyKnown() {
			return true
		}
	}
	return false
}

// hasSameKeys reports whether two sets have the same keys in the same attributes.
func hasSameKeys(plan, state set) bool {
	now, _ := plan.entries()
	was, _ := state.entries()
	for key, of := range now {
		if before, has := was[key]; !has || before.isSecret != of.isSecret {
			return false
		}
	}
	return len(now) == len(was) && plan.SecretManifests.IsNull() == state.SecretManifests.IsNull()
}
