package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// The server takes a schema with a set of objects, and then no server-side apply to an object that has
// one. Whoever updates such an object makes the server forget all owners. Neither yaml_body nor the live
// value is at fault, so the plan points to the definition; the object can still be read and destroyed.
func TestSchemaBecomesSetOfObjects(t *testing.T) {
	t.Parallel()
	for name, listType := range map[string]string{"none": "", "atomic": ", x-kubernetes-list-type: atomic", "map": aMapByName} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			installGizmos(s, schemaFields{"field": listOf(aPair, listType)})
			names := []string{"untouched", "written"}
			config := func(spec string) string {
				text := s.ProviderBlock()
				for _, name := range names {
					text += s.Manifest(name, gizmo(name, spec))
				}
				return text
			}
			declared := "field: " + abPairs
			var heard hearing
			s.Run(
				resource.TestStep{Config: config(declared)},
				resource.TestStep{
					PreConfig: func() {
						for _, name := range names {
							s.As("policy").Apply(gizmo(name, declared))
						}
						changeSchema(s, schemaFields{"field": listOf(anAtomicPair, aSet)})
						s.As("other").Patch(gizmoTarget(s, "written"), `{"spec":{"note":"theirs"}}`)
						expectForgotten(s, "written")
						heard = hear(s)
					},
					Config:      config(declared + ", note: ours"),
					ExpectError: story.Saying("Error: "),
				},
				resource.TestStep{
					PreConfig: func() {
						for _, name := range names {
							heard.expectAbout(name, "spec.field", "CustomResourceDefinition")
						}
					},
					Config: s.ProviderBlock(),
					Check:  s.ExpectGone(gizmoTarget(s, "untouched"), gizmoTarget(s, "written")),
				},
			)
		})
	}
}

// The items of a list by key are objects; when the schema asks for words, the server shows them without
// their fields. The live value has to be repaired, and the owners are then recorded again.
func TestSchemaDropsItemFields(t *testing.T) {
	s := story.New(t)
	installGizmos(s, schemaFields{"field": listOf(aPair, aMapByName)})
	target, mended := gizmoTarget(s, "one"), gizmo("one", "field: [a, b]")
	var heard hearing
	s.Run(
		resource.TestStep{Config: s.Config(gizmo("one", "field: "+abPairs))},
		resource.TestStep{
			PreConfig: func() {
				s.As("policy").Apply(gizmo("one", "field: "+abPairs))
				changeSchema(s, schemaFields{"field": listOf(aWord, aSet)})
				story.Must(s.T, s.ExpectLiveJSON(target, `[{},{}]`, "spec", "field")(nil))
				heard = hear(s)
			},
			Config:      s.Config(mended),
			ExpectError: story.Saying("Error: "),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				heard.expectAbout("one", "spec.field", "kubectl edit")
				s.As("kubectl-edit").Patch(target, `{"spec":{"field":["a","b"]}}`)
				expectForgotten(s, "one")
			}),
			Config:           s.Config(mended),
			ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning(), story.ExpectUnknown(story.Address, story.FieldOwnership, story.CoOwners)),
			ConfigStateChecks: story.StateChecks(
				story.ExpectState(story.FieldOwnership, `spec.field[="a"]: k8sconnect`),
				story.ExpectState(story.CoOwners, `spec.field[="a"]: `+story.Absent),
				story.ExpectState(story.ManagedState, `spec.field[="a"]: a`),
			),
			Check: s.ExpectLiveJSON(target, `["a","b"]`, "spec", "field"),
		},
	)
}

// expectForgotten asserts that the server knows of no manager of the object any more.
func expectForgotten(s *story.Story, name string) {
	s.T.Helper()
	if entries := s.Live(gizmoTarget(s, name)).GetManagedFields(); len(entries) > 0 {
		s.T.Errorf("%s still has managers: %v", name, entries)
	}
}
