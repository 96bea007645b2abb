package acceptance_test

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// joinedSeed makes the same objects in every run.
const joinedSeed = 20

// joinedCases returns objects of which a field becomes atomic: what we declare of it before and after, and who else
// wrote it how, drawn by chance.
func joinedCases(s *story.Story, c schemaChange, random *rand.Rand, count int) []gizmoCase {
	specs := []string{"note: ours", "note: ours, field: " + c.ab, "note: ours, field: " + c.a}
	afters := []string{"note: changed", "note: changed, field: " + c.ab, "note: changed, field: " + c.a}
	if c.ab[0] == '[' {
		afters = append(afters, "note: changed, field: []")
	}
	joins := []func(string){
		byApplying(s, "policy", "field: "+c.bc), byApplying(s, "flux", "field: "+c.ab),
		byEditing(s, "kubectl-edit", `{"field":`+c.abcd+`}`), byEditing(s, "tuner", `{"field":`+c.liveABC+`}`), nobody,
	}
	cases := make([]gizmoCase, count)
	for i := range cases {
		first, second := joins[random.Intn(len(joins))], joins[random.Intn(len(joins))]
		cases[i] = gizmoCase{
			name:   fmt.Sprintf("drawn-%d", i),
			before: specs[random.Intn(len(specs))], after: afters[random.Intn(len(afters))],
			join: func(name string) { first(name); second(name) },
		}
	}
	return cases
}

// A field becomes atomic under objects of all kinds of owners. The plan of each has the owners that the server's
// dry-run has, and warns of the conflicts that the server has.
func TestSchemaBecomesWholeForAnybody(t *testing.T) {
	t.Parallel()
	for _, c := range schemaChanges(ownedByPart, ownedWhole) {
		if c.to.name != "atomic" {
			continue
		}
		t.Run(c.name(), func(t *testing.T) {
			s := story.New(t)
			installGizmos(s, schemaFields{"field": c.from.schema})
			cases := joinedCases(s, c, rand.New(rand.NewSource(joinedSeed)), 16)
			var plans []plancheck.PlanCheck
			for _, g := range cases {
				plans = append(plans, expectJoinedPlan(s, g))
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
					Config:            gizmoConfig(s, cases, true),
					ConfigPlanChecks:  story.PlanChecks(story.AllOf(plans)),
					ConfigStateChecks: story.StateChecks(expectGizmoState(s, cases)),
					Check:             s.ExpectNotOverwritten(),
				},
			)
		})
	}
}

// expectJoinedPlan asserts owners and conflicts of one object's plan.
func expectJoinedPlan(s *story.Story, g gizmoCase) plancheck.PlanCheck {
	return story.Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := story.PlannedAt(req, g.address())
		sent := gizmo(g.name, g.after)
		if err == nil {
			err = s.OwnersAgree(ctx, sent, p)
		}
		if err == nil {
			_, refused := s.DryRun(ctx, sent, false)
			err = s.WarningAgrees(sent, refused)
		}
		if err != nil {
			entries := s.Live(gizmoTarget(s, g.name)).GetManagedFields()
			return fmt.Errorf("%s: before {%s}, now {%s}, managedFields %v: %w", g.name, g.before, g.after, entries, err)
		}
		return nil
	})
}
