package acceptance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

const keepsManager = `field_manager = "Terraform"`

// dataSource is a resource of the ConfigMap's entries a and c.
func dataSource(s *story.Story) string {
	return source(s, "config_map_v1_data", "metadata {\n  name = \"settings\"\n  namespace = \"NS\"\n}\ndata = { a = \"1\", c = \"3\" }")
}

// movedData returns a patch that comes from dataSource.
func movedData(s *story.Story, body string, arguments ...string) string {
	return moved("config_map_v1_data") + patch(s, targetOfSettings, body, arguments...)
}

// startOfData returns the first step of a story: dataSource has applied, and afterwards other managers have written.
func startOfData(s *story.Story, afterwards ...func()) resource.TestStep {
	return resource.TestStep{
		PreConfig: func() {
			s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
			s.As(terraformManager).Apply(story.ConfigMapIn("settings", `data: {a: "1", c: "3"}`))
			for _, write := range afterwards {
				write()
			}
		},
		Config: dataSource(s),
	}
}

// A configuration that keeps the field manager has nothing to do, and owns the fields all the same.
func TestMovedKeepsManager(t *testing.T) {
	s := story.New(t)
	both, one := `data: {a: "1", c: "3"}`, `data: {a: "1"}`
	run(s,
		startOfData(s),
		resource.TestStep{
			PreConfig:        s.NextStep(),
			Config:           movedData(s, both, keepsManager),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.a: Terraform", "data.c: Terraform", "data.b: (absent)"),
				story.ExpectState(story.ManagedState, "data.a: 1", "data.c: 3"), expectAdded("data.a", "data.c"),
			),
		},
		s.Noop(movedData(s, both, keepsManager)),
		resource.TestStep{
			Config:           movedData(s, one, keepsManager),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.c: 3 -> (absent)")),
			Check:            story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2"}`, "data"), expectEntry(s, story.SettingsTarget, isTerraform, 1)),
		},
		s.Noop(movedData(s, one, keepsManager)),
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check:  story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2"}`, "data"), expectEntry(s, story.SettingsTarget, isTerraform, 0)),
		},
	)
}

// A field that another client owns too was not added: it keeps its value when it leaves the configuration, and at the
// end.
func TestMovedSharedFields(t *testing.T) {
	s := story.New(t)
	both := `data: {a: "1", c: "3"}`
	run(s,
		startOfData(s, func() { s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2", a: "1"}`)) }),
		resource.TestStep{
			Config:            movedData(s, both),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(story.ManagedState)),
			ConfigStateChecks: story.StateChecks(expectAdded("data.c")),
		},
		s.Noop(movedData(s, both)),
		resource.TestStep{
			Config: s.ProviderBlock(),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2"}`, "data"), s.ExpectOwners(story.SettingsTarget, "data.a", "bob"),
				expectEntry(s, story.SettingsTarget, patchManager, 0),
			),
		},
	)
}

// What other managers have changed since the last apply of the source shows in the first plan, as a conflict.
func TestMovedAfterDrift(t *testing.T) {
	s := story.New(t)
	both := `data: {a: "1", c: "3"}`
	run(s,
		startOfData(s, func() { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) }),
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    movedData(s, both),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays(`data.a: "theirs" -> "1"`, "kubectl-edit"), story.ExpectOnly(story.ManagedState, "data.a: (absent) -> 1"),
			),
			Check: story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","c":"3"}`, "data"), expectEntry(s, story.SettingsTarget, isTerraform, 0)),
		},
		s.Noop(movedData(s, both)),
		resource.TestStep{ // The provider treats the value that kubectl wrote as one from before the patch.
			Config: s.ProviderBlock(),
			Check:  s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2"}`, "data"),
		},
	)
}

// Fields of the same manager that the source did not apply keep their values.
func TestMovedReleasesTheRest(t *testing.T) {
	s := story.New(t)
	run(s,
		startOfData(s, func() {
			s.As(terraformManager).Apply(story.ConfigMapIn("settings", `data: {a: "1", c: "3", more: "4"}`))
		}),
		resource.TestStep{
			Config:            movedData(s, `data: {a: "1", c: "3"}`),
			ConfigStateChecks: story.StateChecks(expectAdded("data.a", "data.c")),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"1","b":"2","c":"3","more":"4"}`, "data"), s.ExpectNoOwner(story.SettingsTarget, "data.more"),
			),
		},
		s.Noop(movedData(s, `data: {a: "1", c: "3"}`)),
		resource.TestStep{Config: s.ProviderBlock(), Check: s.ExpectLiveJSON(story.SettingsTarget, `{"b":"2","more":"4"}`, "data")},
	)
}

// The taints of a node are one field: who adds one takes all of them.
func TestMovedTaints(t *testing.T) {
	s := story.New(t)
	l := lives()["taints"]
	target := s.Expand(l.target)
	deleteNode(s)
	config := moved(l.source) + patch(s, l.hcl, l.body)
	run(s,
		resource.TestStep{
			PreConfig: func() {
				s.As("bob").Apply(l.others)
				s.As(terraformManager).Apply(l.ours)
			},
			Config: source(s, l.source, l.lines),
			Check:  s.ExpectOwners(target, "spec.taints", terraformManager),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("controller").StrategicPatch(target, `{"spec": {"taints": [{"key": "theirs", "effect": "NoExecute"}]}}`)
			}),
			Config: config,
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays("spec.taints", "theirs", "controller"),
			),
			Check: story.LiveChecks(s.ExpectJSONPath(target, l.live), s.ExpectJSONPath(target, map[string]string{`{.spec.taints[?(@.key=="theirs")].key}`: ""})),
		},
		s.Noop(config),
	)
}

// Two resources of the source with one manager remove each other's fields. After the move each has a manager of its own.
func TestMovedTogether(t *testing.T) {
	s := story.New(t)
	const labels, annotations = "metadata: {labels: {team: a}}", "metadata: {annotations: {note: b}}"
	other := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, `"test"`, `"other"`), ".test", ".other")
	}
	config := s.ProviderBlock() + moved("labels") + other(moved("annotations")) +
		patch(s, targetOfSettings, labels)[len(s.ProviderBlock()):] + other(patch(s, targetOfSettings, annotations)[len(s.ProviderBlock()):])
	live := map[string]string{"{.metadata.labels}": `{"team":"a"}`, "{.metadata.annotations}": `{"note":"b"}`}
	run(s,
		resource.TestStep{
			PreConfig: func() {
				s.As("bob").Apply(story.ConfigMapIn("settings", `data: {b: "2"}`))
				s.As(terraformManager).Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, labels: {team: a}}\n")
				s.As(terraformManager).Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: NS, annotations: {note: b}}\n")
			},
			Config: source(s, "labels", ofSettings+`labels = { team = "a" }`) +
				other(source(s, "annotations", ofSettings+`annotations = { note = "b" }`)[len(s.ProviderBlock()):]),
			Check: s.ExpectJSONPath(story.SettingsTarget, map[string]string{"{.metadata.labels}": ""}),
		},
		resource.TestStep{
			Config: config,
			Check: story.LiveChecks(
				s.ExpectJSONPath(story.SettingsTarget, live), expectEntry(s, story.SettingsTarget, isTerraform, 0), expectEntry(s, story.SettingsTarget, patchManager, 2),
			),
		},
		s.Noop(config),
	)
}
