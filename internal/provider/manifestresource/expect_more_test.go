package manifestresource_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/testcluster"
)

// saying matches an error with all of texts, in this order, however Terraform wraps its lines.
func saying(texts ...string) *regexp.Regexp {
	parts := make([]string, len(texts))
	for i, text := range texts {
		words := strings.Fields(text)
		for j, word := range words {
			words[j] = regexp.QuoteMeta(word)
		}
		parts[i] = strings.Join(words, `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, `.*`))
}

// computed are the attributes that the provider sets.
var computed = []string{"id", "object_ref", fieldOwnership, coOwners, managedState}

// expectUnknown asserts which computed attributes of a resource the plan leaves wholly to the apply: these
// and no others.
func expectUnknown(address string, want ...string) plancheck.PlanCheck {
	return check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		for _, change := range req.Plan.ResourceChanges {
			if change.Address != address {
				continue
			}
			unknown, _ := change.Change.AfterUnknown.(map[string]any)
			got := []string{}
			for _, attribute := range computed {
				if unknown[attribute] == true {
					got = append(got, attribute)
				}
			}
			if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
				return fmt.Errorf("unknown attributes of %s (-want +got):\n%s", address, diff)
			}
			return nil
		}
		return fmt.Errorf("the plan has no %s", address)
	})
}

// expectGone asserts that objects are not on the server after the apply.
func (s *story) expectGone(targets ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for _, target := range targets {
			if !s.gone(target) {
				return fmt.Errorf("%s is still there", target)
			}
		}
		return nil
	}
}

// meter counts the provider's requests from its start on.
type meter struct {
	story *story
	mark  testcluster.Position
}

// start is for PreConfig.
func (m *meter) start() {
	m.mark = controlPlane.AuditLog().Mark()
	m.story.provider.take()
}

// lines are the requests for objects since the start, without the namespace's name, sorted.
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
