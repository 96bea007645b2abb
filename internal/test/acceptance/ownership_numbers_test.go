package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// Integers beyond 2^53 and fractions are exact in the plan, in the state and on the server, and a difference in
// the last digit is a change.
func TestLargeNumbers(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	body := story.Gadget(`size: 9007199254740993, sizes: [9223372036854775807, -9007199254740993], ratio: 0.1, free: {deep: 9007199254740995}`)
	live := `{"free":{"deep":9007199254740995},"ratio":0.1,"size":9007199254740993,"sizes":[9223372036854775807,-9007199254740993]}`
	s.Run(
		resource.TestStep{
			Config: s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectValue("spec.size", story.Absent, "9007199254740993"),
				story.ExpectValue("spec.sizes", story.Absent, "[9223372036854775807,-9007199254740993]"),
				story.ExpectValue("spec.ratio", story.Absent, "0.1"),
				story.ExpectValue("spec.free.deep", story.Absent, "9007199254740995"),
				s.ExpectPrediction(body),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.size: 9007199254740993", "spec.free.deep: 9007199254740995")),
			Check:             s.ExpectLiveJSON(target, live, "spec"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("kubectl-edit").Patch(target, `{"spec":{"size":9007199254740992}}`) }),
			Config:    s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.ManagedState, "spec.size: 9007199254740992 -> 9007199254740993"),
				story.ExpectOnly(story.FieldOwnership, "spec.size: kubectl-edit -> k8sconnect"),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning(`spec.size: "9007199254740992" -> "9007199254740993"`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.size: 9007199254740993")),
			Check:             s.ExpectLiveJSON(target, live, "spec"),
		},
	)
}

// A whole number written with a fraction equals the number without it, and is shared with managers that wrote it so.
func TestWholeNumbersAreEqual(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	body := story.Gadget(`ratio: 2.0`)
	s.Run(
		resource.TestStep{Config: s.Config(story.Gadget(`size: 1`))},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("policy").Apply(story.Gadget(`ratio: 2`)) }),
			Config:    s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				story.ExpectOnly(story.CoOwners, "spec.ratio: (absent) -> [k8sconnect policy]"),
				story.ExpectValue("spec.ratio", story.Absent, "2"),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					`spec.ratio: "2", owned by "policy" (last write `),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.ManagedState, "spec.ratio: 2")),
			Check:             s.ExpectLiveJSON(target, `{"ratio":2}`, "spec"),
		},
	)
}

// A null that the schema allows is a value: it is owned, kept, and put back.
func TestNullIsAValueWhereTheSchemaSaysSo(t *testing.T) {
	s := story.NewCompared(t)
	s.InstallGadgets()
	target := s.GadgetTarget()
	body := story.Gadget(`size: 1, note: null`)
	s.Run(
		resource.TestStep{
			Config:            s.Config(body),
			ConfigPlanChecks:  story.PlanChecks(story.ExpectOwner("spec.note", story.Absent, "k8sconnect"), s.ExpectPrediction(body)),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "spec.note: k8sconnect")),
			Check:             s.ExpectLiveJSON(target, `{"note":null,"size":1}`, "spec"),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() { s.As("policy").Apply(story.Gadget(`note: hello`)) }),
			Config:    s.Config(body),
			ConfigPlanChecks: story.PlanChecks(
				plancheck.ExpectResourceAction(story.Address, plancheck.ResourceActionUpdate),
				story.ExpectOnly(story.FieldOwnership, "spec.note: policy -> k8sconnect"),
				s.ExpectPrediction(body),
				s.ExpectOnlyWarning(`spec.note: "hello" -> "null", owned by "policy"`),
			),
			ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, "spec.note: k8sconnect")),
			Check:             s.ExpectLiveJSON(target, `{"note":null,"size":1}`, "spec"),
		},
	)
}
