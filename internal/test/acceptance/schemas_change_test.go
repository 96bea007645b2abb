package acceptance_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// playSchemaChange makes the objects, lets other managers join, changes the schema under all of them, and plans twice:
// with the configuration as it was, for which nothing is to be done, and as it is after.
func playSchemaChange(s *story.Story, c schemaChange, cases ...gizmoCase) {
	s.T.Helper()
	installGizmos(s, schemaFields{"field": c.from.schema})
	plans := []plancheck.PlanCheck{expectGizmoWarnings(s, cases)}
	for _, g := range cases {
		plans = append(plans, expectGizmoPlan(s, g))
	}
	s.Run(
		resource.TestStep{Config: gizmoConfig(s, cases, false)},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				for _, g := range cases {
					g.join(g.name)
				}
				changeSchema(s, schemaFields{"field": c.to.schema})
			}),
			Config:           gizmoConfig(s, cases, false),
			ConfigPlanChecks: story.PlanChecks(plancheck.ExpectEmptyPlan(), s.ExpectNoWarning()),
		},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				for _, g := range cases {
					g.leave(g.name)
				}
			}),
			Config:            gizmoConfig(s, cases, true),
			ConfigPlanChecks:  story.PlanChecks(plans...),
			ConfigStateChecks: story.StateChecks(expectGizmoState(s, cases)),
			Check:             expectGizmosLive(s, cases),
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

// byApplying returns a server-side apply of a spec by another manager.
func byApplying(s *story.Story, manager, spec string) func(string) {
	return func(name string) { s.As(manager).Apply(gizmo(name, spec)) }
}

// byEditing returns a merge patch of the spec by another manager.
func byEditing(s *story.Story, manager, spec string) func(string) {
	return func(name string) { s.As(manager).Patch(gizmoTarget(s, name), `{"spec":`+spec+`}`) }
}

