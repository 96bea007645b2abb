package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// A patch takes what other managers own, adds what they lack, notices drift, releases what leaves its body, and leaves
// the object clean.
func TestLifeOfAPatch(t *testing.T) {
	s := story.New(t)
	const ours = `field_manager = "k8sconnect-patch-test"`
	kubectl := s.As("kubectl-create")
	body := "data: {a: ours, new: added}\nmetadata: {labels: {team: x}}"
	s.Run(
		resource.TestStep{
			PreConfig: func() { kubectl.Create(story.ConfigMapIn("settings", `data: {a: "1", b: "2"}`)) },
			Config:    s.PatchConfig(story.SettingsTarget, body, ours),
			ConfigPlanChecks: story.PlanChecks(
				s.ExpectPlanSays(`data.a: "1" -> "ours", owned by "kubectl-create"`),
				story.ExpectOnly(story.ManagedState, "data.a: (absent) -> ours", "data.new: (absent) -> added", "metadata.labels.team: (absent) -> x"),
				story.ExpectUnknown(story.PatchAddress, story.FieldOwnership, story.CoOwners),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.a: k8sconnect-patch-test", "data.new: k8sconnect-patch-test", "data.b: (absent)"),
				story.ExpectState(story.ManagedState, "data.a: ours", "data.new: added", "metadata.labels.team: x"),
				expectAdded("data.new", "metadata.labels.team"),
			),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2","new":"added"}`, "data"),
		},
		s.Noop(s.PatchConfig(story.SettingsTarget, body, ours)),
		resource.TestStep{ // kubectl takes a field.
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data": {"a": "theirs"}}`) }),
			Config:    s.PatchConfig(story.SettingsTarget, body, ours),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOwner("data.a", "kubectl-edit", "k8sconnect-patch-test"), story.ExpectOnly(story.ManagedState, "data.a: theirs -> ours"),
				s.ExpectPlanSays(`data.a: "theirs" -> "ours"`),
			),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2","new":"added"}`, "data"),
		},
		resource.TestStep{ // What was there before keeps its value, what was added goes.
			PreConfig:         s.NextStep(),
			Config:            s.PatchConfig(story.SettingsTarget, "metadata: {labels: {team: x}}", ours),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.a: ours -> (absent)", "data.new: added -> (absent)"), s.ExpectPlanSays("data.a")),
			ConfigStateChecks: story.StateChecks(expectAdded("metadata.labels.team")),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"2"}`, "data"),
				s.ExpectNoOwner(story.SettingsTarget, "data.a"),
			),
		},
		s.Noop(s.PatchConfig(story.SettingsTarget, "metadata: {labels: {team: x}}", ours)),
		resource.TestStep{
			Config:           s.PatchConfig(story.SettingsTarget, "metadata: {labels: {team: x}}\ndata: {b: mine}", ours),
			ConfigPlanChecks: story.PlanChecks(story.ExpectOnly(story.ManagedState, "data.b: (absent) -> mine")),
		},
		resource.TestStep{
			Config: s.ProviderBlock(), Destroy: false,
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.PatchAddress, plancheck.ResourceActionDestroy),
				s.ExpectWarning("Patch Removed", "metadata.labels.team", "data.b"),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"a":"ours","b":"mine"}`, "data"),
				s.ExpectLiveJSON(story.SettingsTarget, `null`, "metadata", "labels"),
				expectNoEntry(s, story.SettingsTarget, "k8sconnect-patch-test"),
			),
		},
	)
}
