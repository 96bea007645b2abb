package worlds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// usualCLITurns is how many steps the worlds that a CLI plays have in all.
const usualCLITurns = 20

// A CLI plans and applies all resources of a world at once, and each plan passes its own checks of a provider. Another CLI
// than the usual one plays the same worlds: K8SCONNECT_TEST_CLI names it.
func TestWorldsOfACLI(t *testing.T) {
	stage := newStage(t)
	installRules(t)
	playTurns(t, usualCLITurns, sharedKinds, func(t *testing.T, k kind, seed, world uint64, played *counts) (*finding, string, error) {
		t.Helper()
		script := newScript(k, seed, world)
		err := stage.playCLI(t, k, script, played)
		var found *finding
		if errors.As(err, &found) && !testing.Short() {
			script.turns, found = shrink(script.turns, found, func(t turn) int { return t.number }, func(shorter []turn) error {
				again := script
				again.turns = shorter
				return stage.playCLI(t, k, again, &counts{})
			})
		}
		return found, script.String(), err
	})
}

// cliWorld is a world of several resources that a CLI plans and applies.
type cliWorld struct {
	*several
	work *workdir.Workdir
	// managed are the resources in the state.
	managed []bool
}

// playCLI plays a script in a namespace and a directory of its own, and in the end destroys all patches.
func (s *stage) playCLI(t *testing.T, k kind, all script, played *counts) error {
	t.Helper()
	ctx := t.Context()
	provider, err := workdir.Shared()
	if err != nil {
		return err
	}
	cli, err := testcluster.TerraformCLI(ctx, os.Stderr)
	if err != nil {
		return err
	}
	work, err := workdir.New(t.TempDir(), provider, cli)
	if err != nil {
		return err
	}
	work.InHost = true
	return s.withSeveral(ctx, k, all, played, func(v *several) error {
		// It knows the schemas of the resources.
		if v.planner, err = newRunWith(ctx, "k8sconnect_patch", v.connection); err != nil {
			return err
		}
		c := &cliWorld{several: v, work: work, managed: make([]bool, len(all.manners))}
		for _, t := range all.toTheEnd() {
			if err := c.play(ctx, t); err != nil {
				return err
			}
		}
		return nil
	})
}

// play returns a *finding where a promise does not hold, and another error where the test itself fails.
func (c *cliWorld) play(ctx context.Context, t turn) error {
	c.counts.steps++
	at := step{number: t.number}
	if err := c.writeAll(ctx, t.before); err != nil {
		return err
	}
	rewritesFirst := t.rule == rewrites && c.rule != rewrites
	if !t.isLate {
		if err := c.obey(ctx, t.rule); err != nil {
			return err
		}
	}
	if err := c.configureAll(ctx, t); err != nil {
		return err
	}
	errs, err := c.command(ctx, "plan", "-out=saved")
	if err != nil {
		return err
	}
	if len(errs) > 0 {
		c.counts.refused++
		return c.judge(ctx, t, "a plan fails for a reason only", errs)
	}
	if err := c.writeAll(ctx, t.between); err != nil {
		return err
	}
	c.switches = (c.rule == rewrites) != (t.rule == rewrites)
	if err := c.obey(ctx, t.rule); err != nil {
		return err
	}
	c.counts.applies++
	if errs, err = c.command(ctx, "apply", "saved"); err != nil {
		return err
	}
	if err := c.noteManaged(ctx); err != nil {
		return err
	}
	if len(errs) > 0 {
		c.counts.failed++
		return c.judge(ctx, t, "a plan that passed does not fail in the apply", errs)
	}
	if t.isDisturbed() || rewritesFirst {
		return nil
	}
	printed, code, err := c.work.Run(ctx, "plan", "-detailed-exitcode")
	isHidden := slices.ContainsFunc(t.order, func(n int) bool { return c.hidesAll(n, t.leases[n]) })
	if err != nil || code == 1 && isHidden && overlaps(inUnits(t.leases)) || code == 0 {
		return err
	}
	return broke(at, "the plan after an apply is empty", printed)
}

// ofTheCLI are the first words of errors of the CLI about a provider.
var ofTheCLI = []string{"Provider produced", "Provider returned", "Plugin did not respond", "Request cancelled", "Missing Resource"}

// judge returns a *finding for errors that have no reason, and for those of the CLI about the provider itself.
func (c *cliWorld) judge(ctx context.Context, t turn, rule string, errs []cliError) error {
	for _, e := range errs {
		at := step{number: t.number}
		text := e.Summary + "\n" + e.Detail
		if slices.ContainsFunc(ofTheCLI, func(words string) bool { return strings.HasPrefix(e.Summary, words) }) {
			if c.switches && strings.Contains(text, "inconsistent final plan") {
				continue // The policy that rewrites values has come or gone since the plan, and the next plan is right.
			}
			return broke(at, "the CLI has no complaint about the provider", text)
		}
		n := slices.IndexFunc(c.tenants, func(one *tenant) bool { return strings.HasSuffix(e.Address, c.address(one)) })
		isReasonable := t.isDisturbed() || c.isRuled(errors.New(text)) || strings.HasPrefix(text, "Field Managed Twice") && c.hidesSome(t)
		if !isReasonable && (n < 0 || !c.isReasonable(ctx, t, n, text)) {
			return broke(at, rule, e.Address+": "+text)
		}
	}
	return nil
}