// A list or map becomes atomic. The server keeps the owners of its parts until the next write of
// anybody, and then makes each an owner of the whole: an apply that gives another value takes the whole
// from all of them, with what they had added.
func TestSchemaBecomesWhole(t *testing.T) {
	t.Parallel()
	for _, c := range schemaChanges(ownedByPart, ownedWhole) {
		t.Run(c.name(), func(t *testing.T) {
			s := story.New(t)
			declared := "field: " + c.ab
			noted := declared + ", note: ours"
			join := func(name string) {
				byApplying(s, "policy", "field: "+c.bc)(name)
				byEditing(s, "kubectl-edit", `{"field":`+c.abcd+`}`)(name)
			}
			taken := takenFrom("policy", "kubectl-edit")
			playSchemaChange(s, c,
				gizmoCase{
					name: "ours", before: declared, after: noted, join: nobody, leave: nobody,
					owners: []string{"spec.field: [k8sconnect]", c.memberA + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "joined", before: declared, after: noted, join: join, leave: nobody,
					warned: taken, owners: []string{"spec.field: [k8sconnect]", c.memberB + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "written", before: declared, after: declared, join: join, leave: byEditing(s, "other", `{"note":"theirs"}`),
					warned: taken, owners: []string{"spec.field: [k8sconnect]", "spec.note: [other]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "equal", before: declared, after: noted, join: byApplying(s, "policy", declared), leave: nobody,
					owners: []string{"spec.field: [k8sconnect policy]", c.memberB + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "left", before: declared, after: "note: ours", join: byApplying(s, "policy", "field: "+c.bc), leave: nobody,
					warned: []string{"\n  spec.field: ", `owned by "policy"`}, owners: []string{"spec.field: [policy]", c.memberB + ": []"}, live: c.liveABC,
				},
			)
		})
	}
}

// An atomic list or map gets owners by part. The server leaves the claims on the whole where they are
// until their managers apply again; ours moves to the parts that we declare.
func TestSchemaBecomesGranular(t *testing.T) {
	t.Parallel()
	for _, c := range schemaChanges(ownedWhole, ownedByPart) {
		t.Run(c.name(), func(t *testing.T) {
			s := story.New(t)
			declared := "field: " + c.ab
			noted := declared + ", note: ours"
			share := byApplying(s, "policy", declared)
			playSchemaChange(s, c,
				gizmoCase{
					name: "ours", before: declared, after: noted, join: nobody, leave: nobody,
					owners: []string{"spec.field: []", c.memberA + ": [k8sconnect]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "shared", before: declared, after: noted, join: share, leave: nobody,
					owners: []string{"spec.field: [policy]", c.memberA + ": [k8sconnect]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "written", before: declared, after: declared, join: share, leave: byEditing(s, "other", `{"note":"theirs"}`),
					idle: true, owners: []string{"spec.field: [k8sconnect policy]", c.memberA + ": []"}, live: c.liveAB,
				},
				gizmoCase{
					name: "joined", before: declared, after: noted, join: nobody, leave: byApplying(s, "policy", "field: "+c.bc),
					owners: []string{"spec.field: []", c.memberA + ": [k8sconnect]", c.memberB + ": [k8sconnect policy]"}, live: c.liveABC,
				},
			)
		})
	}
}

// A part that leaves the body is removed, although our claim was on the whole when the schema changed. The
// server itself would keep the part, without an owner.
func TestSchemaPartLeaves(t *testing.T) {
	t.Parallel()
	for _, c := range schemaChanges(ownedWhole, ownedByPart) {
		t.Run(c.name(), func(t *testing.T) {
			playSchemaChange(story.New(t), c,
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
	t.Parallel()
	for _, c := range schemaChanges(ownedWhole, ownedWhole) {
		t.Run(c.name(), func(t *testing.T) {
			s := story.New(t)
			declared := "field: " + c.ab
			playSchemaChange(s, c,
				gizmoCase{
					name: "shared", before: declared, after: declared + ", note: ours", join: byApplying(s, "policy", declared), leave: nobody,
					owners: []string{"spec.field: [k8sconnect policy]"}, live: c.liveAB,
				},
				gizmoCase{
					name: "written", before: declared, after: declared, join: nobody, leave: byEditing(s, "kubectl-edit", `{"field":`+c.abcd+`}`),
					warned: takenFrom("kubectl-edit"), owners: []string{"spec.field: [k8sconnect]"}, live: c.liveAB,
				},
			)
		})
	}
}

// The items of a list that gets other keys have other names from the next apply on. Their values are those of the plan, and
// nothing else is said of them.
func TestSchemaChangesKeys(t *testing.T) {
	t.Parallel()
	list := func(keys string) string {
		return "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + keys + "], items: {type: object, " +
			"required: [name, zone], properties: {name: {type: string}, zone: {type: string}, value: {type: string}}}}"
	}
	items := func(value string) string {
		return "field: [{name: a, zone: x, value: \"" + value + "\"}, {name: b, zone: z, value: \"1\"}]"
	}
	for name, keys := range map[string][2]string{
		"one becomes two": {"name", "name, zone"}, "two become one": {"name, zone", "name"}, "another one": {"name", "zone"},
	} {
		t.Run(name, func(t *testing.T) {
			s := story.New(t)
			installGizmos(s, schemaFields{"field": list(keys[0])})
			s.Run(
				resource.TestStep{Config: s.Config(gizmo("ours", items("1")))},
				resource.TestStep{
					PreConfig:        s.NextStep(func() { changeSchema(s, schemaFields{"field": list(keys[1])}) }),
					Config:           s.Config(gizmo("ours", items("2"))),
					ConfigPlanChecks: story.PlanChecks(s.ExpectNoWarning()),
					Check:            s.ExpectLiveJSON(gizmoTarget(s, "ours"), `[{"name":"a","value":"2","zone":"x"},{"name":"b","value":"1","zone":"z"}]`, "spec", "field"),
				},
				s.Noop(s.Config(gizmo("ours", items("2")))),
			)
		})
	}
}
