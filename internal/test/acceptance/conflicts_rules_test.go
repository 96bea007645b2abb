package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A plan that a rule refuses names the rule, and so does an apply that meets a conflict of later.
func TestRuleRefusesConflicts(t *testing.T) {
	s := story.New(t)
	block := s.WithRules(`names = ["else"], on_conflict = "force"`, `namespaces = ["story-*"], on_conflict = "fail"`)
	changed := strings.Replace(story.Deployment, "nginx:1.25", "nginx:1.27", 1)
	s.Run(
		resource.TestStep{Config: block + s.Manifest("test", story.Deployment)},
		resource.TestStep{
			PreConfig:   s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"spec":{"replicas":5}}`) }),
			Config:      block + s.Manifest("test", story.Deployment),
			ExpectError: story.Saying("Field Ownership Conflict", `on_conflict is "fail" by rules[1] of the provider block`),
		},
		resource.TestStep{
			PreConfig: func() {
				golden.Compare(t, "conflicts/rules/refused.txt", s.Anonymous(strings.Join(s.Provider.Everything(), "\n"))+"\n")
			},
			Config: block + s.Manifest("test", changed, story.IgnoreReplicas),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(func() {
				s.As("kubectl-edit").Patch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"nginx:2"}]}}}}`)
			})),
			ExpectError: story.Saying("appeared after the plan", `on_conflict is "fail" by rules[1] of the provider block`),
		},
	)
}
