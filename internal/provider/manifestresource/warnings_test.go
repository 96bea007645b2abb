package manifestresource_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// expectWarning asserts that the plan, or the apply before, warned with all of the texts in one warning.
func (s *story) expectWarning(texts ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error { return s.warned(texts...) })
}

func (s *story) warned(texts ...string) error {
	warnings, _ := s.provider.take()
	for _, warning := range warnings {
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(warning, text) }) {
			return nil
		}
	}
	return fmt.Errorf("no warning has all of %q; the warnings:\n%s", texts, strings.Join(warnings, "\n---\n"))
}

// expectNoWarning asserts that there was none since the last look.
func (s *story) expectNoWarning() plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error {
		if warnings, _ := s.provider.take(); len(warnings) > 0 {
			return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
		}
		return nil
	})
}

// anew runs others' writes before a step and forgets the warnings of earlier steps.
func (s *story) anew(writes ...func()) func() {
	return func() {
		for _, write := range writes {
			write()
		}
		s.provider.take()
	}
}

// expectOnlyWarning asserts that there was one warning since the last look, and that it has all of texts.
func (s *story) expectOnlyWarning(texts ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error { return s.warnedOnly(texts) })
}

func (s *story) warnedOnly(texts []string) error {
	warnings, _ := s.provider.take()
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

// expectRepeated asserts that an apply warned of nothing but of what its plan warned of, with all of texts:
// Terraform plans again while it applies.
func (s *story) expectRepeated(texts ...string) resource.TestCheckFunc {
	return func(*terraform.State) error { return s.warnedOnly(texts) }
}

// expectSilence asserts that there was no warning since the last look.
func (s *story) expectSilence() resource.TestCheckFunc {
	return func(*terraform.State) error {
		if warnings, _ := s.provider.take(); len(warnings) > 0 {
			return fmt.Errorf("unexpected warnings:\n%s", strings.Join(warnings, "\n---\n"))
		}
		return nil
	}
}

// expectPlanSays asserts that one of the plan's warnings has all of the texts.
func (s *story) expectPlanSays(texts ...string) plancheck.PlanCheck {
	return check(func(context.Context, plancheck.CheckPlanRequest) error {
		warnings, _ := s.provider.lastPlan()
		for _, warning := range warnings {
			if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(warning, text) }) {
				return nil
			}
		}
		return fmt.Errorf("no warning has all of %q; the warnings:\n%s", texts, strings.Join(warnings, "\n---\n"))
	})
}

// expectOverwritten asserts that the apply warned once, of having overwritten exactly these fields, or not
// at all if none are named.
func (s *story) expectOverwritten(fields ...string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		warnings, _ := s.provider.take()
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

// expectNotOverwritten asserts that no apply reported a field that others wrote since its plan.
func (s *story) expectNotOverwritten() resource.TestCheckFunc {
	return func(*terraform.State) error {
		warnings, _ := s.provider.take()
		for _, warning := range warnings {
			if strings.HasPrefix(warning, "Object Changed During Apply") {
				return fmt.Errorf("unexpected warning:\n%s", warning)
			}
		}
		return nil
	}
}
