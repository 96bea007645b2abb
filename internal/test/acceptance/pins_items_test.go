package acceptance_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Another writer's list item is pinned when it appears. Its leaving is no drift, and when it returns it gets the pinned
// value. What else is in it stays that writer's.
func TestPinItemsThatComeAndGo(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	const (
		second = `spec.routes[host="b",port=80]`
		weight = second + ".weight"
		pins   = `pin_fields = ["spec.routes[*].weight"]`
	)
	gadget := story.Gadget("routes: [{host: a}], size: 1")
	s.Run(
		resource.TestStep{
			Config:           s.Config(gadget, pins),
			ConfigPlanChecks: story.PlanChecks(s.ExpectWarning("Pinned Field Has No Value Yet", "spec.routes[*].weight")),
			Check:            s.ExpectNoOwner(s.GadgetTarget(), weight),
		},
		resource.TestStep{
			PreConfig:         routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80, "weight": 5}]`),
			Config:            s.Config(gadget, pins),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectValue(weight, story.Absent, "5")),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", weight+": 5")),
			Check:             s.ExpectOwners(s.GadgetTarget(), weight, "controller", "k8sconnect"),
		},
		resource.TestStep{
			PreConfig:        routesOf(s, `[{"host": "a", "port": 80}]`),
			Config:           s.Config(gadget, pins),
			ConfigPlanChecks: emptyPlan,
			Check:            s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80}]`, "spec", "routes"),
		},
		resource.TestStep{
			PreConfig:        routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80, "weight": 9}]`),
			Config:           s.Config(gadget, pins),
			ConfigPlanChecks: story.PlanChecks(story.ExpectValue(weight, "9", "5"), s.ExpectWarning(weight)),
			Check:            s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80},{"host":"b","port":80,"weight":5}]`, "spec", "routes"),
		},
		resource.TestStep{Config: s.Config(gadget, pins), ConfigPlanChecks: emptyPlan},
		resource.TestStep{
			PreConfig:         routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80, "weight": 7}]`),
			Config:            s.Config(gadget, pins, `repin = "2"`),
			ConfigPlanChecks:  story.PlanChecks(saysNothing(s)),
			ConfigStateChecks: story.StateChecks(story.ExpectState("pinned", weight+": 7")),
			Check:             s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"a","port":80},{"host":"b","port":80,"weight":7}]`, "spec", "routes"),
		},
		resource.TestStep{Config: s.Config(gadget, pins, `repin = "2"`), ConfigPlanChecks: emptyPlan},
		// Another change while the item is away forgets nothing.
		resource.TestStep{
			PreConfig: routesOf(s, `[{"host": "a", "port": 80}]`),
			Config:    s.Config(story.Gadget("routes: [{host: a}], size: 2"), pins, `repin = "2"`),
		},
		resource.TestStep{
			PreConfig:        routesOf(s, `[{"host": "a", "port": 80}, {"host": "b", "port": 80, "weight": 1}]`),
			Config:           s.Config(story.Gadget("routes: [{host: a}], size: 2"), pins, `repin = "2"`),
			ConfigPlanChecks: story.PlanChecks(story.ExpectValue(weight, story.Absent, "7")),
		},
	)
}

// emptyPlan asserts that the plan changes nothing.
var emptyPlan = resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

// saysNothing asserts that the plan has no warning.
func saysNothing(s *story.Story) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		if warnings, _ := s.Provider.LastPlan(); len(warnings) > 0 {
			return fmt.Errorf("the plan warns: %q", warnings)
		}
		return nil
	})
}
