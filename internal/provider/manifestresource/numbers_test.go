package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// Integers beyond 2^53 and fractions are exact in the plan, in the state and on the server, and a
// difference in the last digit is one.
func TestLargeNumbers(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	target := s.gadgetTarget()
	body := gadget(`size: 9007199254740993, sizes: [9223372036854775807, -9007199254740993], ratio: 0.1, free: {deep: 9007199254740995}`)
	live := `{"free":{"deep":9007199254740995},"ratio":0.1,"size":9007199254740993,"sizes":[9223372036854775807,-9007199254740993]}`
	s.run(
		resource.TestStep{
			Config: s.config(body),
			ConfigPlanChecks: checks(
				expectValue("spec.size", absent, "9007199254740993"),
				expectValue("spec.sizes", absent, "[9223372036854775807,-9007199254740993]"),
				expectValue("spec.ratio", absent, "0.1"),
				expectValue("spec.free.deep", absent, "9007199254740995"),
				s.expectPrediction(body),
			),
			ConfigStateChecks: states(expectState(managedState, "spec.size: 9007199254740993", "spec.free.deep: 9007199254740995")),
			Check:             s.expectLiveJSON(target, live, "spec"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("kubectl-edit").patch(target, `{"spec":{"size":9007199254740992}}`) }),
			Config:    s.config(body),
			ConfigPlanChecks: checks(
				expectOnly(managedState, "spec.size: 9007199254740992 -> 9007199254740993"),
				expectOnly(fieldOwnership, "spec.size: kubectl-edit -> k8sconnect"),
				s.expectPrediction(body),
				s.expectOnlyWarning(`spec.size: "9007199254740992" -> "9007199254740993"`),
			),
			ConfigStateChecks: states(expectState(managedState, "spec.size: 9007199254740993")),
			Check:             s.expectLiveJSON(target, live, "spec"),
		},
	)
}

// A whole number written with a fraction is the number, and shared with whoever wrote it without.
func TestWholeNumbersAreEqual(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	target := s.gadgetTarget()
	body := gadget(`ratio: 2.0`)
	s.run(
		resource.TestStep{Config: s.config(gadget(`size: 1`))},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("policy").apply(gadget(`ratio: 2`)) }),
			Config:    s.config(body),
			ConfigPlanChecks: checks(
				expectOnly(coOwners, "spec.ratio: (absent) -> [k8sconnect policy]"),
				expectValue("spec.ratio", absent, "2"),
				s.expectPrediction(body),
				s.expectOnlyWarning("Field Ownership Change: ", "the apply shares a field that others own with the same value:\n",
					`spec.ratio: "2", owned by "policy" (last write `),
			),
			ConfigStateChecks: states(expectState(managedState, "spec.ratio: 2")),
			Check:             s.expectLiveJSON(target, `{"ratio":2}`, "spec"),
		},
	)
}

// A null that the schema allows is a value: it is owned, kept, and put back.
func TestNullIsAValueWhereTheSchemaSaysSo(t *testing.T) {
	s := newStory(t)
	s.installGadgets()
	target := s.gadgetTarget()
	body := gadget(`size: 1, note: null`)
	s.run(
		resource.TestStep{
			Config:            s.config(body),
			ConfigPlanChecks:  checks(expectOwner("spec.note", absent, "k8sconnect"), s.expectPrediction(body)),
			ConfigStateChecks: states(expectState(fieldOwnership, "spec.note: k8sconnect")),
			Check:             s.expectLiveJSON(target, `{"note":null,"size":1}`, "spec"),
		},
		resource.TestStep{
			PreConfig: s.anew(func() { s.as("policy").apply(gadget(`note: hello`)) }),
			Config:    s.config(body),
			ConfigPlanChecks: checks(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
				expectOnly(fieldOwnership, "spec.note: policy -> k8sconnect"),
				s.expectPrediction(body),
				s.expectOnlyWarning(`spec.note: "hello" -> "null", owned by "policy"`),
			),
			ConfigStateChecks: states(expectState(fieldOwnership, "spec.note: k8sconnect")),
			Check:             s.expectLiveJSON(target, `{"note":null,"size":1}`, "spec"),
		},
	)
}