// address returns the address of a resource.
func (c *cliWorld) address(one *tenant) string {
	return fmt.Sprintf("%s.tenant%d", one.resourceType(), slices.Index(c.tenants, one))
}

// cliError is an error that a CLI prints.
type cliError struct{ Severity, Summary, Detail, Address string }

// command runs a command of the CLI, and returns the errors that it prints.
func (c *cliWorld) command(ctx context.Context, name string, args ...string) ([]cliError, error) {
	printed, code, err := c.work.Run(ctx, append([]string{name, "-json"}, args...)...)
	if err != nil || code == 0 {
		return nil, err
	}
	var errs []cliError
	for line := range strings.Lines(printed) {
		var message struct{ Diagnostic cliError }
		if json.Unmarshal([]byte(line), &message) == nil && message.Diagnostic.Severity == "error" {
			errs = append(errs, message.Diagnostic)
		}
	}
	if len(errs) == 0 {
		return nil, fmt.Errorf("%s ends with code %d:\n%s", name, code, printed)
	}
	return errs, nil
}

// noteManaged asks which resources are in the state.
func (c *cliWorld) noteManaged(ctx context.Context) error {
	printed, _, err := c.work.Run(ctx, "state", "list")
	for n, one := range c.tenants {
		c.managed[n] = slices.Contains(strings.Fields(printed), c.address(one))
	}
	return err
}

// configureAll writes the configuration of a turn, after it has taken resources that leave out of the state.
func (c *cliWorld) configureAll(ctx context.Context, t turn) error {
	resources, imports := map[string]map[string]any{}, []any{}
	later := map[string]any{}
	for n, one := range c.tenants {
		lease := t.leases[n]
		if lease.leaves && c.managed[n] {
			if printed, code, err := c.work.Run(ctx, "state", "rm", c.address(one)); err != nil || code != 0 {
				return errors.Join(err, errors.New(printed))
			}
			c.managed[n] = false
		}
		if !lease.present {
			continue
		}
		run := c.planner.of(one.resourceType())
		first, err := c.configure(run, n, lease, true)
		if err != nil {
			return err
		}
		known, err := c.configure(run, n, lease, false)
		if err != nil {
			return err
		}
		if resources[run.resourceType] == nil {
			resources[run.resourceType] = map[string]any{}
		}
		resources[run.resourceType][fmt.Sprintf("tenant%d", n)] = withoutNulls(written(first, known, t.number, later))
		if lease.arrives && one.manner == whole && !c.managed[n] {
			imports = append(imports, map[string]any{"to": c.address(one), "id": c.importID()})
		}
	}
	if len(later) > 0 {
		resources["terraform_data"] = later
	}
	connection := map[string]any{}
	for name, value := range c.connection {
		connection[name] = written(value, value, 0, nil)
	}
	config := map[string]any{
		"terraform": map[string]any{"required_providers": map[string]any{"k8sconnect": map[string]any{"source": "k8sconnect/k8sconnect"}}},
		"provider":  map[string]any{"k8sconnect": map[string]any{"cluster": withoutNulls(connection)}},
	}
	if len(resources) > 0 {
		config["resource"] = resources
	}
	if len(imports) > 0 {
		config["import"] = imports
	}
	text, err := json.Marshal(config)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.work.Dir, "main.tf.json"), text, 0o600)
}

// withoutNulls returns the arguments that are set.
func withoutNulls(arguments any) map[string]any {
	set := map[string]any{}
	all, _ := arguments.(map[string]any)
	for name, value := range all {
		if value != nil {
			set[name] = value
		}
	}
	return set
}

// written returns a value as a configuration in JSON has it. What the first plan does not know is the output of a resource
// in later, which is replaced in each turn.
func written(first, known tftypes.Value, number int, later map[string]any) any {
	if !first.IsKnown() {
		name := fmt.Sprintf("later%d", len(later))
		later[name] = map[string]any{"input": written(known, known, number, nil), "triggers_replace": number}
		return "${terraform_data." + name + ".output}"
	}
	if first.IsNull() {
		return nil
	}
	var named, namedLater map[string]tftypes.Value
	var items, itemsLater []tftypes.Value
	switch kind := first.Type(); {
	case kind.Is(tftypes.String):
		var text string
		_ = known.As(&text)
		return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text)
	case kind.Is(tftypes.Number):
		number := new(big.Float)
		_ = known.As(&number)
		return json.Number(number.Text('f', -1))
	case kind.Is(tftypes.Bool):
		var is bool
		_ = known.As(&is)
		return is
	case first.As(&named) == nil && known.As(&namedLater) == nil:
		object := map[string]any{}
		for name, value := range named {
			object[name] = written(value, namedLater[name], number, later)
		}
		return object
	case first.As(&items) == nil && known.As(&itemsLater) == nil:
		list := []any{}
		for i, value := range items {
			list = append(list, written(value, itemsLater[i], number, later))
		}
		return list
	}
	panic(fmt.Sprint("no form in JSON for ", first))
}
