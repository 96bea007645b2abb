package acceptance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The plan shows a change of only the type of a value, ours or another owner's: managed_state shows both types alike.
func TestTypeOfAValueChanges(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	port := s.GadgetTarget()
	s.Run(
		resource.TestStep{
			Config: s.Config(story.Gadget(`free: {port: "1", live: "true"}`)),
			Check:  s.ExpectLiveJSON(port, `{"live":"true","port":"1"}`, "spec", "free"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {}),
			Config:    s.Config(story.Gadget(`free: {port: 1, live: true}`)),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.ManagedState),
				s.ExpectOnlyWarning("changes the types of 2 values", `spec.free.port: "1" (a string) -> 1 (a number)`, `spec.free.live: "true" (a string) -> true (a boolean)`),
			),
			Check: s.ExpectLiveJSON(port, `{"live":true,"port":1}`, "spec", "free"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(port, `{"spec":{"free":{"port":"1"}}}`) }),
			Config:    s.Config(story.Gadget(`free: {port: 1, live: true}`)),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
					warnings := s.Provider.Take()
					text := strings.Join(warnings, "\n")
					if !strings.Contains(text, `spec.free.port: "1" (a string) -> 1 (a number), owned by "kubectl-edit"`) || strings.Contains(text, "spelling") {
						t.Errorf("the warnings:\n%s", text)
					}
					return nil
				}),
			),
			Check: s.ExpectLiveJSON(port, `{"live":true,"port":1}`, "spec", "free"),
		},
	)
}

// If the API server stores the same type, whichever is written, nothing changes, also with a change of another field.
func TestTypeOfAQuantityStays(t *testing.T) {
	s := story.NewCompared(t)
	limited := func(cpu string) string {
		return strings.Replace(story.Deployment, "name: app", "name: app, resources: {limits: {cpu: "+cpu+"}}", 1)
	}
	s.Run(
		resource.TestStep{Config: s.Config(limited(`"1"`))},
		resource.TestStep{
			PreConfig:        s.NextStep(func() {}),
			Config:           s.Config(limited("1")),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState), s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(func() {}),
			Config:           s.Config(strings.Replace(limited("1"), "nginx:1.25", "nginx:1.26", 1)),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate), s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(func() {}),
			Config:           s.Config(strings.Replace(limited(`"1"`), "nginx:1.25", "nginx:1.26", 1)),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState), s.ExpectNoWarning()),
		},
	)
}
