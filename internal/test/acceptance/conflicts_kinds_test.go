package acceptance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// kindCase is a Gadget whose spec.free.cfg has a value of one kind, written by others, and becomes a value of
// another kind.
type kindCase struct {
	name string
	// before and after are spec.free.cfg in our body, "" for none.
	before, after string
	write         func(target string)
}

func (c kindCase) address() string { return "k8sconnect_manifest." + c.name }

// body returns the Gadget with one of the values.
func (c kindCase) body(cfg string) string {
	spec := "size: 1"
	if cfg != "" {
		spec += ", free: {cfg: " + cfg + "}"
	}
	return "{apiVersion: NS.example.com/v1, kind: Gadget, metadata: {name: " + c.name + ", namespace: NS}, spec: {" + spec + "}}"
}

// kindCases returns all values over each other, by writers in turn; before is {x: 1} where that is another case.
func kindCases(s *story.Story) []kindCase {
	values := []string{`"text"`, `[1]`, `[]`, `{"x": 1}`, `{"x": {"y": 1}, "z": 2}`, `{}`}
	writers := []string{"update", "apply", "both"}
	var cases []kindCase
	for i, theirs := range values {
		for j, ours := range values {
			name, write := fmt.Sprintf("v%d-%d", i, j), kindWriters(s, theirs)
			cases = append(cases, kindCase{name: name, after: ours, write: write[writers[(i+j)%len(writers)]]})
			if i < 3 || j < 3 {
				by := writers[(i+j+1)%len(writers)]
				cases = append(cases, kindCase{name: name + "-again", before: `{"x": 1}`, after: ours, write: write[by]})
			}
		}
	}
	return cases
}

// kindWriters returns other clients that give spec.free.cfg a value, each in another way.
func kindWriters(s *story.Story, value string) map[string]func(target string) {
	patch := `{"spec":{"free":{"cfg":` + value + `}}}`
	return map[string]func(string){
		"update": func(target string) { s.As("operator").Patch(target, patch) },
		"apply": func(target string) {
			_, _, name := s.Split(target)
			s.As("flux").Apply(`{"apiVersion":"NS.example.com/v1","kind":"Gadget","metadata":{"name":"` + name + `","namespace":"NS"},` + patch[1:])
		},
		"both": func(target string) {
			s.As("operator").Patch(target, patch)
			if strings.HasPrefix(value, "{") {
				s.As("tuner").Patch(target, `{"spec":{"free":{"cfg":{"own":"part"}}}}`)
			}
		},
	}
}

func kindConfig(s *story.Story, cases []kindCase, value func(kindCase) string) string {
	text := s.ProviderBlock()
	for _, c := range cases {
		text += s.Manifest(c.name, c.body(value(c)))
	}
	return text
}

// A value without a schema becomes one of another kind: a text a map, a map a list, and so on. The plan says
// who loses which field, and agrees with the server.
func TestValueOfAnotherKind(t *testing.T) {
	s := story.New(t)
	s.InstallGadgets()
	cases := kindCases(s)
	plans := make([]plancheck.PlanCheck, 0, 2*len(cases))
	for _, c := range cases {
		plans = append(plans, expectKindPlan(s, c))
	}
	s.Run(
		resource.TestStep{Config: kindConfig(s, cases, func(c kindCase) string { return c.before })},
		resource.TestStep{
			PreConfig: s.NextStep(func() {
				for _, c := range cases {
					c.write(s.Expand("NS.example.com/v1 Gadget " + c.name))
				}
			}),
			Config:           kindConfig(s, cases, func(c kindCase) string { return c.after }),
			ConfigPlanChecks: story.PlanChecks(story.AllOf(plans)),
			Check:            s.ExpectNotOverwritten(),
		},
	)
}

// expectKindPlan asserts that the plan of a case is the server's own, and tells every loss.
func expectKindPlan(s *story.Story, c kindCase) plancheck.PlanCheck {
	return story.Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		var resp plancheck.CheckPlanResponse
		s.ExpectPredictionAt(c.address(), c.body(c.after)).CheckPlan(ctx, req, &resp)
		err := resp.Error
		if err == nil {
			err = lossesReported(ctx, s, c.body(c.after))
		}
		if err != nil {
			live := s.Live(s.Expand("NS.example.com/v1 Gadget " + c.name))
			return fmt.Errorf("%s: before %q, live %v, now %q: %w", c.name, c.before, live.Object["spec"], c.after, err)
		}
		return nil
	})
}

// lossesReported reports whether the last plan's warning has a line for each field that others would lose by an
// apply of this body, as the server's dry-run has it. The keys of list items are left out.
func lossesReported(ctx context.Context, s *story.Story, sent string) error {
	object := s.Parse(sent)
	live := s.Live(fmt.Sprintf("%s %s %s", object.GetAPIVersion(), object.GetKind(), object.GetName()))
	before, err := ownership.Parse(live.GetManagedFields())
	if err != nil {
		return err
	}
	result, err := s.DryRun(ctx, sent, true)
	if err != nil {
		return err
	}
	after, err := ownership.Parse(result.GetManagedFields())
	if err != nil {
		return err
	}
	warnings, _ := s.Provider.LastPlan()
	told := strings.Join(slices.DeleteFunc(warnings, func(warning string) bool {
		return !strings.Contains(warning, object.GetName()+" (")
	}), "\n")
	lost := paths.NewSet()
	for _, claim := range before.Others("k8sconnect") {
		lost = lost.Union(claim.Fields.Difference(heldBy(after, claim.Manager)))
	}
	var faults []string
	paths.Walk(lost.Leaves(), func(path paths.Path, _ bool) {
		if text := "\n  " + paths.Format(path) + ": "; !strings.Contains(told, text) && !paths.IsKeyField(path) {
			faults = append(faults, fmt.Sprintf("nothing tells that others lose %s; told was:\n%s", paths.Format(path), told))
		}
	})
	return story.FaultsError(faults)
}

// heldBy returns what a manager holds.
func heldBy(claims ownership.Claims, manager ownership.Manager) *paths.Set {
	for _, claim := range claims {
		if claim.Manager == manager {
			return claim.Fields
		}
	}
	return paths.NewSet()
}
