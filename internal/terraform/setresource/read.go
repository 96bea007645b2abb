package setresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
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
	var first, others []*member
	for _, m := range members {
		// Before a list arrives, another resource may find an object that it cannot create.
		r.kit.BeginRead(m.state)
		if m.stage <= definitionsStage { // Other objects are in them, or of them.
			first = append(first, m)
		} else {
			others = append(others, m)
		}
	}
	r.readAll(ctx, state.Connection, first)
	r.readAll(ctx, state.Connection, others)
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

// readAll refreshes the objects of members, by LIST where that is cheaper, a page of objects at a time.
func (r *setResource) readAll(ctx context.Context, connection attributes.Connection, members []*member) {
	byID, isRead := make(map[manifest.Identity]*member, len(members)), make(map[*member]bool, len(members))
	for _, m := range members {
		byID[m.id()] = m
	}
	if api, status := r.provider.Look(ctx, connection); status == providerdata.Ready {
		listing.ReadPages(ctx, api, identitiesOf(members), func(page listing.Page) {
			var found []*member
			for id := range page {
				if m := byID[id]; m != nil && !isRead[m] {
					isRead[m] = true
					found = append(found, m)
				}
			}
			unordered(ctx, found, func(ctx context.Context, m *member) { r.readOne(ctx, m, page[m.id()]) })
		})
	}
	left := slices.DeleteFunc(slices.Clone(members), func(m *member) bool { return isRead[m] })
	unordered(ctx, left, func(ctx context.Context, m *member) { r.readOne(ctx, m, nil) })
}

// readOne refreshes one object. live is the object as a LIST has read it; nil without one.
func (r *setResource) readOne(ctx context.Context, m *member, live *unstructured.Unstructured) {
	m.stored.Does, m.stored.From, m.stored.Before = keeps, "", nil
	m.stored.Imported = m.state.IsImported()
	read := r.kit.ReadObject(ctx, m.state, m.stored.Private, live)
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
func (r *setResource) readAgain(ctx context.Context, members []*member) listing.Page {
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
