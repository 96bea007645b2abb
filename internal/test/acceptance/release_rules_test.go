package acceptance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/golden"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// tellsOfRules compares the messages of the plan with a golden file.
func tellsOfRules(s *story.Story, file string) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings, _ := s.Provider.LastPlan()
		golden.Compare(s.T, "release/rules/"+file+".txt", s.Anonymous(strings.Join(warnings, "\n---\n"))+"\n")
		return nil
	})
}

// A rule releases fields with their values, and the plan names it. When it goes, the plan takes the fields back and says
// from whom.
func TestRuleLeavesFields(t *testing.T) {
	s := story.New(t)
	const replicas = `kinds = ["Deployment", "StatefulSet"], ignore_fields = ["spec.replicas"]`
	const prod = `namespaces = ["NS"], ignore_fields = ["spec.minReadySeconds"], ignore_managers = ["kubectl-edit"]`
	body := s.Manifest("test", story.Busy("4"))
	s.Run(
		resource.TestStep{
			Config:           s.ProviderBlock() + body,
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.Web, `{"metadata":{"labels":{"team":"theirs"}}}`) }),
			Config:    s.WithRules(replicas, prod) + body,
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectAction(plancheck.ResourceActionUpdate),
				story.ExpectOwner("spec.replicas", "k8sconnect", story.Absent),
				story.ExpectValue("spec.replicas", "3", story.Absent),
				tellsOfRules(s, "leaves"),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(
				"rules_applied", "ignore_fields: [spec.minReadySeconds spec.replicas]", "ignore_managers: [kubectl-edit]")),
			Check: story.LiveChecks(
				s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3, "spec.minReadySeconds": 4, "metadata.labels.team": "theirs"}),
				s.ExpectNoOwner(story.Web, "spec.replicas"),
			),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("kube-controller-manager").Scale(story.Web, 5) }),
			Config:           s.WithRules(replicas, prod) + body,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		resource.TestStep{ // Other positions of the same rules change nothing.
			Config:           s.WithRules(`names = ["else"], on_conflict = "fail"`, prod, replicas) + body,
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.WithRules(prod) + body,
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue("spec.replicas", story.Absent, "3"),
				tellsOfRules(s, "goes"),
			),
			Check: s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3, "spec.minReadySeconds": 4}),
		},
		resource.TestStep{ // The line to copy has what the resource lacks, without what a rule has.
			PreConfig: s.NextStep(func() { s.As("kubectl-scale").Patch(story.Web, `{"spec":{"replicas":7}}`) }),
			Config:    s.WithRules(prod) + s.Manifest("test", strings.Replace(story.Busy("4"), "nginx:1.25", "nginx:1.27", 1)),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning(
				`spec.replicas: "7" -> "3"`, `ignore_fields = ["spec.replicas"]`)),
		},
	)
}

// The resource's own values come before those of rules, and of those the most specific one counts.
func TestRulePrecedence(t *testing.T) {
	s := story.New(t)
	rules := s.WithRules(
		`kinds = ["apps/Deployment"], namespaces = ["NS"], on_conflict = "fail"`,
		`kinds = ["*"], on_conflict = "force"`,
		`clusters = ["*"], delete_protection = true`,
		`namespaces = ["other-*"], delete_protection = true`,
	)
	s.Run(
		resource.TestStep{
			Config:            rules + s.Manifest("test", story.Deployment),
			ConfigStateChecks: story.StateChecks(story.ExpectState("rules_applied", "on_conflict: fail", "delete_protection: <nil>")),
		},
		resource.TestStep{
			PreConfig:   s.NextStep(func() { s.As("kubectl").Scale(story.Web, 5) }),
			Config:      rules + s.Manifest("test", story.Deployment),
			ExpectError: story.Saying(`because on_conflict is "fail" by rules[0] of the provider block.`),
		},
		resource.TestStep{
			Config: rules + s.Manifest("test", story.Deployment, `on_conflict = "force"`),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue("spec.replicas", "5", "3"), s.ExpectWarning("takes back a field")),
			Check: resource.TestCheckNoResourceAttr(story.Address, "rules_applied"),
		},
	)
}
