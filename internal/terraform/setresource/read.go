package setresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Read refreshes each object. One that is gone leaves the state.
func (r *setResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, diags := readSet(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	objects, diags := load(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	_, members := compare(nil, &state, objects)
	// An apply plans from the state of the refresh before the first plan, and does not read.
	r.provider.Run().Rounds.Set(run.FirstRound)
	var read *lists
	if api, status := r.provider.Look(ctx, state.Connection); status == providerdata.Ready {
		read = listOf(ctx, api, members)
	}
	unordered(ctx, members, func(ctx context.Context, m *member) { r.readOne(ctx, m, read) })
	resp.Diagnostics.Append(diagsOf(members)...)
	if resp.Diagnostics.HasError() {
		return
	}
	entries := map[string]entry{}
	isImported := slices.ContainsFunc(members, func(m *member) bool { return m.stored.Imported })
	all := len(members)
	members = slices.DeleteFunc(members, func(m *member) bool { return m.isGone })
	for _, m := range members {
		entries[m.key] = m.before
	}
	if len(members) < all || isImported {
		state = state.withEntries(entries)
	}
	pending, conflicts := state.Pending, state.Conflicts
	state.computed = computedOf(members)
	state.Pending, state.Conflicts = pending, conflicts
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
	resp.Diagnostics.Append(save(ctx, resp.Private, storedOf(members))...)
}

// readOne refreshes one object. objects are those that were read by LIST; nil if none were.
func (r *setResource) readOne(ctx context.Context, m *member, objects *lists) {
	m.stored.Does, m.stored.From, m.stored.Before = keeps, "", nil
	m.stored.Imported = m.state.IsImported()
	read := r.kit.ReadObject(ctx, m.state, m.stored.Private, objects.of(m))
	m.diags.Append(read.Diags...)
	if m.isGone = read.IsGone; m.isGone || m.diags.HasError() {
		return
	}
	if m.stored.Imported {
		m.before.manifest = m.state.YAMLBody
	}
	before := m.stored
	m.stored.take(m.state)
	m.stored.drifts(before, m.state)
}
