package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// Two appliers share a field with equal values. Then the other one changes it, and then we do: each time
// the one that forces is the owner, and the plan names the one that loses. An apply that changes no value
// leaves an entry without a time, which is the server's first.
func TestTwoAppliersShareThenDisagree(t *testing.T) {
	s := newStory(t)
	policy := s.as("policy")
	off := settingsWith(`mode: "off", level: "1"`)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		resource.TestStep{
			PreConfig: s.anew(func() { policy.apply(settingsWith(`mode: "on"`)) }),
			Config:    s.config(settings),
			ConfigPlanChecks: checks(
				plancheck.ExpectEmptyPlan(),
				s.expectPrediction(settings),
				s.expectNoWarning(),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "data.mode: policy", "data.level: k8sconnect"),
				expectState(coOwners, "data.mode: [k8sconnect policy]", "data.level: "+absent),
			),
			Check: s.expectLive(settingsTarget, map[string]any{"data.mode": "on"}),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(off),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "data.mode: policy -> k8sconnect"),
				expectOnly(coOwners, "data.mode: [k8sconnect policy] -> (absent)"),
				expectOnly(managedState, "data.mode: on -> off"),
				s.expectPrediction(off),
				s.expectOnlyWarning("Field Ownership Conflict: ", "the apply takes a field from another owner and changes its value:\n",
					`data.mode: "on" -> "off", owned by "policy"`+"\n    Both own the value it has now; the change here ends their share.\n",
					`ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "data.mode: k8sconnect"),
				expectState(coOwners, "data.mode: "+absent),
			),
			Check: s.expectLive(settingsTarget, map[string]any{"data.mode": "off"}),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { policy.apply(settingsWith(`mode: "strict"`)) }),
			Config:    s.config(off),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "data.mode: policy -> k8sconnect"),
				expectOnly(coOwners),
				expectOnly(managedState, "data.mode: strict -> off"),
				s.expectPrediction(off),
				s.expectOnlyWarning("Field Ownership Conflict: ", "the apply takes back a field that another owner changed:\n",
					`data.mode: "strict" -> "off", owned by "policy" (last write `, `ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "data.mode: k8sconnect")),
			Check:             s.expectLive(settingsTarget, map[string]any{"data.mode": "off"}),
		},
	)
}

// Several fields of several managers are one warning, whose line ignores all of them and what is ignored
// already.
func TestOneWarningNamesAllEvicted(t *testing.T) {
	s := newStory(t)
	three := settingsWith(`mode: "on", level: "1", "nginx.conf": a`)
	s.run(
		resource.TestStep{Config: s.config(three)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("policy").apply(settingsWith(`mode: "off"`))
				s.as("kubectl-edit").patch(settingsTarget, `{"data":{"level":"2","nginx.conf":"b"}}`)
			}),
			Config: s.config(three),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership, "data.mode: policy -> k8sconnect",
					"data.level: kubectl-edit -> k8sconnect", "data.nginx.conf: kubectl-edit -> k8sconnect"),
				expectOnly(managedState, "data.mode: off -> on", "data.level: 2 -> 1", "data.nginx.conf: b -> a"),
				s.expectPrediction(three),
				s.expectOnlyWarning("the apply takes back 3 fields that other owners changed:\n",
					`data.level: "2" -> "1", owned by "kubectl-edit" using v1 (kubectl edit, last write `,
					`data.mode: "off" -> "on", owned by "policy" (last write `,
					`data.nginx.conf: "b" -> "a", owned by "kubectl-edit" using v1 (kubectl edit, last write `,
					`ignore_fields = ["data.level", "data.mode", "data.nginx.conf"]`),
			),
			ConfigStateChecks: states(expectState(fieldOwnership,
				"data.mode: k8sconnect", "data.level: k8sconnect", "data.nginx.conf: k8sconnect")),
			Check: s.expectLiveJSON(settingsTarget, `{"level":"1","mode":"on","nginx.conf":"a"}`, "data"),
		},
	)
}

