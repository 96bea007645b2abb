package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A field that a later apply of a patch adds below a map that others keep empty is an addition: it goes when it leaves.
func TestFieldBelowAnEmptyMapIsAdded(t *testing.T) {
	s := story.New(t)
	config := func(template string) string {
		return s.PatchConfig(story.Web, "spec: {minReadySeconds: 5"+template+"}", `field_manager = "patch"`)
	}
	const template = `, template: {spec: {securityContext: {runAsUser: 1000}, containers: [{name: app, resources: {limits: {cpu: 1m}}}]}}`
	s.Run(
		resource.TestStep{PreConfig: func() { s.As("kubectl-create").Create(story.Deployment) }, Config: config("")},
		resource.TestStep{
			Config: config(template),
			ConfigStateChecks: story.StateChecks(expectAdded("spec.minReadySeconds",
				`spec.template.spec.containers[name="app"].resources.limits.cpu`, "spec.template.spec.securityContext.runAsUser")),
		},
		s.Noop(config(template)),
		resource.TestStep{
			Config: config(""),
			Check:  s.ExpectLiveJSON(story.Web, "{}", "spec", "template", "spec", "securityContext"),
		},
		s.Noop(config("")),
	)
}

// A map of which its owner has lost all parts is not held as a whole: what is added to it goes again, and what nobody owns
// there can be removed.
func TestMapWithoutPartsOfItsOwner(t *testing.T) {
	s := story.New(t)
	config := func(body string, arguments ...string) string {
		return s.PatchConfig(story.SettingsTarget, body, append(arguments, `field_manager = "patch"`)...)
	}
	const note, remove = "metadata: {annotations: {n: x}}", `remove_fields = ["data.x"]`
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-create").Create(story.ConfigMapIn("settings", `data: {x: "1"}`)) },
			Config:    config("data: {x: new}"),
		},
		resource.TestStep{
			Config: config(note),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"x":"new"}`, "data"),
		},
		resource.TestStep{
			Config:            config("data: {b: added}"),
			ConfigStateChecks: story.StateChecks(expectAdded("data.b")),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"b":"added","x":"new"}`, "data"),
		},
		resource.TestStep{
			Config: config(note),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"x":"new"}`, "data"),
		},
		resource.TestStep{
			Config: config(note, remove),
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays(
				"the apply removes a value that nobody owns, because remove_fields covers it:", `data.x: "new"`)),
			Check: s.ExpectLiveJSON(story.SettingsTarget, "null", "data"),
		},
		s.Noop(config(note, remove)),
	)
}

// remove_fields sees into the limits of a container of which their owner has only the map.
func TestLimitsWithoutPartsOfTheirOwner(t *testing.T) {
	s := story.New(t)
	config := func(resources string, arguments ...string) string {
		body := "spec: {minReadySeconds: 5, template: {spec: {containers: [{name: app" + resources + "}]}}}"
		return s.PatchConfig(story.Web, body, append(arguments, `field_manager = "patch"`)...)
	}
	limited := strings.Replace(story.Deployment, "containers: [{", "containers: [{resources: {limits: {cpu: 1m}}, ", 1)
	removing := config("", `remove_fields = ["spec.template.spec.containers[*].resources.limits.cpu"]`)
	s.Run(
		resource.TestStep{
			PreConfig: func() { s.As("kubectl-create").Create(limited) },
			Config:    config(", resources: {limits: {cpu: 2m}}"),
		},
		resource.TestStep{Config: config("")},
		resource.TestStep{
			Config:           removing,
			ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("the apply removes a value that nobody owns", `limits.cpu: "2m"`)),
			Check:            s.ExpectContainer(story.Web, "app", "resources.limits.cpu", story.Absent),
		},
		s.Noop(removing),
	)
}

// A patch that removes an empty map or list of others with the map around it says so.
func TestPatchThatRemovesEmptyFields(t *testing.T) {
	for kind, body := range map[string]string{
		"merge": `{"spec": {"free": {"a": null}}}`,
		"json":  `[{"op": "remove", "path": "/spec/free/a"}]`,
	} {
		t.Run(kind, func(t *testing.T) {
			s := story.New(t)
			s.InstallGadgets()
			s.As("flux").Apply(story.Gadget("free: {a: {l: [], m: {}}, kept: 1}"))
			s.Run(resource.TestStep{
				Config:           s.TypedPatchConfig(s.GadgetTarget(), kind, body),
				ConfigPlanChecks: story.PlanChecks(s.ExpectPlanSays("spec.free.a.l", "spec.free.a.m", `owned by "flux"`)),
				Check:            s.ExpectLiveJSON(s.GadgetTarget(), `{"kept":1}`, "spec", "free"),
			})
		})
	}
}

// The map around the last label that leaves a manifest is no addition of the manager that has created the map.
func TestMapAroundALeavingLabel(t *testing.T) {
	s := story.New(t)
	config := func(metadata string) string {
		return s.Config(story.ConfigMapIn("settings", `data: {a: "1"}`, metadata), "adopt_existing = true")
	}
	s.Run(
		resource.TestStep{
			PreConfig: func() {
				s.As("bob").Apply(story.ConfigMapIn("settings", `data: {a: "1"}`))
				s.As("kubectl-label").Patch(story.SettingsTarget, `{"metadata": {"labels": {"team": "theirs"}}}`)
			},
			Config: config("labels: {team: ours}"),
		},
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           config(""),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
			Check:            s.ExpectLiveJSON(story.SettingsTarget, "null", "metadata", "labels"),
		},
		s.Noop(config("")),
	)
}

// An empty map of ours leaves with its item, and managed_state shows that.
func TestEmptyFieldsOfOursThatLeave(t *testing.T) {
	s := newSet(t)
	pod := strings.Replace(story.Deployment, "containers: [", "volumes: [{name: scratch, emptyDir: {}}]\n      containers: [{name: side, image: \"side:1\", resources: {}}, ", 1)
	if pod == story.Deployment {
		t.Fatal("the Deployment has no containers in brackets")
	}
	s.Configure(s.Manifest("web", pod))
	s.Do("apply", "-auto-approve")
	s.Configure(s.Manifest("web", story.Deployment))
	s.expect(s.Do("plan"), "1 to change", "not", `.emptyDir: "{}"`, `.resources: "{}"`)
	s.Do("apply", "-auto-approve")
	s.settled()
}
