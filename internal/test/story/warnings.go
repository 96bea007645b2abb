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
func (s *Story) Warned(texts ...string) error {
	warnings := s.Provider.Take()
	for _, warning := range warnings {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(warning, text) }) {
			return nil
		}
	}
	return fmt.Errorf("no warning has all of %q; the warnings:\n%s", texts, strings.Join(warnings, "\n---\n"))
}

// ExpectNoWarning asserts that the provider has not warned since the last look.
func (s *Story) ExpectNoWarning() plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error {
		if warnings := s.Provider.Take(); len(warnings) > 0 {
			return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
		}
		return nil
	})
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

// ExpectSilence asserts that there was no warning since the last look.
func (s *Story) ExpectSilence() resource.TestCheckFunc {
	return func(*terraform.State) error {
		if warnings := s.Provider.Take(); len(warnings) > 0 {
			return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
		}
		return nil
	}
}

// ExpectPlanSays asserts that one of the plan's warnings contains all of the strings.
func (s *Story) ExpectPlanSays(texts ...string) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings, _ := s.Provider.LastPlan()
		for _, warning := range warnings {
			if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(warning, text) }) {
				return nil
			}
		}
		return fmt.Errorf("no warning has all of %q; the warnings:\n%s", texts, strings.Join(warnings, "\n---\n"))
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
