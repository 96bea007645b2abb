package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// The server takes a schema with a set of objects, and then no server-side apply to an object that has
// one. Whoever updates such an object makes the server forget all owners. Neither yaml_body nor the live
// value is at fault, so the plan points to the definition; the object can still be read and destroyed.
func TestSchemaBecomesSetOfObjects(t *testing.T) {
	for name, listType := range map[string]string{"none": "", "atomic": ", x-kubernetes-list-type: atomic", "map": aMapByName} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			installGizmos(s, schemaFields{"field": listOf(aPair, listType)})
			names := []string{"untouched", "written"}
			config := func(spec string) string {
				text := s.providerBlock()
				for _, name := range names {
					text += s.manifest(name, gizmo(name, spec))
				}
				return text
			}
			declared := "field: " + abPairs
			var heard hearing
			s.run(
				resource.TestStep{Config: config(declared)},
				resource.TestStep{
					PreConfig: func() {
						for _, name := range names {
							s.as("policy").apply(gizmo(name, declared))
						}
						changeSchema(s, schemaFields{"field": listOf(anAtomicPair, aSet)})
						s.as("other").patch(gizmoTarget(s, "written"), `{"spec":{"note":"theirs"}}`)
						expectForgotten(s, "written")
						heard = listen(s)
					},
					Config:      config(declared + ", note: ours"),
					ExpectError: saying("Error: "),
				},
				resource.TestStep{
					PreConfig: func() {
						for _, name := range names {
							heard.expectAbout(name, "spec.field", "CustomResourceDefinition")
						}
					},
					Config: s.providerBlock(),
					Check:  s.expectGone(gizmoTarget(s, "untouched"), gizmoTarget(s, "written")),
				},
			)
		})
	}
}

// The items of a list by key are objects; when the schema asks for words, the server shows them without
// their fields. The live value has to be repaired, and the owners are then recorded again.
func TestSchemaDropsItemFields(t *testing.T) {
	s := newStory(t)
	installGizmos(s, schemaFields{"field": listOf(aPair, aMapByName)})
	target, mended := gizmoTarget(s, "one"), gizmo("one", "field: [a, b]")
	var heard hearing
	s.run(
		resource.TestStep{Config: s.config(gizmo("one", "field: "+abPairs))},
		resource.TestStep{
			PreConfig: func() {
				s.as("policy").apply(gizmo("one", "field: "+abPairs))
				changeSchema(s, schemaFields{"field": listOf(aWord, aSet)})
				must(s.t, s.expectLiveJSON(target, `[{},{}]`, "spec", "field")(nil))
				heard = listen(s)
			},
			Config:      s.config(mended),
			ExpectError: saying("Error: "),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				heard.expectAbout("one", "spec.field", "kubectl edit")
				s.as("kubectl-edit").patch(target, `{"spec":{"field":["a","b"]}}`)
				expectForgotten(s, "one")
			}),
			Config:           s.config(mended),
			ConfigPlanChecks: checks(s.expectNoWarning(), expectUnknown(address, fieldOwnership, coOwners)),
			ConfigStateChecks: states(
				expectState(fieldOwnership, `spec.field[="a"]: k8sconnect`),
				expectState(coOwners, `spec.field[="a"]: `+absent),
				expectState(managedState, `spec.field[="a"]: a`),
			),
			Check: s.expectLiveJSON(target, `["a","b"]`, "spec", "field"),
		},
	)
}

// expectForgotten asserts that the server knows of no manager of the object any more.
func expectForgotten(s *story, name string) {
	s.t.Helper()
	if entries := s.live(gizmoTarget(s, name)).GetManagedFields(); len(entries) > 0 {
		s.t.Errorf("%s still has managers: %v", name, entries)
	}
}
