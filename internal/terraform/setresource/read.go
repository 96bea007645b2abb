package setresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Read refreshes each object. One that is gone leaves the state.
func (r *setResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state set
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	objects, diags := load(ctx, req.Private)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	_, members := compare(nil, &state, objects)
	gone := make([]bool, len(members))
	index := map[*member]int{}
	for i, m := range members {
		index[m] = i
	}
	inOrder(members, func(m *member) { gone[index[m]] = r.readOne(ctx, m) })
	resp.Diagnostics.Append(diagsOf(members)...)
	if resp.Diagnostics.HasError() {
		return
	}
	entries := map[string]attr.Value{}
	members = slices.DeleteFunc(members, func(m *member) bool { return gone[index[m]] })
	for _, m := range members {
		entries[m.key] = m.before
	}
	if len(gone) != len(members) {
		state = state.withEntries(entries)
	}
	pending := state.Pending
	state.computed = computedOf(members)
	state.Pending = pending
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
	resp.Diagnostics.Append(save(ctx, resp.Private, storedOf(members))...)
}

// readOne refreshes one object. It reports whether the object is gone.
func (r *setResource) readOne(ctx context.Context, m *member) (isGone bool) {
	m.stored.Does, m.stored.From, m.stored.Before = keeps, "", nil
	read := r.kit.ReadObject(ctx, m.state, m.stored.Private, nil)
	m.diags.Append(read.Diags...)
	if read.IsGone || m.diags.HasError() {
		return read.IsGone
	}
	before := m.stored
	m.stored.take(m.state)
	m.stored.drifts(before, m.state)
	return false
}
