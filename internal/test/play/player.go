package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/clihost"
)

// player plays the steps of a case in its directory.
type player struct {
	Case
	t   *testing.T
	cli testcluster.CLI
	dir string
	// planned is what the CLI has printed of the last plan, and changes is true if that plan was not empty.
	planned string
	changes bool
}

func newPlayer(t *testing.T, c Case) (*player, error) {
	t.Helper()
	cli, err := testcluster.TerraformCLI(t.Context(), os.Stderr)
	if err != nil {
		return nil, err
	}
	c.Providers = maps.Clone(c.Providers)
	return &player{Case: c, t: t, cli: cli, dir: t.TempDir()}, nil
}

// skipWithout skips the test if the CLI lacks a feature.
func (p *player) skipWithout(features []tfversion.TerraformVersionCheck) {
	p.t.Helper()
	if len(features) == 0 {
		return
	}
	number, err := p.cli.Version(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	parsed, err := version.NewVersion(number)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, feature := range features {
		var resp tfversion.CheckTerraformVersionResponse
		asked := tfversion.CheckTerraformVersionRequest{TerraformVersion: parsed}
		feature.CheckTerraformVersion(p.t.Context(), asked, &resp)
		if resp.Error != nil {
			p.t.Fatal(resp.Error)
		}
		if resp.Skip != "" {
			p.t.Skip(resp.Skip)
		}
	}
}

const (
	configurationFile = "main.tf"
	planFile          = "tfplan"
	noRefresh         = "-refresh=false"
)

// configure writes a configuration, which need not name the sources of the providers.
func (p *player) configure(configuration string) error {
	var sources strings.Builder
	for name := range p.Providers {
		fmt.Fprintf(&sources, "    %s = { source = %q }\n", name, p.address(name))
	}
	requires := "terraform {\n  required_providers {\n" + sources.String() + "  }\n}\n"
	if strings.Contains(configuration, "required_providers") {
		requires = ""
	}
	return os.WriteFile(filepath.Join(p.dir, configurationFile), []byte(requires+configuration), 0o600)
}

func (p *player) address(name string) string { return p.cli.ProviderHost() + "/hashicorp/" + name }

func (p *player) refreshes() []string {
	if p.NoRefresh {
		return []string{noRefresh}
	}
	return nil
}

// commandError is the error of a command with a bad exit code. Its message is what the CLI printed as errors.
type commandError struct {
	command string
	testcluster.Printed
}

func (e commandError) Error() string {
	return fmt.Sprintf("%s ended with exit code %d:\n%s", e.command, e.Code, e.Stderr)
}

// command runs a command of the CLI and returns what it has printed. A bad exit code is a commandError.
func (p *player) command(name string, args ...string) (testcluster.Printed, error) {
	// A step that has failed is cleaned up after, when the context of the test has ended.
	ctx, cancel := context.WithCancel(context.WithoutCancel(p.t.Context()))
	defer cancel()
	providers, err := p.serve(ctx)
	if err != nil {
		return testcluster.Printed{}, err
	}
	defer providers.stop()
	flags := []string{name, "-no-color"}
	if name != "show" && name != "taint" {
		flags = append(flags, "-input=false")
	}
	printed, err := p.cli.Run(ctx, clihost.Command{
		Dir: p.dir, Args: append(flags, args...), Env: append(os.Environ(), "TF_IN_AUTOMATION=1", providers.variable),
	})
	if err == nil && printed.Code == 1 {
		err = commandError{name, printed}
	}
	return printed, err
}

// plan makes a plan of the configuration and saves it.
func (p *player) plan(step *resource.TestStep, flags ...string) error {
	args := append([]string{"-out=" + planFile, "-detailed-exitcode"}, flags...)
	if step.Destroy {
		args = append(args, "-destroy")
	}
	printed, err := p.command("plan", args...)
	p.planned, p.changes = printed.Stdout, printed.Code == 2
	return err
}

func (p *player) savedPlan() (*tfjson.Plan, error) {
	printed, err := p.command("show", "-json", planFile)
	if err != nil {
		return nil, fmt.Errorf("show the plan: %w", err)
	}
	var plan tfjson.Plan
	plan.UseJSONNumber(true)
	return &plan, json.Unmarshal([]byte(printed.Stdout), &plan)
}

func (p *player) state() (*tfjson.State, error) {
	printed, err := p.command("show", "-json")
	if err != nil {
		return nil, fmt.Errorf("show the state: %w", err)
	}
	var state tfjson.State
	state.UseJSONNumber(true)
	return &state, json.Unmarshal([]byte(printed.Stdout), &state)
}

func (p *player) runStateChecks(state *tfjson.State, checks []statecheck.StateCheck) error {
	var problems []error
	for _, check := range checks {
		var resp statecheck.CheckStateResponse
		check.CheckState(context.Background(), statecheck.CheckStateRequest{State: state}, &resp)
		problems = append(problems, resp.Error)
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("check of the state: %w", err)
	}
	return nil
}

// importState imports an object into the state by the command of the CLI.
func (p *player) importState(step *resource.TestStep) error {
	if _, err := p.command("import", step.ResourceName, step.ImportStateId); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	state, err := p.state()
	if err != nil || step.ImportStateCheck == nil {
		return err
	}
	return step.ImportStateCheck(instances(flattened(state)))
}

// cleanUp destroys what is in the state.
func (p *player) cleanUp() error {
	text, err := os.ReadFile(filepath.Join(p.dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var state struct{ Resources []json.RawMessage }
	if err := json.Unmarshal(text, &state); err != nil {
		return err
	}
	if len(state.Resources) == 0 {
		return nil
	}
	_, err = p.command("apply", "-destroy", "-auto-approve", noRefresh)
	return err
}
