package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// setEnv is kubectl set env on the second container.
func setEnv(s *story) {
	s.as("kubectl-set").strategicPatch(web, `{"spec":{"template":{"spec":{"containers":[{"name":"log","env":[{"name":"TOKEN","value":"x"}]}]}}}}`)
}

const logItem = `spec.template.spec.containers[name="log"]`

// A list item of ours goes with what others put into it. The plan says so, and on_conflict = "fail" refuses
// it; left to others, the item stays.
func TestItemLeavesWithWhatOthersPutIn(t *testing.T) {
	const lost = `spec.template.spec.containers[name="log"].env[name="TOKEN"].value: "x", removed with the list item ` + logItem +
		`, owned by "kubectl-set" using apps/v1 (kubectl set`
	const hint = `ignore_fields = ["spec.template.spec.containers[name=\"log\"]"]`
	item := `{.spec.template.spec.containers[*].name}`
	t.Run("fail", func(t *testing.T) {
		s := newStory(t)
		s.run(
			resource.TestStep{Config: s.config(sidecar, orFail)},
			resource.TestStep{
				PreConfig: s.anew(func() { setEnv(s) }),
				Config:    s.config(withoutSidecar, orFail),
				ExpectError: saying("Field Ownership Conflict", `nothing is applied, because on_conflict is "fail"`,
					"The apply removes a field of another owner:", lost, hint, `To remove it all the same, set on_conflict = "force"`),
			},
			resource.TestStep{
				Config: s.config(withoutSidecar, orFail, ignoringPath(logItem)),
				Check:  s.expectJSONPath(web, map[string]string{item: "app log"}),
			},
		)
	})
	t.Run("force", func(t *testing.T) {
		s := newStory(t)
		s.run(
			resource.TestStep{Config: s.config(sidecar)},
			resource.TestStep{
				PreConfig:        s.anew(func() { setEnv(s) }),
				Config:           s.config(withoutSidecar),
				ConfigPlanChecks: checks(s.expectOnlyWarning(lost, hint), s.expectPrediction(withoutSidecar)),
				Check:            lives(s.expectJSONPath(web, map[string]string{item: "app"}), s.expectNotOverwritten()),
			},
		)
	})
	t.Run("of a manager that is taken over", func(t *testing.T) {
		s := newStory(t)
		s.run(
			resource.TestStep{Config: s.config(sidecar, orFail, `take_over_managers = ["kubectl-set"]`)},
			resource.TestStep{
				PreConfig: s.anew(func() { setEnv(s) }),
				Config:    s.config(withoutSidecar, orFail, `take_over_managers = ["kubectl-set"]`),
				ConfigPlanChecks: checks(s.expectOnlyWarning("The apply removes a field that yaml_body does not have",
					logItem+`.env[name="TOKEN"].value: "x", owned by "kubectl-set"`)),
				Check: lives(s.expectJSONPath(web, map[string]string{item: "app"}), s.expectNotOverwritten()),
			},
		)
	})
	t.Run("the item is held by others too", func(t *testing.T) {
		s := newStory(t)
		s.run(
			resource.TestStep{Config: s.config(sidecar, orFail)},
			resource.TestStep{
				PreConfig:        s.anew(func() { s.as("helm").apply(sidecar) }, func() { setEnv(s) }),
				Config:           s.config(withoutSidecar, orFail),
				ConfigPlanChecks: checks(s.expectPrediction(withoutSidecar), plancheck.ExpectNonEmptyPlan()),
				Check:            s.expectJSONPath(web, map[string]string{item: "app log"}),
			},
		)
	})
}

// An entry of a map goes as a list item does.
func TestEntryLeavesWithWhatOthersPutIn(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	before := gadget(`size: 1, free: {cfg: {x: 1}, stays: 1}, routes: [{host: a}, {host: b}]`)
	after := gadget(`size: 1, free: {stays: 1}, routes: [{host: b}]`)
	s.run(
		resource.TestStep{Config: s.config(before)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("operator").patch(s.gadgetTarget(), `{"spec":{"free":{"cfg":{"y":{"z":["long"]}}}}}`)
				s.as("tuner").jsonPatch(s.gadgetTarget(), `[{"op":"add","path":"/spec/routes/0/weight","value":7}]`)
			}),
			Config: s.config(after),
			ConfigPlanChecks: checks(s.expectOnlyWarning(
				"the apply removes 2 fields of other owners:",
				`spec.free.cfg.y.z: "[\"long\"]", removed with spec.free.cfg, owned by "operator"`,
				`spec.routes[host="a",port=80].weight: "7", removed with the list item spec.routes[host="a",port=80], owned by "tuner"`,
				`ignore_fields = ["spec.free.cfg", "spec.routes[host=\"a\",port=80]"]`,
			), s.expectPrediction(after)),
			Check: lives(
				s.expectLiveJSON(s.gadgetTarget(), `{"stays":1}`, "spec", "free"),
				s.expectLiveJSON(s.gadgetTarget(), `[{"host":"b","port":80}]`, "spec", "routes"),
			),
		},
	)
}
