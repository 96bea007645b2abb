package acceptance_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The model that the matrix is compared with, against the rules of server-side apply in words. It needs no
// server, and the server holds the model to the rest.
func TestStrategyModel(t *testing.T) {
	t.Parallel()
	for name, c := range creators() {
		moments := map[string]moment{}
		for _, now := range foretell(samples(), c, strategySteps(c)) {
			moments[now.step.name] = now
		}
		for _, s := range specStrategies() {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				at := func(step string) *fieldModel { return moments[step].models[s.name] }
				at("shared with equal values").expectOwners(t, leavesOf(s, s.first), c.sharers()...)
				at("taken with other values").expectOwners(t, changedLeaves(s, s.first, s.second), story.Us)
				at("emptied").expectNoPartOf(t, story.Us, s)
				at("released").expectNoPartOf(t, story.Us, s)
				at("removed from the body").expectNoPartOf(t, story.Us, s)
				if diff := cmp.Diff(at("filled again").live, at("released").live); diff != "" {
					t.Errorf("a release changes the value (-before +after):\n%s", diff)
				}
				if diff := cmp.Diff(at("released").live, at("regained").live); diff != "" {
					t.Errorf("taking an equal value changes it (-before +after):\n%s", diff)
				}
			})
		}
	}
}

// sharers returns those who own what we declare with the values of the creator.
func (c creator) sharers() []string {
	names := []string{story.Us}
	if c.manager != "" && !slices.Contains(c.takenOver, c.manager) {
		names = append(names, c.manager)
	}
	slices.Sort(names)
	return names
}

func leavesOf(s strategy, value any) []paths.Path { return changedLeaves(s, nil, value) }

// changedLeaves returns the leaves of a value that are not in another one, or have another value there.
func changedLeaves(s strategy, other, value any) []paths.Path {
	m := newFieldModel(s, false, nil)
	before := m.places(s.shape.settled(other))
	var changed []paths.Path
	for id, p := range m.places(value) {
		if old, had := before[id]; p.leaf && (!had || story.AsJSON(old.value) != story.AsJSON(p.value)) {
			changed = append(changed, p.path)
		}
	}
	return changed
}

func (m *fieldModel) expectOwners(t *testing.T, leaves []paths.Path, owners ...string) {
	t.Helper()
	if len(leaves) == 0 {
		t.Error("there are no leaves to look at")
	}
	held := m.owners(paths.Format)
	for _, leaf := range leaves {
		if diff := cmp.Diff(owners, held[paths.Format(leaf)]); diff != "" {
			t.Errorf("owners of %s (-want +got):\n%s", paths.Format(leaf), diff)
		}
	}
}

// expectNoPartOf asserts that a manager owns nothing but perhaps the field itself, which is then empty.
func (m *fieldModel) expectNoPartOf(t *testing.T, manager string, s strategy) {
	t.Helper()
	parts := m.claim(manager).Difference(paths.NewSet(s.root))
	if !parts.Empty() {
		t.Errorf("%s owns %s", manager, parts)
	}
}
