package acceptance_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// gizmoCase is one object of a story in which the schema of spec.field changes.
type gizmoCase struct {
	name string
	// before and after are the specs that the configuration has before and after the change.
	before, after string
	// join is what other managers do before the schema changes, leave what they do after it.
	join, leave func(name string)
	// warned are texts of the one warning of the plan after the change; none for no warning.
	warned []string
	// idle is true if nothing is to be done after the change.
	idle bool
	// owners are expected of paths after the apply, each as "path: [a b]"; [] is nobody.
	owners []string
	// live is spec.field as JSON after the apply.
	live string
}

func (g gizmoCase) address() string { return "k8sconnect_manifest." + g.name }

// gizmoConfig has one resource for each case, as before or after the change.
func gizmoConfig(s *story.Story, cases []gizmoCase, changed bool) string {
	text := s.ProviderBlock()
	for _, g := range cases {
		spec := g.before
		if changed {
			spec = g.after
		}
		text += s.Manifest(g.name, gizmo(g.name, spec))
	}
	return text
}

// expectGizmoPlan asserts that the plan of an object is the server's own: nothing where nothing is to be
// done, and otherwise the owners that its dry-run gives each field, at either level.
func expectGizmoPlan(s *story.Story, g gizmoCase) plancheck.PlanCheck {
	if g.idle {
		return plancheck.ExpectResourceAction(g.address(), plancheck.ResourceActionNoop)
	}
	return story.Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		p, err := story.PlannedAt(req, g.address())
		if err == nil {
			err = s.OwnersAgree(ctx, gizmo(g.name, g.after), p)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		return nil
	})
}

// expectGizmoWarnings asserts that there is one warning for each object of which one is expected, with the
// texts that are, and no other.
func expectGizmoWarnings(s *story.Story, cases []gizmoCase) plancheck.PlanCheck {
	return story.Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings := s.Provider.Take()
		var faults []string
		for _, g := range cases {
			said := warningsAbout(s, g.name, warnings)
			if len(g.warned) == 0 {
				if len(said) > 0 {
					faults = append(faults, fmt.Sprintf("%s: unexpected warnings:\n%s", g.name, strings.Join(said, "\n---\n")))
				}
				continue
			}
			faults = append(faults, lacking(g.name, said, g.warned)...)
		}
		return story.FaultsError(faults)
	})
}

// lacking says what the one warning about an object should have and does not.
func lacking(name string, said, texts []string) []string {
	if len(said) != 1 {
		return []string{fmt.Sprintf("%s: got %d warnings, want one with %q:\n%s", name, len(said), texts, strings.Join(said, "\n---\n"))}
	}
	var faults []string
	for _, text := range texts {
		if !strings.Contains(said[0], text) {
			faults = append(faults, fmt.Sprintf("%s: the warning does not have %q:\n%s", name, text, said[0]))
		}
	}
	return faults
}

// warningsAbout returns the warnings that name a Gizmo.
func warningsAbout(s *story.Story, name string, warnings []string) []string {
	var about []string
	for _, warning := range warnings {
		if strings.Contains(warning, s.Expand("Gizmo NS/"+name+" ")) {
			about = append(about, warning)
		}
	}
	return about
}

// expectGizmoState asserts that the state after the apply has the owners that the server has, which is
// what the plan showed, and those that the case expects.
func expectGizmoState(s *story.Story, cases []gizmoCase) statecheck.StateCheck {
	return story.AllStates(func(attributes map[string]map[string]any) error {
		var faults []string
		for _, g := range cases {
			claims, err := ownership.Parse(s.Live(gizmoTarget(s, g.name)).GetManagedFields())
			if err != nil {
				return err
			}
			view := claims.CoOwners(claims.Formatter()).Flatten(ownership.View{})
			live := map[string]string{}
			for field, owner := range view.FieldOwnership {
				live[field] = "[" + owner + "]"
				if names := view.CoOwners[field]; names != nil {
					live[field] = fmt.Sprint(names)
				}
			}
			shown := map[string]string{}
			for field, names := range story.OwnersOf(attributes[g.address()]) {
				shown[field] = "[" + names + "]"
			}
			if diff := cmp.Diff(live, shown); diff != "" {
				faults = append(faults, fmt.Sprintf("%s: owners (-server +state):\n%s", g.name, diff))
			}
			faults = append(faults, g.unexpectedOwners(live)...)
		}
		return story.FaultsError(faults)
	})
}

func (g gizmoCase) unexpectedOwners(live map[string]string) []string {
	var faults []string
	for _, want := range g.owners {
		path, names, _ := strings.Cut(want, ": ")
		got, has := live[path]
		if !has {
			got = "[]"
		}
		if got != names {
			faults = append(faults, fmt.Sprintf("%s: %s is owned by %s, want %s", g.name, path, got, names))
		}
	}
	return faults
}

// expectGizmosLive asserts the live value of spec.field of each object.
func expectGizmosLive(s *story.Story, cases []gizmoCase) resource.TestCheckFunc {
	var all []resource.TestCheckFunc
	for _, g := range cases {
		all = append(all, s.ExpectLiveJSON(gizmoTarget(s, g.name), g.live, "spec", "field"))
	}
	return resource.ComposeAggregateTestCheckFunc(all...)
}
