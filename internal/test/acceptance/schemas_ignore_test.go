package acceptance_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// What has become atomic cannot be ignored in part, although the owners of its parts are still on record:
// an apply without the part would remove it.
func TestSchemaIgnoredPartOfWhole(t *testing.T) {
	t.Parallel()
	for _, c := range schemaChanges(ownedByPart, ownedWhole) {
		t.Run(c.name(), func(t *testing.T) {
			s := story.New(t)
			installGizmos(s, schemaFields{"field": c.from.schema})
			body := gizmo("one", "note: ours, field: "+c.ab)
			s.Run(
				resource.TestStep{Config: s.Config(body)},
				resource.TestStep{
					PreConfig: func() { changeSchema(s, schemaFields{"field": c.to.schema}) },
					Config:    s.Config(body, story.IgnoringPath(c.memberB)),
					ExpectError: story.Saying("Field Cannot Be Ignored Alone", s.Expand("Gizmo NS/one"), "spec.field is atomic",
						`ignore_fields = ["spec.field"]`),
				},
				resource.TestStep{
					Config: s.Config(body, story.IgnoringPath("spec.field")),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(gizmoTarget(s, "one"), c.liveAB, "spec", "field"),
						s.ExpectNoOwner(gizmoTarget(s, "one"), "spec.field"),
					),
				},
			)
		})
	}
}

// What has got owners by part can be ignored in part, although the claim on the whole is still on record.
func TestSchemaIgnoredPart(t *testing.T) {
	t.Parallel()
	for _, c := range schemaChanges(ownedWhole, ownedByPart) {
		t.Run(c.name(), func(t *testing.T) {
			s := story.New(t)
			installGizmos(s, schemaFields{"field": c.from.schema})
			body, target := gizmo("one", "field: "+c.ab), gizmoTarget(s, "one")
			s.Run(
				resource.TestStep{Config: s.Config(body)},
				resource.TestStep{
					PreConfig:         s.NextStep(func() { changeSchema(s, schemaFields{"field": c.to.schema}) }),
					Config:            s.Config(body, story.IgnoringPath(c.memberB)),
					ConfigPlanChecks:  story.PlanChecks(s.ExpectNoWarning()),
					ConfigStateChecks: story.StateChecks(story.ExpectState(story.FieldOwnership, c.memberA+": k8sconnect", c.memberB+": "+story.Absent, "spec.field: "+story.Absent)),
					Check: story.LiveChecks(
						s.ExpectLiveJSON(target, c.liveAB, "spec", "field"),
						s.ExpectOwners(target, c.memberA, "k8sconnect"),
						s.ExpectNoOwner(target, c.memberB),
						s.ExpectNoOwner(target, "spec.field"),
					),
				},
			)
		})
	}
}
