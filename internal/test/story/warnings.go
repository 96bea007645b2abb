package story

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// ExpectWarning asserts that one warning of the plan, or of the apply before, contains all of the strings.
func (s *Story) ExpectWarning(texts ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error { return s.Warned(texts...) })
}

// Warned returns an error if no warning since the last look contains all of the strings.
func (s *Story) Warned(texts ...string) error { return warned(s.Provider.Take(), texts) }

// warned returns an error if no warning contains all of the strings.
func warned(warnings, texts []string) error {
	for _, warning := range warnings {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(warning, text) }) {
			return nil
		}
	}
	return fmt.Errorf("no warning has all of %q; the warnings:\n%s", texts, strings.Join(warnings, "\n---\n"))
}

// ExpectWarnings asserts that there were as many warnings since the last look as there are strings, and that each
// string is in one of them.
func (s *Story) ExpectWarnings(texts ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings := s.Provider.Take()
		if len(warnings) != len(texts) {
			return fmt.Errorf("got %d warnings, want %d:\n%s", len(warnings), len(texts),
				strings.Join(warnings, "\n---\n"))
		}
		for _, text := range texts {
			if !slices.ContainsFunc(warnings, func(warning string) bool { return strings.Contains(warning, text) }) {
				return fmt.Errorf("no warning has %q:\n%s", text, strings.Join(warnings, "\n---\n"))
			}
		}
		return nil
	})
}

// ExpectNoWarning asserts that the provider has not warned since the last look.
func (s *Story) ExpectNoWarning() plancheck.PlanCheck { return s.ExpectNoWarningBut() }

// ExpectNoWarningBut asserts that the provider has not warned since the last look, apart from warnings that contain one
// of the strings.
func (s *Story) ExpectNoWarningBut(texts ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error { return s.silent(texts) })
}

// silent returns an error if there was a warning since the last look that contains none of the strings.
func (s *Story) silent(but []string) error {
	warnings := slices.DeleteFunc(s.Provider.Take(), func(warning string) bool {
		return slices.ContainsFunc(but, func(text string) bool { return strings.Contains(warning, text) })
	})
	if len(warnings) > 0 {
		return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
	}
	return nil
}

// NextStep returns a function that runs other managers' writes before a step and forgets the warnings of earlier steps.
func (s *Story) NextStep(writes ...func()) func() {
	return func() {
		for _, write := range writes {
			write()
		}
		s.Provider.Take()
	}
}

// ExpectOnlyWarning asserts that there was one warning since the last look, and that it contains all of the strings.
func (s *Story) ExpectOnlyWarning(texts ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error { return s.warnedOnly(texts) })
}

func (s *Story) warnedOnly(texts []string) error {
	warnings := s.Provider.Take()
	if len(warnings) != 1 {
		return fmt.Errorf("got %d warnings, want one:\n%s", len(warnings), strings.Join(warnings, "\n---\n"))
	}
	for _, text := range texts {
		if !strings.Contains(warnings[0], text) {
			return fmt.Errorf("the warning does not have %q:\n%s", text, warnings[0])
		}
	}
	return nil
}

// ExpectRepeated asserts that the warnings of an apply, with all of the strings, only repeat those of its plan:
// Terraform plans again while it applies.
func (s *Story) ExpectRepeated(texts ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return s.warnedOnly(texts) }
}

// ExpectSilence asserts that there was no warning since the last look, apart from those that contain one of the
// strings.
func (s *Story) ExpectSilence(but ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return s.silent(but) }
}

// ExpectPlanSays asserts that one of the plan's warnings contains all of the strings.
func (s *Story) ExpectPlanSays(texts ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings, _ := s.Provider.LastPlan()
		return warned(warnings, texts)
	})
}

// ExpectOverwritten asserts that the apply warned once that it overwrote exactly these fields, or did not warn
// if none are named.
func (s *Story) ExpectOverwritten(fields ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		warnings := s.Provider.Take()
		var named []string
		for line := range strings.Lines(strings.Join(warnings, "\n")) {
			if field, _, found := strings.Cut(strings.TrimSpace(line), ", written by "); found {
				field, _, _ = strings.Cut(field, `: "`)
				named = append(named, field)
			}
		}
		slices.Sort(named)
		if len(warnings) != min(1, len(fields)) || !slices.Equal(slices.Compact(named), fields) {
			return fmt.Errorf("want one warning about %q, got:\n%s", fields, strings.Join(warnings, "\n---\n"))
		}
		return nil
	}
}

// ExpectNotOverwritten asserts that no apply reported a field that other managers wrote since its plan.
func (s *Story) ExpectNotOverwritten() resource.TestCheckFunc {
	return func(*terraform.State) error {
		warnings := s.Provider.Take()
		for _, warning := range warnings {
			if strings.HasPrefix(warning, "Object Changed During Apply") {
				return fmt.Errorf("unexpected warning:\n%s", warning)
			}
		}
		return nil
	}
}
