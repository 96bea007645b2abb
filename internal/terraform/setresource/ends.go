package setresource

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/listing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// endAll plans the end of the objects that leave the configuration, and returns what is said of all objects. plan is
// nil for a destroy, and state for a create.
func (r *setResource) endAll(ctx context.Context, plan, state *set, staying, leaving []*member) diag.Diagnostics {
	unordered(ctx, leaving, func(ctx context.Context, m *member) { m.end(ctx, r) })
	all := slices.Concat(staying, leaving)
	var diags diag.Diagnostics
	if plan == nil || !r.provider.Destroys() { // A destroy also plans the configuration, and drops that plan.
		diags = stillNeeded(plan, all)
	}
	if !diags.HasError() {
		ofHooks := slices.Concat(plan.hooked().Objects(), state.hooked().Objects())
		diags.Append(r.goingAlong(ctx, all, ofHooks)...)
	}
	diags.Append(diagsOf(staying)...)
	diags.Append(diagsOf(leaving)...)
	if stay, objects := departureOf(all); len(objects) > 0 {
		diags.Append(sets.Left(names, objects, stay))
	}
	return diags
}

// end plans the end of an object that leaves the configuration.
func (m *member) end(ctx context.Context, r *setResource) {
	planned := r.kit.PlanObject(ctx, objectkit.Planning{State: m.state, Private: m.stored.Private})
	m.diags.Append(planned.Diags...)
	m.leaves, m.isForgotten = planned.Leaves, planned.Forgets
}

// deleted returns the warning about the objects that a plan deletes, or an error if an imported Secret is one of them
// and secret_manifests is not set: Terraform generates no sensitive values, so the user may not know of the deletion.
func deleted(plan *set, staying, leaving []*member) diag.Diagnostics {
	gone := formerOf(staying)
	var imported []string
	for _, m := range leaving {
		if m.leaves == nil && !m.isForgotten {
			gone = append(gone, m.id().String())
			if m.before.isSecret && m.stored.Imported && plan.SecretManifests.IsNull() {
				imported = append(imported, m.id().String())
			}
		}
	}
	switch slices.Sort(gone); {
	case len(imported) > 0:
		return diag.Diagnostics{sets.SecretsNotWritten(imported)}
	case len(gone) > 0:
		return diag.Diagnostics{sets.Deleted(gone)}
	}
	return nil
}

// departureOf returns those of some members that a plan gives up without deleting them, and how they stay.
func departureOf(members []*member) (all sets.Departure, objects []string) {
	for _, m := range members {
		if m.leaves != nil {
			fields := all.Fields + m.leaves.Fields
			all, objects = *m.leaves, append(objects, m.old().String())
			all.Fields = fields
		}
	}
	return all, objects
}

// old returns the object of a member in the state.
func (m *member) old() manifest.Identity {
	id, _ := m.state.Object()
	return id
}

// ends reports whether a plan deletes the object that a member has in the state.
func (m *member) ends() bool {
	return (m.stored.Does == deletes || m.stored.Does == replaces) && m.leaves == nil && !m.isForgotten
}

// stillNeeded returns the errors about objects without which others cannot be that the plan keeps on the cluster.
func stillNeeded(plan *set, members []*member) diag.Diagnostics {
	ending := slices.DeleteFunc(slices.Clone(members), func(m *member) bool { return !m.ends() || !m.isNeeded() })
	if len(ending) == 0 {
		return nil
	}
	var diags diag.Diagnostics
	named := listing.InOrder(members, (*member).named)
	for _, m := range ending {
		needed := m.named()
		stays := func(other *member) bool {
			switch {
			case other.leaves != nil, other.isForgotten && plan != nil:
				return true
			case m.stored.Does == replaces: // New objects come after it.
				return other.stored.Does != creates && m.plan.SameCluster(m.state.Connection)
			}
			return other.plan != nil
		}
		var kept []*member
		for i, other := range members {
			if stays(other) && named[i].needs(needed) {
				kept = append(kept, other)
			}
		}
		if len(kept) > 0 {
			diags.Append(sets.StillNeeded(names, m.id(), idsOf(kept)))
		}
	}
	return diags
}

// goingAlong returns the diagnostics about objects that are deleted together with those that the set deletes, and about
// members that stay although the run deletes or replaces their owners. ofHooks are objects of the set that are no
// members.
func (r *setResource) goingAlong(ctx context.Context, members []*member, ofHooks []manifest.Identity) diag.Diagnostics {
	has := map[manifest.Identity]bool{}
	for _, id := range ofHooks {
		has[id.InAnyVersion()] = true
	}
	var ending []model.End
	var kept []*member
	for _, m := range members {
		switch {
		case m.diags.HasError():
		case m.requested != nil:
			ending = append(ending, *m.requested)
		case m.state == nil:
		case m.stored.Does == replaces, m.stored.Does == deletes:
			ending, has[m.old().InAnyVersion()] = append(ending, model.End{State: m.state}), m.ends()
		default:
			kept = append(kept, m)
		}
	}
	isMember := func(id manifest.Identity) bool { return has[id.InAnyVersion()] }
	all := listing.InOrder(ending, func(end model.End) diag.Diagnostics {
		return reading.Along(ctx, r.provider, names, end, isMember)
	})
	for _, m := range kept {
		all = append(all, reading.Staying(r.provider, names, m.state))
	}
	return slices.Concat(all...)
}

// announceEnds notes the objects that leave the configuration, before any object is planned: another set may wait to
// know what becomes of them, and this one of an object of that set.
func (r *setResource) announceEnds(leaving []*member) {
	current := r.provider.Run()
	for _, m := range leaving {
		giver := model.Giver(model.Ending(m.state, r.provider))
		_ = current.Objects.PlanEnd(m.id(), m.state.UID(), giver, current.Rounds.Current()) // [member.end] reports it.
	}
}

// replan corrects the records of the first plan about a set that -replace names, and whose create is planned now. It
// removes the records of objects to be created or adopted, and notes that all objects are deleted if the manifests are
// not known yet.
func (r *setResource) replan(
	ctx context.Context, plan *set, isKnown bool, planned map[string]stored,
) (diags diag.Diagnostics) {
	current, releases := r.provider.Run(), plan.object("", entry{}).Releases()
	var ending []*model.End
	has := map[manifest.Identity]bool{}
	for _, key := range slices.Sorted(maps.Keys(planned)) {
		object := planned[key]
		id, err := manifest.ParseID(object.Object)
		switch {
		case err != nil:
		case object.Does == creates || object.Does == replaces:
			current.Objects.ForgetCreates(id)
		case !isKnown && !releases && object.UID != "":
			if _, err := current.Objects.NoteReplaced(id, object.UID); err != nil {
				diags.Append(names.Error(diagnostics.Planned, id, err))
			}
			ending, has[id.InAnyVersion()] = append(ending, objectkit.RequestedEnd(&r.kit, object.UID, true)), true
		}
	}
	isMember := func(id manifest.Identity) bool { return has[id.InAnyVersion()] }
	for _, end := range ending {
		if end != nil {
			diags.Append(reading.Along(ctx, r.provider, names, *end, isMember)...)
		}
	}
	return diags
}
