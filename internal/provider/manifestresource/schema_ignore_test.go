package manifestresource_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// What has become atomic cannot be ignored in part, although the owners of its parts are still on record:
// an apply without the part would remove it.
func TestSchemaIgnoredPartOfWhole(t *testing.T) {
	for _, c := range schemaChanges(ownedByPart, ownedWhole) {
		t.Run(c.name(), func(t *testing.T) {
			s := newStory(t)
			installGizmos(s, schemaFields{"field": c.from.schema})
			body := gizmo("one", "note: ours, field: "+c.ab)
			s.run(
				resource.TestStep{Config: s.config(body)},
				resource.TestStep{
					PreConfig: func() { changeSchema(s, schemaFields{"field": c.to.schema}) },
					Config:    s.config(body, ignoringPath(c.memberB)),
					ExpectError: saying("Field Cannot Be Ignored Alone", s.expand("Gizmo NS/one"), "spec.field is atomic",
						`ignore_fields = ["spec.field"]`),
				},
				resource.TestStep{
					Config: s.config(body, ignoringPath("spec.field")),
					Check: lives(
						s.expectLiveJSON(gizmoTarget(s, "one"), c.liveAB, "spec", "field"),
						s.expectNoOwner(gizmoTarget(s, "one"), "spec.field"),
					),
				},
			)
		})
	}
}

// What has got owners by part can be ignored in part, although the claim on the whole is still on record.
func TestSchemaIgnoredPart(t *testing.T) {
	for _, c := range schemaChanges(ownedWhole, ownedByPart) {
		t.Run(c.name(), func(t *testing.T) {
			s := newStory(t)
			installGizmos(s, schemaFields{"field": c.from.schema})
			body, target := gizmo("one", "field: "+c.ab), gizmoTarget(s, "one")
			s.run(
				resource.TestStep{Config: s.config(body)},
				resource.TestStep{
					PreConfig:         s.anew(func() { changeSchema(s, schemaFields{"field": c.to.schema}) }),
					Config:            s.config(body, ignoringPath(c.memberB)),
					ConfigPlanChecks:  checks(s.expectNoWarning()),
					ConfigStateChecks: states(expectState(fieldOwnership, c.memberA+": k8sconnect", c.memberB+": "+absent, "spec.field: "+absent)),
					Check: lives(
						s.expectLiveJSON(target, c.liveAB, "spec", "field"),
						s.expectOwners(target, c.memberA, "k8sconnect"),
						s.expectNoOwner(target, c.memberB),
						s.expectNoOwner(target, "spec.field"),
					),
				},
			)
		})
	}
}
