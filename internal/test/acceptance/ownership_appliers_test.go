package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Two appliers share a field with equal values. Then the other one changes it, and then we do: each time the
// one that forces is the owner, and the plan names the one that loses. After an apply that changes no value,
// our managedFields entry has no time, so the server sorts it first.
func TestTwoAppliersShareThenDisagree(t *testing.T) {
	s := story.NewCompared(t)
	policy := s.As("policy")
	off := story.SettingsWith(`mode: "off", level: "1"`)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { policy.Apply(story.SettingsWith(`mode: "on"`)) }),
			Config:    s.Config(story.Settings),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectEmptyPlan(),
				s.ExpectPrediction(story.Settings),
				s.ExpectNoWarning(),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.mode: policy", "data.level: k8sconnect"),
				story.ExpectState(story.CoOwners, "data.mode: [k8sconnect policy]", "data.level: "+story.Absent),
			),
			Check: s.ExpectLive(story.SettingsTarget, map[string]any{"data.mode": "on"}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(off),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "data.mode: policy -> k8sconnect"),
				story.ExpectOnly(story.CoOwners, "data.mode: [k8sconnect policy] -> (absent)"),
				story.ExpectOnly(story.ManagedState, "data.mode: on -> off"),
				s.ExpectPrediction(off),
				s.ExpectOnlyWarning("Field Ownership Conflict: ", "the apply takes a field from another owner and changes its value:\n",
					`data.mode: "on" -> "off", owned by "policy"`+"\n    The field is shared now; this change takes it from them.\n",
					`ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.mode: k8sconnect"),
				story.ExpectState(story.CoOwners, "data.mode: "+story.Absent),
			),
			Check: s.ExpectLive(story.SettingsTarget, map[string]any{"data.mode": "off"}),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { policy.Apply(story.SettingsWith(`mode: "strict"`)) }),
			Config:    s.Config(off),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "data.mode: policy -> k8sconnect"),
				story.ExpectOnly(story.CoOwners),
				story.ExpectOnly(story.ManagedState, "data.mode: strict -> off"),
				s.ExpectPrediction(off),
				s.ExpectOnlyWarning("Field Ownership Conflict: ", "the apply takes back a field that another owner changed:\n",
					`data.mode: "strict" -> "off", owned by "policy" (last write `, `ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.mode: k8sconnect")),
			Check:             s.ExpectLive(story.SettingsTarget, map[string]any{"data.mode": "off"}),
		},
	)
}

// Several fields of several managers are one warning, whose line ignores all of them and what is ignored
// already.
func TestOneWarningNamesAllEvicted(t *testing.T) {
	s := story.NewCompared(t)
	three := story.SettingsWith(`mode: "on", level: "1", "nginx.conf": a`)
	s.Run(
		resource.TestStep{Config: s.Config(three)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("policy").Apply(story.SettingsWith(`mode: "off"`))
				s.As("kubectl-edit").Patch(story.SettingsTarget, `{"data":{"level":"2","nginx.conf":"b"}}`)
			}),
			Config: s.Config(three),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership, "data.mode: policy -> k8sconnect",
					"data.level: kubectl-edit -> k8sconnect", "data.nginx.conf: kubectl-edit -> k8sconnect"),
				story.ExpectOnly(story.ManagedState, "data.mode: off -> on", "data.level: 2 -> 1", "data.nginx.conf: b -> a"),
				s.ExpectPrediction(three),
				s.ExpectOnlyWarning("the apply takes back 3 fields that other owners changed:\n",
					`data.level: "2" -> "1", owned by "kubectl-edit" using v1 (kubectl edit, last write `,
					`data.mode: "off" -> "on", owned by "policy" (last write `,
					`data.nginx.conf: "b" -> "a", owned by "kubectl-edit" using v1 (kubectl edit, last write `,
					`ignore_fields = ["data.level", "data.mode", "data.nginx.conf"]`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership,
				"data.mode: k8sconnect", "data.level: k8sconnect", "data.nginx.conf: k8sconnect")),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"level":"1","mode":"on","nginx.conf":"a"}`, "data"),
		},
	)
}

// Another client updates under our own name. For the server that is another manager: it evicts us, and we take the
// field back from it.
func TestUpdateUnderOurName(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("k8sconnect").Patch(story.SettingsTarget, `{"data":{"mode":"off","extra":"x"}}`) }),
			Config:    s.Config(story.Settings),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership),
				story.ExpectOnly(story.ManagedState, "data.mode: off -> on"),
				s.ExpectOwnersPrediction(story.Settings),
				s.ExpectOnlyWarning("takes back a field that another owner changed",
					`data.mode: "off" -> "on", owned by "k8sconnect" using v1 (last write `, `ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.mode: k8sconnect", "data.extra: k8sconnect"),
				story.ExpectState(story.ManagedState, "data.mode: on", "data.extra: "+story.Absent),
			),
			Check: s.ExpectLiveJSON(story.SettingsTarget, `{"extra":"x","level":"1","mode":"on"}`, "data"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.SettingsWith(`mode: "on", level: "2", extra: "x"`)),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, "data.level: 1 -> 2", "data.extra: (absent) -> x"),
				s.ExpectOwnersPrediction(story.SettingsWith(`mode: "on", level: "2", extra: "x"`)),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					`data.extra: "x", owned by "k8sconnect" using v1 (last write `),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.extra: k8sconnect")),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"extra":"x","level":"2","mode":"on"}`, "data"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Settings),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.FieldOwnership),
				story.ExpectOnly(story.ManagedState, "data.level: 2 -> 1", "data.extra: x -> (absent)"),
				s.ExpectOwnersPrediction(story.Settings),
				s.ExpectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body and stays on the object, because others own it:\n",
					`data.extra: "x", owned by "k8sconnect" using v1 (last write `),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "data.extra: k8sconnect")),
			Check:             s.ExpectLiveJSON(story.SettingsTarget, `{"extra":"x","level":"1","mode":"on"}`, "data"),
		},
	)
}

