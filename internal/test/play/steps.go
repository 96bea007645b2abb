// Package play plays the steps of terraform-plugin-testing with fewer commands of the CLI, and in its hosts if they
// run. A step that applies is a plan with a refresh, an apply of that plan, and a plan that has to be empty. The JSON
// of a plan or of the state, and the plan without a refresh, are made if the step checks them. Each command has a new
// instance of each provider, as with a real CLI.
package play

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// Providers are the factories of providers by their local name.
type Providers = map[string]func() (tfprotov6.ProviderServer, error)

// Case are the steps of a test.
type Case struct {
	// Providers serve all steps. A step may have further ones.
	Providers Providers
	// Features skip the test if the CLI lacks them.
	Features []tfversion.TerraformVersionCheck
	// NoRefresh plans without a refresh.
	NoRefresh bool
	Steps     []resource.TestStep
	// BeforeLastPlan runs before the plan that ends the last step, and AfterLastPlan after it. Either may be nil.
	BeforeLastPlan func()
	AfterLastPlan  func() error
}

// Steps plays the steps in a directory of their own, and destroys at the end what they have left.
func Steps(t *testing.T, c Case) {
	t.Helper()
	p, err := newPlayer(t, c)
	if err != nil {
		t.Fatal(err)
	}
	p.skipWithout(c.Features)
	defer func() {
		if err := p.cleanUp(); err != nil {
			t.Errorf("destroy what the steps have left: %s", err)
		}
	}()
	for i := range c.Steps {
		if problem := p.expected(i); problem != nil {
			t.Fatalf("step %d of %d: %s", i+1, len(c.Steps), problem)
		}
	}
}

// expected plays a step, and returns what is not as it expects.
func (p *player) expected(i int) error {
	step := &p.Steps[i]
	if step.PreConfig != nil {
		step.PreConfig()
	}
	err := p.play(i, step)
	switch {
	case step.ExpectError == nil:
		return err
	case err == nil:
		return fmt.Errorf("no error, want one that matches %s", step.ExpectError)
	case !step.ExpectError.MatchString(err.Error()):
		return fmt.Errorf("the error does not match %s: %w", step.ExpectError, err)
	default:
		return nil
	}
}

func (p *player) play(i int, step *resource.TestStep) error {
	if unsupported(step) {
		return errors.New("the step has a mode that package play does not play")
	}
	for _, address := range step.Taint {
		if _, err := p.command("taint", address); err != nil {
			return err
		}
	}
	for name, factory := range step.ProtoV6ProviderFactories {
		p.Providers[name] = factory
	}
	if err := p.configure(step.Config); err != nil {
		return err
	}
	if step.ImportState {
		return p.importState(step)
	}
	if !step.PlanOnly {
		if err := p.apply(step); err != nil {
			return err
		}
	}
	return p.settled(i, step)
}

func unsupported(step *resource.TestStep) bool {
	return step.RefreshState || step.Query || step.ConfigDirectory != nil || step.ConfigFile != nil ||
		step.ConfigVariables != nil || step.SkipFunc != nil || step.PostApplyFunc != nil ||
		len(step.ExternalProviders) > 0 ||
		step.ImportState && (step.ImportStateVerify || step.ImportStateKind != resource.ImportCommandWithID)
}

// apply plans and applies a step, and runs its checks.
func (p *player) apply(step *resource.TestStep) error {
	if err := p.plan(step, p.refreshes()...); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	if err := p.checkPlan(step.ConfigPlanChecks.PreApply); err != nil {
		return fmt.Errorf("check of the plan: %w", err)
	}
	var before *terraform.State
	if step.Destroy && step.Check != nil {
		state, err := p.state()
		if err != nil {
			return err
		}
		before = flattened(state)
	}
	if _, err := p.command("apply", planFile); err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	return p.checkState(step, before)
}

// checkState runs the checks of a step after its apply. before is the state before a destroy that is checked, else nil.
func (p *player) checkState(step *resource.TestStep, before *terraform.State) error {
	if step.Check == nil && len(step.ConfigStateChecks) == 0 {
		return nil
	}
	state, err := p.state()
	if err != nil {
		return err
	}
	if step.Check != nil {
		if before == nil {
			before = flattened(state)
		}
		if err := step.Check(before); err != nil {
			return fmt.Errorf("check after the apply: %w", err)
		}
	}
	return p.runStateChecks(state, step.ConfigStateChecks)
}

// settled makes the plan that ends a step, and returns an error unless it is empty as the step expects.
func (p *player) settled(i int, step *resource.TestStep) error {
	checks := step.ConfigPlanChecks
	if len(checks.PostApplyPreRefresh) > 0 {
		if err := p.plan(step, noRefresh); err != nil {
			return fmt.Errorf("plan without a refresh: %w", err)
		}
		if err := p.checkPlan(checks.PostApplyPreRefresh); err != nil {
			return fmt.Errorf("check of the plan without a refresh: %w", err)
		}
	}
	isLast := i == len(p.Steps)-1
	if isLast && p.BeforeLastPlan != nil {
		p.BeforeLastPlan()
	}
	flags := p.refreshes()
	if step.Destroy && step.PreventPostDestroyRefresh {
		flags = []string{noRefresh}
	}
	err := p.plan(step, flags...)
	if err != nil {
		return fmt.Errorf("plan at the end of the step: %w", err)
	}
	if isLast && p.AfterLastPlan != nil {
		if err := p.AfterLastPlan(); err != nil {
			return fmt.Errorf("plan at the end of the step: %w", err)
		}
	}
	if err := p.checkPlan(checks.PostApplyPostRefresh); err != nil {
		return fmt.Errorf("check of the plan at the end of the step: %w", err)
	}
	if step.ExpectNonEmptyPlan != p.changes {
		return fmt.Errorf("the plan at the end of the step has changes: %t, want %t\n%s",
			p.changes, step.ExpectNonEmptyPlan, p.planned)
	}
	return nil
}

func (p *player) checkPlan(checks []plancheck.PlanCheck) error {
	if len(checks) == 0 {
		return nil
	}
	plan, err := p.savedPlan()
	if err != nil {
		return err
	}
	var problems []error
	for _, check := range checks {
		var resp plancheck.CheckPlanResponse
		check.CheckPlan(context.Background(), plancheck.CheckPlanRequest{Plan: plan}, &resp)
		problems = append(problems, resp.Error)
	}
	return errors.Join(problems...)
}
