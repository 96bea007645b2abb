package story

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// Check is a function that implements plancheck.PlanCheck.
type Check func(context.Context, plancheck.CheckPlanRequest) error

// CheckPlan implements plancheck.PlanCheck.
func (c Check) CheckPlan(ctx context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	resp.Error = c(ctx, req)
}

// PlanChecks joins checks of the plan that run before the apply.
func PlanChecks(all ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: all}
}

// WithoutRefresh makes a step plan without a refresh, too, before the plan that ends it.
func WithoutRefresh() resource.ConfigPlanChecks {
	planned := Check(func(context.Context, plancheck.CheckPlanRequest) error { return nil })
	return resource.ConfigPlanChecks{PostApplyPreRefresh: []plancheck.PlanCheck{planned}}
}

// AllOf runs all checks, and fails with all their errors.
func AllOf(all []plancheck.PlanCheck) plancheck.PlanCheck {
	return Check(func(ctx context.Context, req plancheck.CheckPlanRequest) error {
		var faults []string
		for _, one := range all {
			var resp plancheck.CheckPlanResponse
			if one.CheckPlan(ctx, req, &resp); resp.Error != nil {
				faults = append(faults, resp.Error.Error())
			}
		}
		return FaultsError(faults)
	})
}

// FaultsError returns one error with all faults, or nil without faults.
func FaultsError(faults []string) error {
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(faults, "\n"))
}

// Meanwhile runs other managers' writes between the plan and the apply of the saved plan.
func Meanwhile(write func()) plancheck.PlanCheck {
	return Check(func(context.Context, plancheck.CheckPlanRequest) error {
		write()
		return nil
	})
}

// WhileApplying runs other managers' writes one after another, each after a pause, as soon as the provider begins to
// apply.
func (s *Story) WhileApplying(pause time.Duration, writes ...func()) plancheck.PlanCheck {
	return Meanwhile(func() {
		s.Provider.BeforeApply(func() {
			go func() {
				for _, write := range writes {
					time.Sleep(pause)
					write()
				}
			}()
		})
	})
}

// OnceWatched runs other managers' writes, with a pause after each, as soon as the apply watches objects of a resource,
// such as "configmaps".
func (s *Story) OnceWatched(resource string, pause time.Duration, writes ...func()) plancheck.PlanCheck {
	return Meanwhile(func() {
		s.OnceSent(1, "watch "+resource, func() {
			for _, write := range writes {
				write()
				time.Sleep(pause)
			}
		})
	})
}

// StateChecks joins checks of the state after the apply.
func StateChecks(all ...statecheck.StateCheck) []statecheck.StateCheck { return all }

// LiveChecks joins checks of live objects.
func LiveChecks(all ...resource.TestCheckFunc) resource.TestCheckFunc {
	return resource.ComposeTestCheckFunc(all...)
}

// Eventually asserts that a condition holds some time after the apply, after controllers have done their work.
func Eventually(what string, holds func() bool) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(pollInterval) {
			if holds() {
				return nil
			}
		}
		return errors.New("never: " + what)
	}
}

const (
	patience     = 3 * time.Minute
	pollInterval = 100 * time.Millisecond
)

// Await waits as Eventually does, in the middle of a step or between commands.
func (s *Story) Await(what string, holds func() bool) {
	s.T.Helper()
	Must(s.T, Eventually(what, holds)(nil))
}

var atMost = regexp.MustCompile(`≤[2-9]s`)

// Saying returns an expression that matches an error with all of these strings, in this order, regardless of line
// breaks. A word like ≤5s matches 0s to 9s: what is left of a timeout for a wait depends on the requests before it.
func Saying(texts ...string) *regexp.Regexp {
	parts := make([]string, len(texts))
	for i, text := range texts {
		words := strings.Fields(text)
		for j, word := range words {
			words[j] = atMost.ReplaceAllString(regexp.QuoteMeta(word), "[0-9]s")
		}
		parts[i] = strings.Join(words, `[\s│]+`)
	}
	return regexp.MustCompile(`(?s)` + strings.Join(parts, `.*`))
}

// ExpectRedacted asserts that none of the secrets, in clear or in base64, is in the plan outside yaml_body, nor in the
// provider's messages in the whole story.
func (s *Story) ExpectRedacted(secrets ...string) plancheck.PlanCheck {
	return Check(func(_ context.Context, req plancheck.CheckPlanRequest) error {
		p, err := PlannedOf(req)
		if err != nil {
			return err
		}
		return s.CheckRedacted(secrets, p.Before, p.After)
	})
}

// ExpectStateRedacted does what [Story.ExpectRedacted] does, for the state.
func (s *Story) ExpectStateRedacted(secrets ...string) statecheck.StateCheck {
	return StateCheck(func(attributes map[string]any) error { return s.CheckRedacted(secrets, attributes) })
}

// CheckRedacted returns an error if one of the secrets is in attributes other than yaml_body, or in a message of the
// provider.
func (s *Story) CheckRedacted(secrets []string, attributes ...map[string]any) error {
	texts := s.Provider.Everything()
	for _, side := range attributes {
		for name, value := range side {
			if name == "yaml_body" {
				continue
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				return err
			}
			texts = append(texts, name+" = "+string(encoded))
		}
	}
	for _, text := range texts {
		for _, secret := range secrets {
			if strings.Contains(text, secret) ||
				strings.Contains(text, base64.StdEncoding.EncodeToString([]byte(secret))) {
				return fmt.Errorf("%q is disclosed by: %s", secret, text)
			}
		}
	}
	return nil
}
