package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// Meter counts the provider's requests after its start.
type Meter struct {
	story *Story
	mark  testcluster.Position
}

// Meter returns a meter that has not started.
func (s *Story) Meter() *Meter { return &Meter{story: s} }

// Start begins to count, once no controller writes to Deployments. Use it as PreConfig.
func (m *Meter) Start() {
	m.story.AwaitRollouts()
	m.story.Provider.Take()
	if !leavesOut(m.story.T, "the requests counted by "+m.story.T.Name()) {
		m.mark = ControlPlane().AuditLog().Mark()
	}
}

// Lines returns the requests for objects since the start, without the namespace's name, sorted.
func (m *Meter) Lines() []string {
	lines := testcluster.Lines(m.story.Requests(m.mark))
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, m.story.Namespace, "NS")
	}
	slices.Sort(lines)
	return lines
}

// Compare returns an error if the requests since the start differ from those wanted.
func (m *Meter) Compare(want []string) error {
	if !ControlPlane().IsOurs() {
		return nil
	}
	slices.Sort(want)
	if diff := cmp.Diff(append([]string{}, want...), append([]string{}, m.Lines()...)); diff != "" {
		return fmt.Errorf("requests (-want +got):\n%s", diff)
	}
	return nil
}

// Plans asserts the requests of a plan since the start.
func (m *Meter) Plans(want ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error { return m.Compare(want) })
}

// Applies asserts the requests of a plan and its apply since the start.
func (m *Meter) Applies(want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return m.Compare(want) }
}

// ExpectUser asserts that all requests since the start were this user's, and that there were some.
func (m *Meter) ExpectUser(name string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if !ControlPlane().IsOurs() {
			return nil
		}
		requests := m.story.Requests(m.mark)
		for _, request := range requests {
			if request.User != name {
				return fmt.Errorf("%s was sent as %q, want %q", request, request.User, name)
			}
		}
		if len(requests) == 0 {
			return fmt.Errorf("no request was sent, want some as %q", name)
		}
		return nil
	}
}
