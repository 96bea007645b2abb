package setresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
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
	var read *listing.Together
	if api, status := r.provider.Look(ctx, state.Connection); status == providerdata.Ready {
		read = listing.ReadTogether(ctx, api, identitiesOf(members))
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
func (r *setResource) readOne(ctx context.Context, m *member, objects *listing.Together) {
	m.stored.Does, m.stored.From, m.stored.Before = keeps, "", nil
	m.stored.Imported = m.state.IsImported()
	read := r.kit.ReadObject(ctx, m.state, m.stored.Private, objects.Of(m.id()))
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

// readAgain reads the objects of members that change, if the refresh of the run has read them and does not hold them
// any more because there were many others. It returns nil in a plan without a refresh.
func (r *setResource) readAgain(ctx context.Context, members []*member) *listing.Together {
	current := r.provider.Run()
	if current.Rounds.Current() != run.FirstRound {
		return nil
	}
	changed := slices.DeleteFunc(slices.Clone(members), func(m *member) bool {
		return m.state == nil || m.now.manifest.Equal(m.before.manifest) || current.Objects.Of(m.stored.UID).Live != nil
	})
	if len(changed) < listing.Fewest {
		return nil
	}
	api, status := r.provider.Look(ctx, changed[0].plan.Connection)
	if status != providerdata.Ready {
		return nil
	}
	return listing.ReadTogether(ctx, api, identitiesOf(changed))
}

func identitiesOf(members []*member) []manifest.Identity {
	ids := make([]manifest.Identity, len(members))
	for i, m := range members {
		ids[i] = m.id()
	}
	return ids
}