// An object without managedFields: when another client applies, the server makes before-first-apply the owner of all
// its fields. No plan can predict these owners, but it can predict the values. The same apply takes over the declared
// fields.
func TestApplyAfterManagersWereStripped(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				s.As("velero").StripManagedFields(story.SettingsTarget, "[{}]")
				s.As("velero").Patch(story.SettingsTarget, `{"data":{"mode":"off"}}`)
			}),
			Config: s.Config(story.Settings),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(story.FieldOwnership)),
				plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(story.CoOwners)),
				story.ExpectOnly(story.ManagedState, "data.mode: off -> on"),
				s.ExpectWarnings("the apply sets back a field whose value changed since the last apply:\n\n  data.mode: \"off\" -> \"on\"", "Owners Reset: "),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data: "+story.Absent, "data.mode: k8sconnect", "data.level: k8sconnect"),
				story.ExpectState(story.CoOwners, "data.level: "+story.Absent, "data.mode: "+story.Absent),
				story.ExpectState(story.ManagedState, "data.mode: on", "data.level: 1"),
			),
			Check: story.LiveChecks(
				s.ExpectLiveJSON(story.SettingsTarget, `{"level":"1","mode":"on"}`, "data"),
				func(*terraform.State) error { return s.Warned("sets back a field", `data.mode: "off" -> "on"`) },
				s.ExpectNoOwner(story.SettingsTarget, "data"),
				s.ExpectOwners(story.SettingsTarget, "data.level", "k8sconnect"),
			),
		},
	)
}

// The manifest has nothing but what becomes ignored: the release leaves the object without any manager,
// and the value stays.
func TestIgnoringEverythingThatWeOwn(t *testing.T) {
	s := story.NewCompared(t)
	s.Run(
		resource.TestStep{Config: s.Config(story.Settings)},
		resource.TestStep{
			PreConfig: s.NextStep(),
			Config:    s.Config(story.Settings, `ignore_fields = ["data"]`),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				plancheck.ExpectUnknownValue(story.Address, tfjsonpath.New(story.FieldOwnership)),
				story.ExpectOnly(story.ManagedState, "data.level: 1 -> (absent)", "data.mode: on -> (absent)"),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply releases 2 fields, and their values stay:\n",
					`data.level: "1", `, `data.mode: "on", `),
			),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, "data.level: before-first-apply", "data.mode: before-first-apply"),
				story.ExpectState(story.ManagedState, "data.mode: "+story.Absent),
			),
			Check: story.LiveChecks(s.ExpectLiveJSON(story.SettingsTarget, `{"level":"1","mode":"on"}`, "data"), s.ExpectRepeated("releases 2 fields")),
		},
	)
}
