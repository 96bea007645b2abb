package setresource

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/sets"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/hooks"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// applying is an apply to the members of a set, or a destroy, which has only some that leave.
type applying struct {
	*setResource
	plan                     *set
	staying, leaving, needed []*member
	undoes                   bool
	missing                  failures
	// hasBegun is true after some members were applied before the others.
	hasBegun bool
}

// applying returns the apply to the members of a set whose plans objects has.
func (r *setResource) applying(plan, state *set, objects map[string]stored) *applying {
	staying, leaving := planned(plan, state, objects)
	undoes := slices.ContainsFunc(staying, func(m *member) bool { return objectkit.Undoes(m.plan) })
	return &applying{
		setResource: r, plan: plan, staying: staying, leaving: leaving, needed: neededOf(staying), undoes: undoes,
	}
}

// applyNeeded creates the namespaces and definitions of the set. It reports whether that has failed.
func (a *applying) applyNeeded(ctx context.Context) (failed bool) {
	var created []*member
	for _, m := range a.staying {
		if m.stage <= definitionsStage && m.stored.Does == creates {
			created = append(created, m)
		}
	}
	a.hasBegun = len(created) > 0
	a.apply(ctx, created)
	return a.missing.any()
}

// apply applies to some members.
func (a *applying) apply(ctx context.Context, members []*member) {
	inOrder(ctx, members, func(ctx context.Context, m *member) {
		defer close(m.ended)
		if m.stored.Does == keeps {
			return
		}
		m.awaitNeeded(ctx, a.needed)
		if a.missing.stop(m) {
			return
		}
		a.applyOne(ctx, m, a.undoes)
		a.missing.note(m)
	})
}

// applyAll applies to the members that applyNeeded has left.
func (a *applying) applyAll(ctx context.Context) applied {
	a.apply(ctx, slices.DeleteFunc(slices.Clone(a.staying), (*member).hasEnded))
	a.undoAll(ctx)
	// One of the failed members may be the successor of an object that leaves.
	if !a.missing.any() {
		a.provider.Run().AwaitTakers(ctx, a.released())
		a.deleteAll(ctx)
	}
	return a.finish()
}

// end returns the set after an apply that has ended before applyAll.
func (a *applying) end() applied {
	for _, m := range slices.Concat(a.staying, a.leaving) {
		if m.stored.Does != keeps && !m.hasEnded() {
			a.missing.untried = append(a.missing.untried, m)
		}
	}
	return a.finish()
}

// undoAll sets back the members that an apply has updated if one of them did not become ready and its wait asks for
// that. Members on which others depend come last. If the user has cancelled the apply, it only reports the members that
// are not ready.
func (a *applying) undoAll(ctx context.Context) {
	if !slices.ContainsFunc(a.staying, (*member).isUnready) {
		return
	}
	stays := func(m *member) bool { return m.undo == nil || ctx.Err() != nil && !m.isUnready() }
	inReverse(ctx, slices.DeleteFunc(slices.Clone(a.staying), stays), func(ctx context.Context, m *member) {
		m.undo.applied.Diags, m.undo.applied.State = nil, nil
		a.kit.UndoObject(ctx, m.undo.apply, &m.undo.applied)
		m.diags.Append(m.undo.applied.Diags...)
		if m.undo.applied.State != nil {
			m.state, m.before, m.isApplied = m.undo.applied.State, m.undo.before, false
			m.was.take(m.state)
		}
		a.missing.noteUndone(m)
	})
}

// released returns the uids of members that leave without being deleted.
func (a *applying) released() []string {
	var uids []string
	for _, m := range a.leaving {
		if model.Ending(m.state, a.provider).Releases() {
			uids = append(uids, m.state.UID())
		}
	}
	return uids
}

// deleteWithHooks deletes the members of a set, with the hooks before and after it. The destroy half of a replacement
// that keeps the objects has none.
func (a *applying) deleteWithHooks(ctx context.Context, state *set) (ran bool, diags diag.Diagnostics) {
	stays := func(m *member) bool { return privatestate.HasStays(ctx, m.stored.Private) }
	if slices.ContainsFunc(a.leaving, stays) {
		a.deleteAll(ctx)
		return true, nil
	}
	operation, diags := a.runner().Of(nil, state.hooked())
	if diags.HasError() {
		return false, diags
	}
	return operation.Around(ctx, hooks.Work{All: func() bool {
		a.deleteAll(ctx)
		return a.missing.any()
	}})
}

// deleteAll deletes the members that leave, those that depend on others first. One that an object needs which is still
// there stays.
func (a *applying) deleteAll(ctx context.Context) {
	noteControllers(a.leaving)
	inReverse(ctx, a.leaving, func(ctx context.Context, m *member) {
		if a.missing.hold(m) {
			return
		}
		a.deleteOne(ctx, m)
		a.missing.note(m)
		m.isGone = !m.diags.HasError()
	})
}

// finish returns the set after an apply: as it was planned if no member failed, otherwise with the actual state of each
// member.
func (a *applying) finish() applied {
	done := applied{set: *a.plan, objects: map[string]stored{}}
	progress := a.missing.progress(slices.Concat(a.staying, a.leaving))
	for _, m := range a.staying {
		m.stored.Does = keeps
	}
	if a.missing.any() {
		// Terraform does not compare the state with the plan if the apply has an error.
		done.set, done.objects = left(*a.plan, slices.Concat(a.staying, a.leaving), &a.missing)
	} else {
		now := computedOf(a.staying)
		done.set.Objects = now.Objects
		// Terraform refuses an apply that changes a value which the plan shows as known.
		if a.plan.OwnersElsewhere.IsUnknown() {
			done.set.OwnersElsewhere = now.OwnersElsewhere
		}
		if a.plan.Conflicts.IsUnknown() {
			done.set.Conflicts = now.Conflicts
		}
		done.set.Additions = completedAdditions(a.plan.Additions, now.Additions)
		if done.set.Pending = now.Pending; a.plan.Drifted.IsUnknown() {
			done.set.Drifted = now.Drifted
		}
		done.objects = storedOf(a.staying)
	}
	done.diags = slices.Concat(warningsOf(a.staying), warningsOf(a.leaving), a.missing.errors(), progress)
	isTried := func(m *member) bool { return m.isGone || a.missing.isThere(m) }
	if a.missing.any() && len(a.leaving) > 0 && !slices.ContainsFunc(a.leaving, isTried) {
		done.diags.Append(sets.NotDeleted(idsOf(a.leaving)))
	}
	return done
}

// hasEnded reports whether an apply has ended its work on a member.
func (m *member) hasEnded() bool {
	select {
	case <-m.ended:
		return true
	default:
		return false
	}
}

// neededOf returns those of some members that others may need. What they are stays the same from then on, and members
// that are applied at the same time can read it.
func neededOf(members []*member) []*member {
	needed := slices.DeleteFunc(slices.Clone(members), func(m *member) bool { return !m.isNeeded() })
	for _, m := range needed {
		m.fixed = m.id()
		_ = m.definedKind()
	}
	return needed
}

// awaitNeeded waits until an apply has ended its work on those of some members that a member needs.
func (m *member) awaitNeeded(ctx context.Context, some []*member) {
	m = m.named()
	for _, other := range some {
		if !m.needs(other) && !m.refersTo(other) {
			continue
		}
		if !other.hasEnded() {
			back, _ := run.LeaveTurn(ctx)
			select {
			case <-other.ended:
			case <-ctx.Done():
			}
			back()
		}
	}
}