// Somebody updates under our own name. For the server that is another manager: it evicts us, and we take
// the field back from it.
func TestUpdateUnderOurName(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("k8sconnect").patch(settingsTarget, `{"data":{"mode":"off","extra":"x"}}`) }),
			Config:    s.config(settings),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership),
				expectOnly(managedState, "data.mode: off -> on"),
				s.expectOwnersPrediction(settings),
				s.expectOnlyWarning("takes back a field that another owner changed",
					`data.mode: "off" -> "on", owned by "k8sconnect" using v1 (last write `, `ignore_fields = ["data.mode"]`),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "data.mode: k8sconnect", "data.extra: k8sconnect"),
				expectState(managedState, "data.mode: on", "data.extra: "+absent),
			),
			Check: s.expectLiveJSON(settingsTarget, `{"extra":"x","level":"1","mode":"on"}`, "data"),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(settingsWith(`mode: "on", level: "2", extra: "x"`)),
			ConfigPlanChecks: checks(
				expectOnly(managedState, "data.level: 1 -> 2", "data.extra: (absent) -> x"),
				s.expectOwnersPrediction(settingsWith(`mode: "on", level: "2", extra: "x"`)),
				s.expectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					`data.extra: "x", owned by "k8sconnect" using v1 (last write `),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "data.extra: k8sconnect")),
			Check:             s.expectLiveJSON(settingsTarget, `{"extra":"x","level":"2","mode":"on"}`, "data"),
		},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(settings),
			ConfigPlanChecks: checks(
				expectOnly(fieldOwnership),
				expectOnly(managedState, "data.level: 2 -> 1", "data.extra: x -> (absent)"),
				s.expectOwnersPrediction(settings),
				s.expectOnlyWarning("Field Ownership Change: ", "a field leaves yaml_body and stays on the object, because others own it:\n",
					`data.extra: "x", owned by "k8sconnect" using v1 (last write `),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "data.extra: k8sconnect")),
			Check:             s.expectLiveJSON(settingsTarget, `{"extra":"x","level":"1","mode":"on"}`, "data"),
		},
	)
}

// An object without managedFields: the server gives all that it has to before-first-apply when somebody
// applies, which no plan can foresee; what becomes of the values, it can. The same apply takes over what
// the manifest declares.
func TestApplyAfterManagersWereStripped(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				s.as("velero").stripManagedFields(settingsTarget, "[{}]")
				s.as("velero").patch(settingsTarget, `{"data":{"mode":"off"}}`)
			}),
			Config: s.config(settings),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New(fieldOwnership)),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New(coOwners)),
				expectOnly(managedState, "data.mode: off -> on"),
				s.expectOnlyWarning("Field Ownership Change: ", "the apply sets back a field whose value changed since the last apply:\n",
					`data.mode: "off" -> "on"`),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "data: "+absent, "data.mode: k8sconnect", "data.level: k8sconnect"),
				expectState(coOwners, "data.level: "+absent, "data.mode: "+absent),
				expectState(managedState, "data.mode: on", "data.level: 1"),
			),
			Check: lives(
				s.expectLiveJSON(settingsTarget, `{"level":"1","mode":"on"}`, "data"),
				s.expectRepeated("sets back a field"),
				s.expectNoOwner(settingsTarget, "data"),
				s.expectOwners(settingsTarget, "data.level", "k8sconnect"),
			),
		},
	)
}

// The manifest has nothing but what becomes ignored: the release leaves the object without any manager,
// and the value stays.
func TestIgnoringEverythingThatWeOwn(t *testing.T) {
	s := newStory(t)
	s.run(
		resource.TestStep{Config: s.config(settings)},
		resource.TestStep{
			PreConfig: s.anew(),
			Config:    s.config(settings, `ignore_fields = ["data"]`),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New(fieldOwnership)),
				expectOnly(managedState, "data.level: 1 -> (absent)", "data.mode: on -> (absent)"),
				s.expectOnlyWarning("Field Ownership Change: ", "the apply releases 2 fields, and their values stay:\n",
					`data.level: "1", `, `data.mode: "on", `),
			),
			ConfigStateChecks: states(
				expectState(fieldOwnership, "data.level: before-first-apply", "data.mode: before-first-apply"),
				expectState(managedState, "data.mode: "+absent),
			),
			Check: lives(s.expectLiveJSON(settingsTarget, `{"level":"1","mode":"on"}`, "data"), s.expectRepeated("releases 2 fields")),
		},
	)
}
