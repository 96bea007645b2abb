package manifestresource_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// playSchemaChange makes the objects, lets others join, changes the schema under all of them, and plans
// twice: with the configuration as it was, for which nothing is to be done, and as it is after.
func (s *story) playSchemaChange(c schemaChange, cases ...gizmoCase) {
	s.t.Helper()
	s.installGizmos(schemaFields{"field": c.from.schema})
	plans := []plancheck.PlanCheck{s.expectGizmoWarnings(cases)}
	for _, g := range cases {
		plans = append(plans, s.expectGizmoPlan(g))
	}
	s.run(
		resource.TestStep{Config: s.gizmoConfig(cases, false)},
		resource.TestStep{
			PreConfig: s.anew(func() {
				for _, g := range cases {
					g.join(g.name)
				}
				s.changeSchema(schemaFields{"field": c.to.schema})
			}),
			Config:           s.gizmoConfig(cases, false),
			ConfigPlanChecks: checks(plancheck.ExpectEmptyPlan(), s.expectNoWarning()),
		},
		resource.TestStep{
			PreConfig: s.anew(func() {
				for _, g := range cases {
					g.leave(g.name)
				}
			}),
			Config:            s.gizmoConfig(cases, true),
			ConfigPlanChecks:  checks(plans...),
			ConfigStateChecks: states(s.expectGizmoState(cases)),
			Check:             s.expectGizmosLive(cases),
		},
	)
}

func nobody(string) {}

// takenFrom returns the texts of the warning that spec.field is taken: the field, from whom, and the line that
// leaves it to them.
func takenFrom(managers ...string) []string {
	texts := []string{"\n  spec.field: ", `ignore_fields = ["spec.field"]`}
	for _, manager := range managers {
		texts = append(texts, fmt.Sprintf("%q", manager))
	}
	return texts
}

// applies returns a server-side apply of a spec by another manager.
func (s *story) applies(manager, spec string) func(string) {
	return func(name string) { s.as(manager).apply(gizmo(name, spec)) }
}

// edits returns a merge patch of the spec by another manager.
func (s *story) edits(manager, spec string) func(string) {
	return func(name string) { s.as(manager).patch(s.gizmoTarget(name), `{"spec":`+spec+`}`) }
}

// A list or map becomes atomic. The server keeps the owners of its parts until the next write of
// anybody, and then makes each an owner of the whole: an apply that gives another value takes the whole
// from all of them, with what they had added.
func TestSchemaBecomesWhole(t *testing.T) {
	for _, c := range schemaChanges(ownedByPart, ownedWhole) {
		t.Run(c.name(), func(t *testing.T) {
			s := newStory(t)
			declared := "field: " + c.ab
			noted := declared + ", note: ours"
			join := func(name string) {
				s.applies("policy", "field: "+c.bc)(name)
				s.edits("kubectl-edit", `{"field":`+c.abcd+`}`)(name)
			}
			taken := takenFrom("policy", "kubectl-edit")
			s.playSchemaChange(c,
				gizmoCase{
					name: "ours", before: declared, after: noted, join: nobody, leave: nobody,
					owners: []string{"spec.field: [k8sconnect]", c.memberA + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "joined", before: declared, after: noted, join: join, leave: nobody,
					warned: taken, owners: []string{"spec.field: [k8sconnect]", c.memberB + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "written", before: declared, after: declared, join: join, leave: s.edits("other", `{"note":"theirs"}`),
					warned: taken, owners: []string{"spec.field: [k8sconnect]", "spec.note: [other]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "equal", before: declared, after: noted, join: s.applies("policy", declared), leave: nobody,
					owners: []string{"spec.field: [k8sconnect policy]", c.memberB + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "left", before: declared, after: "note: ours", join: s.applies("policy", "field: "+c.bc), leave: nobody,
					warned: []string{"\n  spec.field: ", `owned by "policy"`}, owners: []string{"spec.field: [policy]", c.memberB + ": []"}, live: c.liveABC,
				},
			)
		})
	}
}

// An atomic list or map gets owners by part. The server leaves the claims on the whole where they are
// until their managers apply again; ours moves to the parts that we declare.
func TestSchemaBecomesGranular(t *testing.T) {
	for _, c := range schemaChanges(ownedWhole, ownedByPart) {
		t.Run(c.name(), func(t *testing.T) {
			s := newStory(t)
			declared := "field: " + c.ab
			noted := declared + ", note: ours"
			share := s.applies("policy", declared)
			s.playSchemaChange(c,
				gizmoCase{
					name: "ours", before: declared, after: noted, join: nobody, leave: nobody,
					owners: []string{"spec.field: []", c.memberA + ": [k8sconnect]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "shared", before: declared, after: noted, join: share, leave: nobody,
					owners: []string{"spec.field: [policy]", c.memberA + ": [k8sconnect]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "written", before: declared, after: declared, join: share, leave: s.edits("other", `{"note":"theirs"}`),
					idle: true, owners: []string{"spec.field: [k8sconnect policy]", c.memberA + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "joined", before: declared, after: noted, join: nobody, leave: s.applies("policy", "field: "+c.bc),
					owners: []string{"spec.field: []", c.memberA + ": [k8sconnect]", c.memberB + ": [k8sconnect policy]"}, live: c.liveABC,
				},
			)
		})
	}
}

// A part that leaves the body goes, although our claim was on the whole when the schema changed: the server
// prunes by name, and would leave the part without an owner.
func TestSchemaPartLeaves(t *testing.T) {
	for _, c := range schemaChanges(ownedWhole, ownedByPart) {
		t.Run(c.name(), func(t *testing.T) {
			newStory(t).playSchemaChange(c,
				gizmoCase{
					name: "less", before: "field: " + c.ab, after: "field: " + c.a, join: nobody, leave: nobody,
					owners: []string{"spec.field: []", c.memberA + ": [k8sconnect]", c.memberB + ": []"}, live: c.liveA,
				},
				gizmoCase{
					name: "gone", before: "note: ours, field: " + c.ab, after: "note: ours", join: nobody, leave: nobody,
					owners: []string{"spec.field: []", c.memberA + ": []"}, live: "null",
				},
			)
		})
	}
}

// A list without a list type is atomic: nothing changes when the schema says so.
func TestSchemaStaysWhole(t *testing.T) {
	for _, c := range schemaChanges(ownedWhole, ownedWhole) {
		t.Run(c.name(), func(t *testing.T) {
			s := newStory(t)
			declared := "field: " + c.ab
			s.playSchemaChange(c,
				gizmoCase{
					name: "shared", before: declared, after: declared + ", note: ours", join: s.applies("policy", declared), leave: nobody,
					owners: []string{"spec.field: [k8sconnect policy]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "written", before: declared, after: declared, join: nobody, leave: s.edits("kubectl-edit", `{"field":`+c.abcd+`}`),
					warned: takenFrom("kubectl-edit"), owners: []string{"spec.field: [k8sconnect]"}, live: c.liveAB,
				},
			)
		})
	}
}
