package manifestresource_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// A change of nothing but a value's type, which managed_state shows alike, is told: of ours, and of another owner's.
func TestTypeOfAValueChanges(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	port := s.gadgetTarget()
	s.run(
		resource.TestStep{
			Config: s.config(gadget(`free: {port: "1", live: "true"}`)),
			Check:  s.expectLiveJSON(port, `{"live":"true","port":"1"}`, "spec", "free"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {}),
			Config:    s.config(gadget(`free: {port: 1, live: true}`)),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(managedState),
				s.expectOnlyWarning("changes the types of 2 values", `spec.free.port: "1" (a string) -> 1 (a number)`, `spec.free.live: "true" (a string) -> true (a boolean)`),
			),
			Check: s.expectLiveJSON(port, `{"live":true,"port":1}`, "spec", "free"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(port, `{"spec":{"free":{"port":"1"}}}`) }),
			Config:    s.config(gadget(`free: {port: 1, live: true}`)),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				check(func(context.Context, plancheck.CheckPlanRequest) error {
					warnings, _ := s.provider.take()
					text := strings.Join(warnings, "\n")
					if !strings.Contains(text, `spec.free.port: "1" (a string) -> 1 (a number), owned by "kubectl-edit"`) || strings.Contains(text, "spelling") {
						t.Errorf("the warnings:\n%s", text)
					}
					return nil
				}),
			),
			Check: s.expectLiveJSON(port, `{"live":true,"port":1}`, "spec", "free"),
		},
	)
}

// Where the API server keeps one type, whatever is written, nothing changes.
func TestTypeOfAQuantityStays(t *testing.T) {
	s := newStory(t)
	limited := func(cpu string) string {
		return strings.Replace(deployment, "name: app", "name: app, resources: {limits: {cpu: "+cpu+"}}", 1)
	}
	s.run(
		resource.TestStep{Config: s.config(limited(`"1"`))},
		resource.TestStep{
			PreConfig:        s.anew(func() {}),
			Config:           s.config(limited("1")),
			ConfigPlanChecks: checks(expectOnly(managedState), s.expectNoWarning()),
		},
	)
}
