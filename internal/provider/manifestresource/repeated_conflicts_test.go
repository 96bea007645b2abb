package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The first time a field is taken back is news, from the second time on the way out comes first; an apply
// that has nothing to take back ends the fight.
func TestRepeatedConflictsAreCounted(t *testing.T) {
	s := newStory(t)
	const way = "ignore_fields = [\"spec.replicas\"]\n\nThe apply takes back a field"
	scaled := func(n int) func() { return s.anew(func() { s.as("kube-controller-manager").scale(web, n) }) }
	round := func(n int, warning plancheck.PlanCheck) resource.TestStep {
		return resource.TestStep{PreConfig: scaled(n), Config: s.config(deployment), ConfigPlanChecks: checks(warning)}
	}
	s.run(
		resource.TestStep{Config: s.config(deployment)},
		round(5, s.expectOnlyWarning("the apply takes back a field that another owner changed",
			`(the HorizontalPodAutoscaler or kubectl scale)`)),
		round(6, s.expectOnlyWarning("what the same manager changed: spec.replicas, for the 2nd time in a row.", way)),
		round(7, s.expectOnlyWarning("what the same manager changed: spec.replicas, for the 3rd time in a row.", way)),
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(deployment + "  minReadySeconds: 2\n"),
			Check:     s.expectLive(web, map[string]any{"spec.minReadySeconds": 2, "spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig:        scaled(8),
			Config:           s.config(deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: checks(s.expectOnlyWarning("the apply takes back a field that another owner changed")),
		},
	)
}

// What was written since the plan counts too, and another manager begins again.
func TestRepeatedConflictsCountWhatCameInBetween(t *testing.T) {
	s := newStory(t)
	scaled := func(name string, n int) func() { return func() { s.as(name).scale(web, n) } }
	s.run(
		resource.TestStep{Config: s.config(deployment)},
		resource.TestStep{
			Config:           s.config(deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: checks(meanwhile(scaled("kube-controller-manager", 5))),
			Check:            s.expectLive(web, map[string]any{"spec.replicas": 3}),
		},
		resource.TestStep{
			PreConfig:        s.anew(scaled("kube-controller-manager", 6)),
			Config:           s.config(deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: checks(s.expectOnlyWarning("spec.replicas, for the 2nd time in a row")),
		},
		resource.TestStep{
			PreConfig:        s.anew(scaled("keda-operator", 7)),
			Config:           s.config(deployment + "  minReadySeconds: 2\n"),
			ConfigPlanChecks: checks(s.expectOnlyWarning("the apply takes back a field that another owner changed", `"keda-operator" with subresource "scale"`)),
		},
	)
}
