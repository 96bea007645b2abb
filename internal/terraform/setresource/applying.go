package setresource

import (
	"context"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
)

// applying is an apply to the members of a set.
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
	a.undoAll(ctx, a.staying, &a.missing)
	// One of the failed members may be the successor of an object that leaves.
	if !a.missing.any() {
		a.provider.Run().AwaitTakers(ctx, a.released(a.leaving))
		a.deleteAll(ctx, a.leaving, &a.missing)
	}
	return finish(a.plan, a.staying, a.leaving, &a.missing)
}

// end returns the set after an apply that has ended before applyAll.
func (a *applying) end() applied {
	for _, m := range slices.Concat(a.staying, a.leaving) {
		if m.stored.Does != keeps && !m.hasEnded() {
			a.missing.untried = append(a.missing.untried, m)
		}
	}
	return finish(a.plan, a.staying, a.leaving, &a.missing)
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
			<-other.ended
			back()
		}
	}
}
