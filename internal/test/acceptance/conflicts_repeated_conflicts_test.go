package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// From the second time that a field is taken back, the warning begins with how to end the conflict. An apply
// that has nothing to take back ends the count.
func TestRepeatedConflictsAreCounted(t *testing.T) {
	s := story.New(t)
	const way = "ignore_fields = [\"spec.replicas\"]\n\nThe apply takes back a field"
	scaled := func(n int) func() { return s.NextStep(func() { s.As("kube-controller-manager").Scale(story.Web, n) }) }
	round := func(n int, warning plancheck.PlanCheck) resource.TestStep {
		return resource.TestStep{PreConfig: scaled(n), Config: s.Config(story.Deployment), ConfigPlanChecks: story.PlanChecks(warning)}
	}
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		round(5, s.ExpectOnlyWarning("the apply takes back a field that another owner changed",
			`(the HorizontalPodAutoscaler)`)),
		round(6, s.ExpectOnlyWarning("what the same manager changed: spec.replicas, for the 2nd time in a row.", way)),
		round(7, s.ExpectOnlyWarning("what the same manager changed: spec.replicas, for the 3rd time in a row.", way)),
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Deployment + "  minReadySeconds: 2\n"),
			Check:     s.ExpectLive(story.Web, map[string]any{"spec.minReadySeconds": 2, "spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig:        scaled(8),
			Config:           s.Config(story.Deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("the apply takes back a field that another owner changed")),
		},
	)
}

// Writes since the plan count too, and for another manager the count begins again.
func TestRepeatedConflictsCountWhatCameInBetween(t *testing.T) {
	s := story.New(t)
	scaled := func(name string, n int) func() { return func() { s.As(name).Scale(story.Web, n) } }
	s.Run(
		resource.TestStep{Config: s.Config(story.Deployment)},
		resource.TestStep{
			Config:           s.Config(story.Deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: story.PlanChecks(story.Meanwhile(scaled("kube-controller-manager", 5))),
			Check:            s.ExpectLive(story.Web, map[string]any{"spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(scaled("kube-controller-manager", 6)),
			Config:           s.Config(story.Deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("spec.replicas, for the 2nd time in a row")),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(scaled("keda-operator", 7)),
			Config:           s.Config(story.Deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("the apply takes back a field that another owner changed", `"keda-operator" with subresource "scale"`)),
		},
	)
}
