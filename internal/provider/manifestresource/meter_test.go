package manifestresource_test

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

// meter counts the provider's requests from its start on.
type meter struct {
	story *story
	mark  testcluster.Position
}

// meter returns one that has not started.
func (s *story) meter() *meter { return &meter{story: s} }

// start is for PreConfig.
func (m *meter) start() {
	m.mark = controlPlane().AuditLog().Mark()
	m.story.provider.take()
}

// lines returns the requests for objects since the start, without the namespace's name, sorted.
func (m *meter) lines() []string {
	lines := testcluster.Lines(m.story.requests(m.mark))
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, m.story.namespace, "NS")
	}
	slices.Sort(lines)
	return lines
}

func (m *meter) compare(want []string) error {
	slices.Sort(want)
	if diff := cmp.Diff(append([]string{}, want...), append([]string{}, m.lines()...)); diff != "" {
		return fmt.Errorf("requests (-want +got):\n%s", diff)
	}
	return nil
}

// plans asserts the requests of a plan since the start.
func (m *meter) plans(want ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error { return m.compare(want) })
}

// applies asserts the requests of a plan and its apply since the start.
func (m *meter) applies(want ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return m.compare(want) }
}

// expectUser asserts that all requests since the start were this user's, and that there were some.
func (m *meter) expectUser(name string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		requests := m.story.requests(m.mark)
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
