package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const removing = `on_addition = "remove"`

// What "remove" leaves: an item of which a controller owns a part, one of which a part is ignored, and one whose key is
// secret. Each has its reason.
func TestAdditionsThatStay(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	s.InstallGadgets()
	body := story.Gadget("size: 1, colours: [red], routes: [{host: a}]")
	with := []string{removing, `sensitive_fields = ["spec.colours"]`, `ignore_fields = ["spec.routes[host=\"ignored\",port=80].weight"]`}
	s.Run(
		resource.TestStep{Config: s.Config(body, with...)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-patch").Patch(s.GadgetTarget(), `{"spec":{"colours":["red","secretblue"],"note":"x","routes":[{"host":"a","port":80},
					{"host":"ignored","weight":1},{"host":"shared"},{"host":"gone"}]}}`)
				s.As("route-operator").Patch(s.GadgetTarget(), `{"spec":{"routes":[{"host":"a","port":80},{"host":"ignored","port":80,"weight":1},
					{"host":"shared","port":80,"weight":2},{"host":"gone","port":80}]}}`)
			}),
			Config: s.Config(body, with...),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress, "spec.colours"+byPatch,
				`spec.routes[host="ignored",port=80]`+byPatch, `spec.routes[host="shared",port=80]`+byPatch+", route-operator (controller: Update)"),
				s.ExpectRedacted("secretblue"),
				s.ExpectWarnings("the apply removes", "The apply does not remove spec.routes[host=\"shared\",port=80], because a controller owns a part, too.\n"+
					"The apply does not remove spec.routes[host=\"ignored\",port=80], because the configuration leaves a part to others.\n"+
					"The apply does not remove spec.colours, because the key of the list item is secret, and is stored nowhere.")),
			Check: story.LiveChecks(s.ExpectNotOverwritten(), s.ExpectJSONPath(s.GadgetTarget(), map[string]string{
				"{.spec.colours} {.spec.note} {.spec.routes[*].host}": `["red","secretblue"]  a ignored shared`})),
		},
	)
}

// After a reset of managedFields, it is not known what other managers have added: nothing is removed, and the plan says
// so. What they add from then on goes.
func TestAdditionsAfterAReset(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap, removing)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("kubectl-patch").Patch("v1 ConfigMap web", `{"data":{"added":"x"}}`)
				s.As("admin").StripManagedFields("v1 ConfigMap web", "[{}]")
			}),
			Config:           s.Config(story.ConfigMap, removing),
			ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("Owners Reset", "They may be anybody's, so on_addition does nothing about them.")),
			Check:            s.ExpectJSONPath("v1 ConfigMap web", map[string]string{"{.data}": `{"added":"x","colour":"red"}`}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-patch").Patch("v1 ConfigMap web", `{"data":{"later":"x"}}`) }), Config: s.Config(story.ConfigMap, removing),
			Check: s.ExpectJSONPath("v1 ConfigMap web", map[string]string{"{.data}": `{"added":"x","colour":"red"}`}),
		},
	)
}

// Who adds the same again after each apply is counted, as who changes a value again is.
func TestAdditionsAgain(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	add := func(manager string) func() {
		return s.NextStep(func() { s.As(manager).Patch("v1 ConfigMap web", `{"data":{"added":"x"}}`) })
	}
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap, removing)},
		resource.TestStep{PreConfig: add("kubectl-patch"), Config: s.Config(story.ConfigMap, removing), ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("the apply removes a field"))},
		resource.TestStep{PreConfig: add("kubectl-patch"), Config: s.Config(story.ConfigMap, removing), ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("he apply again removes", "for the 2nd time in a row"))},
		resource.TestStep{PreConfig: add("kubectl-patch"), Config: s.Config(story.ConfigMap, removing), ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("for the 3rd time in a row", `ignore_fields = ["data.added"]`))},
		resource.TestStep{PreConfig: add("acme"), Config: s.Config(story.ConfigMap, removing), ConfigPlanChecks: story.PlanChecks(s.ExpectOnlyWarning("the apply removes a field"))},
	)
}

// What leaves the configuration and stays, because other managers own it too, is an addition from then on. The same
// apply removes it, and not the next one.
func TestAdditionsThatWereShared(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	shared := story.ConfigMapIn("kept", "data: {a: '1', b: '2'}")
	s.Run(
		resource.TestStep{Config: s.Config(shared, removing)},
		resource.TestStep{
			PreConfig:        s.NextStep(func() { s.As("kubectl").Apply(story.ConfigMapIn("kept", "data: {b: '2', c: '3'}")) }),
			Config:           s.Config(story.ConfigMapIn("kept", "data: {a: '1'}"), removing),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress), s.ExpectWarning("data.b", "data.c")),
			Check:            story.LiveChecks(s.ExpectNotOverwritten(), s.ExpectJSONPath(story.KeptMap, map[string]string{"{.data}": `{"a":"1"}`})),
		},
	)
}

// remove_fields and additions go by one apply, and each has its way out.
func TestAdditionsBesideRemoveFields(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	with := []string{removing, `remove_fields = ["data.unwanted"]`}
	s.Run(
		resource.TestStep{Config: s.Config(story.ConfigMap, with...)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-patch").Patch("v1 ConfigMap web", `{"data":{"added":"x","unwanted":"x"}}`) }),
			Config:    s.Config(story.ConfigMap, with...),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress), s.ExpectOnlyWarning("the apply removes 2 fields",
				"To keep a field, remove its path from remove_fields.", "To keep it, ignore it:", `ignore_fields = ["data.added"]`)),
			Check: story.LiveChecks(s.ExpectNotOverwritten(), s.ExpectJSONPath("v1 ConfigMap web", map[string]string{"{.data}": `{"colour":"red"}`})),
		},
	)
}

// A person replaces the source of a volume of ours, and the value of a variable by a reference: the new members of the
// unions are additions beside which the server refuses ours. They go, and ours are back.
func TestAdditionsToUnions(t *testing.T) {
	t.Parallel()
	for _, with := range []string{removing, `on_addition = "allow"`} {
		t.Run(with, func(t *testing.T) {
			s := story.New(t)
			s.Provider.TakesAdditions = true
			s.Run(
				resource.TestStep{Config: s.Config(roomy, with)},
				resource.TestStep{
					PreConfig: s.NextStep(func() {
						patchedPods(`{"volumes":[{"name":"scratch","emptyDir":null,"hostPath":{"path":"/"}}],"containers":[{"name":"app",
							"env":[{"name":"MODE","value":null,"valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]}]}`)(s)
					}),
					Config:           s.Config(roomy, with),
					ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress)),
					Check: story.LiveChecks(s.ExpectNotOverwritten(), s.ExpectJSONPath(story.Web, map[string]string{
						"{.spec.template.spec.volumes[0]}": `{"emptyDir":{},"name":"scratch"}`, "{.spec.template.spec.containers[0].env[0]}": `{"name":"MODE","value":"live"}`})),
				},
			)
		})
	}
}

// A part that other managers write into a map or list that we own as a whole is no addition: the apply takes the whole
// back.
func TestAdditionsToWholesOfOurs(t *testing.T) {
	s := story.New(t)
	s.Provider.TakesAdditions = true
	s.InstallGadgets()
	body := story.Gadget("steps: [a], limits: {a: '1'}")
	s.Run(
		resource.TestStep{Config: s.Config(body)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { gadgetPatch(`{"spec":{"steps":["a","b"],"limits":{"b":"2"}}}`)(s) }), Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(expectAdditions(manifestAddress), s.ExpectOnlyWarning("the apply takes back 2 fields")),
		},
	)
}
