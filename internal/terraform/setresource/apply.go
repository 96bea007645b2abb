package setresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/hooks"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// Create applies new objects. The state then contains each object that was applied, even if other objects failed.
func (r *setResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	plan, diags := readSet(ctx, req.Plan)
	diags.Append(plan.takeWriteOnly(ctx, req.Config)...)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	objects, _ := r.provider.TakeOut(plan.name()).(map[string]stored)
	done := r.applyWithHooks(ctx, &plan, nil, objects)
	if !done.ran {
		resp.Diagnostics.Append(done.diags...)
		return
	}
	if done.failed() {
		// Terraform taints the set. Each object is marked as one whose create has failed: the next apply then keeps it.
		resp.Diagnostics.Append(markUnfinished(ctx, done.objects)...)
	}
	resp.Diagnostics.Append(done.diags...)
	resp.Diagnostics.Append(resp.State.Set(ctx, done.set)...)
	resp.Diagnostics.Append(save(ctx, resp.Private, done.objects)...)
}

// Update applies the changes of the plan. The state then contains each object as it is, even if other objects failed.
func (r *setResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	plan, diags := readSet(ctx, req.Plan)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(plan.takeWriteOnly(ctx, req.Config)...)
	state, diags := readSet(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	objects, diags := load(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	done := r.applyWithHooks(ctx, &plan, &state, objects)
	if resp.Diagnostics.Append(done.diags...); !done.ran {
		resp.Diagnostics.Append(save(ctx, resp.Private, unplanned(objects))...)
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, done.set)...)
	resp.Diagnostics.Append(save(ctx, resp.Private, done.objects)...)
}

// applied is a set after an apply.
type applied struct {
	// ran is false if nothing was done to the objects, because a hook has failed before.
	ran     bool
	set     set
	objects map[string]stored
	diags   diag.Diagnostics
}

func (a applied) failed() bool { return a.diags.HasError() }

func (r *setResource) runner() hooks.Runner { return hooks.Runner{Provider: r.provider, Names: names} }

// applyWithHooks applies to the members of a set, with the hooks before and after it. The namespaces and definitions
// that it creates come before the hooks, which may be in them or of their kinds.
func (r *setResource) applyWithHooks(ctx context.Context, plan, state *set, objects map[string]stored) (done applied) {
	operation, diags := r.runner().Of(plan.hooked(), state.hooked())
	refused, _ := r.provider.TakeOut(refusedIn{plan.name()}).(diag.Diagnostics)
	if diags.Append(refused...); diags.HasError() {
		return applied{diags: diags}
	}
	a := r.applying(plan, state, objects)
	ran, diags := operation.Around(ctx, hooks.Work{
		Needed: func() bool { return a.applyNeeded(ctx) },
		All: func() bool {
			done = a.applyAll(ctx)
			return done.failed()
		},
	})
	if !ran && a.hasBegun {
		done, ran = a.end(), true
	}
	if done.ran, done.diags = ran, append(done.diags, diags...); ran && done.failed() {
		operation.Leave(done.set.hooked())
	}
	return done
}

// applyOne applies to one object. undoes is true if it may be that the apply is undone.
func (r *setResource) applyOne(ctx context.Context, m *member, undoes bool) {
	apply := objectkit.Applying{Plan: m.plan, State: m.state, Private: m.stored.Private, Undoes: undoes}
	var applied objectkit.Applied
	switch m.stored.Does {
	case keeps:
		return
	case updates:
		if applied = r.kit.UpdateObject(ctx, apply); applied.Undo != nil {
			m.undo = &undo{apply: apply, applied: applied, before: m.before}
		}
	case replaces:
		if r.deleteOne(ctx, m); m.diags.HasError() {
			return
		}
		// From here on it is a create: if that fails, the set has no object of this key.
		m.state, apply.State, m.before = nil, nil, entry{}
		clear(m.stored.Private)
		applied = r.kit.CreateObject(ctx, apply)
	default:
		// The create of a resource with one object gets no private state either.
		clear(m.stored.Private)
		applied = r.kit.CreateObject(ctx, apply)
	}
	m.diags.Append(applied.Diags...)
	if applied.State != nil {
		m.before, m.state, m.isApplied = m.now, applied.State, true
		m.stored.take(applied.State)
		m.stored.takeRules(applied.State)
		m.stored.Left = nil
	}
}

// deleteOne deletes one object.
func (r *setResource) deleteOne(ctx context.Context, m *member) {
	_, diags := r.kit.DeleteObject(ctx, m.state, m.stored.Private)
	m.diags.Append(diags...)
}

// left returns the set after an apply that failed: the members that have a state, with the manifests that they have.
func left(plan set, members []*member, missing *failures) (set, map[string]stored) {
	entries := map[string]entry{}
	var there []*member
	for _, m := range members {
		if m.state != nil && m.before.manifest != nil && !m.isGone {
			entries[m.key] = m.before
			there = append(there, m)
		}
	}
	for _, m := range there {
		if m.plan = nil; !m.isApplied {
			private := m.stored.Private
			delete(private, privatestate.AlongKey) // What it goes along with may stay for good.
			m.stored = m.was
			m.stored.Private = private
		}
		m.stored.Does, m.stored.From, m.stored.Before = keeps, "", nil
	}
	now := plan.withEntries(entries)
	now.computed = computedOf(there)
	now.Pending = missing.pending()
	return now, storedOf(there)
}

// markUnfinished notes of each object that the create of its set has not ended well.
func markUnfinished(ctx context.Context, objects map[string]stored) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, object := range objects {
		snapshot, more := privatestate.LoadSnapshot(ctx, object.Private)
		snapshot.Unfinished = true
		diags.Append(more...)
		diags.Append(privatestate.SaveSnapshot(ctx, object.Private, snapshot)...)
	}
	return diags
}

// Delete deletes the objects, those that depend on others first. The state keeps those that could not be deleted.
func (r *setResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	state, diags := readSet(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	objects, diags := load(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	_, leaving := compare(nil, &state, objects)
	a := &applying{setResource: r, leaving: leaving}
	ran, diags := a.deleteWithHooks(ctx, &state)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(warningsOf(leaving)...)
	switch {
	case !ran:
		return
	case !a.missing.any() && diags.HasError():
		resp.Diagnostics.Append(resp.State.Set(ctx, state.withEntries(map[string]entry{}))...)
		resp.Diagnostics.Append(save(ctx, resp.Private, nil)...)
		return
	case !a.missing.any():
		return
	}
	resp.Diagnostics.Append(a.missing.errors()...)
	resp.Diagnostics.Append(a.missing.progress(leaving)...)
	remaining := slices.DeleteFunc(leaving, func(m *member) bool { return !a.missing.isThere(m) })
	now, kept := left(state, remaining, &a.missing)
	resp.Diagnostics.Append(resp.State.Set(ctx, now)...)
	resp.Diagnostics.Append(save(ctx, resp.Private, kept)...)
}
