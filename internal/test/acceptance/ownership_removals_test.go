package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// setEnv is kubectl set env on the second container.
func setEnv(s *story.Story) {
	s.As("kubectl-set").StrategicPatch(story.Web, `{"spec":{"template":{"spec":{"containers":[{"name":"log","env":[{"name":"TOKEN","value":"x"}]}]}}}}`)
}

const logItem = `spec.template.spec.containers[name="log"]`

// If a list item of ours is removed, the fields that other managers have set in it are removed, too. The plan says so,
// and on_conflict = "fail" refuses it. If the item is ignored, it stays.
func TestItemLeavesWithWhatOthersPutIn(t *testing.T) {
	t.Parallel()
	const lost = `spec.template.spec.containers[name="log"].env[name="TOKEN"].value: "x", removed with the list item ` + logItem +
		`, owned by "kubectl-set" using apps/v1 (kubectl set`
	const hint = `ignore_fields = ["spec.template.spec.containers[name=\"log\"]"]`
	item := `{.spec.template.spec.containers[*].name}`
	t.Run("fail", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar, story.OrFail)},
			resource.TestStep{
				PreConfig: s.NextStep(func() { setEnv(s) }),
				Config:    s.Config(story.WithoutSidecar, story.OrFail),
				ExpectError: story.Saying("Field Ownership Conflict", `nothing is applied, because on_conflict is "fail"`,
					"The apply removes a field of another owner:", lost, hint, `To remove it anyway, set on_conflict = "force"`),
			},
			resource.TestStep{
				Config: s.Config(story.WithoutSidecar, story.OrFail, story.IgnoringPath(logItem)),
				Check:  s.ExpectJSONPath(story.Web, map[string]string{item: "app log"}),
			},
		)
	})
	t.Run("force", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar)},
			resource.TestStep{
				PreConfig:        s.NextStep(func() { setEnv(s) }),
				Config:           s.Config(story.WithoutSidecar),
				ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(lost, hint), s.ExpectPrediction(story.WithoutSidecar)),
				Check:            story.LiveChecks(s.ExpectJSONPath(story.Web, map[string]string{item: "app"}), s.ExpectNotOverwritten()),
			},
		)
	})
	t.Run("of a manager that is taken over", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar, story.OrFail, `take_over_managers = ["kubectl-set"]`)},
			resource.TestStep{
				PreConfig: s.NextStep(func() { setEnv(s) }),
				Config:    s.Config(story.WithoutSidecar, story.OrFail, `take_over_managers = ["kubectl-set"]`),
				ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("The apply removes a field that yaml_body does not have",
					logItem+`.env[name="TOKEN"].value: "x", owned by "kubectl-set"`)),
				Check: story.LiveChecks(s.ExpectJSONPath(story.Web, map[string]string{item: "app"}), s.ExpectNotOverwritten()),
			},
		)
	})
	t.Run("the item is held by others too", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar, story.OrFail)},
			resource.TestStep{
				PreConfig:        s.NextStep(func() { s.As("helm").Apply(story.Sidecar) }, func() { setEnv(s) }),
				Config:           s.Config(story.WithoutSidecar, story.OrFail),
				ConfigPlanChecks: story.PlanChecks(s.ExpectPrediction(story.WithoutSidecar), plancheck.ExpectNonEmptyPlan()),
				Check:            s.ExpectJSONPath(story.Web, map[string]string{item: "app log"}),
			},
		)
	})
}

// Fields that other managers set in such an item after the plan are removed with it, and the apply says so. on_conflict
// = "fail" refuses that, and no other writes of theirs.
func TestItemLeavesWithWhatOthersPutInMeanwhile(t *testing.T) {
	t.Parallel()
	const lost = logItem + `.env[name="TOKEN"].value`
	item := `{.spec.template.spec.containers[*].name}`
	meanwhile := func(write func()) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{story.Meanwhile(write)}}
	}
	t.Run("force", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar)},
			resource.TestStep{
				PreConfig: s.NextStep(), Config: s.Config(story.WithoutSidecar),
				ConfigPlanChecks: meanwhile(func() {
					s.Provider.Take() // The plan warns of the defaults that go with the item.
					setEnv(s)
				}),
				Check: story.LiveChecks(s.ExpectJSONPath(story.Web, map[string]string{item: "app"}), s.ExpectOverwritten(lost)),
			},
		)
	})
	t.Run("fail", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar, story.OrFail)},
			resource.TestStep{
				PreConfig: s.NextStep(), Config: s.Config(story.WithoutSidecar, story.OrFail), ConfigPlanChecks: meanwhile(func() { setEnv(s) }),
				ExpectError: story.Saying("Object Changed Since the Plan", "Plan again"),
			},
			resource.TestStep{
				Config: s.Config(story.WithoutSidecar, story.OrFail), ExpectError: story.Saying("Field Ownership Conflict", lost),
			},
		)
	})
	t.Run("fail, and others write elsewhere", func(t *testing.T) {
		s := story.NewCompared(t)
		s.Run(
			resource.TestStep{Config: s.Config(story.Sidecar, story.OrFail)},
			resource.TestStep{
				PreConfig: s.NextStep(), Config: s.Config(story.WithoutSidecar, story.OrFail),
				ConfigPlanChecks: meanwhile(func() { s.As("kubectl-annotate").Patch(story.Web, `{"metadata":{"annotations":{"theirs":"x"}}}`) }),
				Check:            story.LiveChecks(s.ExpectJSONPath(story.Web, map[string]string{item: "app"}), s.ExpectNotOverwritten()),
			},
		)
	})
}

// An entry of a map is removed in the same way as a list item.
func TestEntryLeavesWithWhatOthersPutIn(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	before := story.Gadget(`size: 1, free: {cfg: {x: 1}, stays: 1}, routes: [{host: a}, {host: b}]`)
	after := story.Gadget(`size: 1, free: {stays: 1}, routes: [{host: b}]`)
	s.Run(
		resource.TestStep{Config: s.Config(before)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("operator").Patch(s.GadgetTarget(), `{"spec":{"free":{"cfg":{"y":{"z":["long"]}}}}}`)
				s.As("tuner").JSONPatch(s.GadgetTarget(), `[{"op":"add","path":"/spec/routes/0/weight","value":7}]`)
			}),
			Config: s.Config(after),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning(
				"the apply removes 2 fields of other owners:",
				`spec.free.cfg.y.z: "[\"long\"]", removed with spec.free.cfg, owned by "operator"`,
				`spec.routes[host="a",port=80].weight: "7", removed with the list item spec.routes[host="a",port=80], owned by "tuner"`,
				`ignore_fields = ["spec.free.cfg", "spec.routes[host=\"a\",port=80]"]`,
			), s.ExpectPrediction(after)),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(s.GadgetTarget(), `{"stays":1}`, "spec", "free"),
				s.ExpectLiveJSON(s.GadgetTarget(), `[{"host":"b","port":80}]`, "spec", "routes"),
			),
		},
	)
}

// A field that another manager applies, too, leaves the manifest while the map around it is given as empty: the plan says
// that it stays.
func TestSharedFieldLeavesAnEmptyMap(t *testing.T) {
	s := story.NewCompared(t)
	empty := story.ConfigMapIn("settings", `data: {}`)
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`))},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("flux").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`)) }),
			Config:    s.Config(empty),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectWarning(`leaves yaml_body and stays on the object`, `data.a: "1", owned by "flux"`)),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1"}`, "data"),
		},
		s.Noop(s.Config(empty)),
	)
}
