package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// terraform runs the CLI and shows its commands and output to the reader.
type terraform struct {
	print *printer
	path  string
	// name is the command that the reader would type: terraform or tofu.
	name string
	dir  string
	env  []string
}

// interruptGrace is the time that an interrupted command may take to end before it is killed.
const interruptGrace = 10 * time.Second

// output runs a command without showing it, and returns its output. An error contains all of the output.
func (t *terraform) output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Dir, cmd.Env = t.dir, t.env
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = interruptGrace
	ownProcessGroup(cmd)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", t.name, args[0], err, stdout.String(), stderr.String())
	}
	return stdout.String(), nil
}

// run shows a command and the part of its output that view returns. It returns all of the output.
func (t *terraform) run(ctx context.Context, view func(string) string, args ...string) (string, error) {
	t.print.command(t.name + " " + strings.Join(args, " "))
	if !t.print.colour {
		args = slices.Insert(slices.Clone(args), 1, "-no-color")
	}
	text, err := t.output(ctx, args...)
	if err != nil {
		return "", err
	}
	t.print.block(view(text))
	return text, nil
}

// planFile is the saved plan, by the name that the reader sees.
const planFile = "plan.out"

// plan shows a plan, saves it, and returns it from the CLI's JSON.
func (t *terraform) plan(ctx context.Context) (*plan, error) {
	text, err := t.run(ctx, planView, "plan", "-out="+planFile)
	if err != nil {
		return nil, err
	}
	encoded, err := t.output(ctx, "show", "-json", planFile)
	if err != nil {
		return nil, err
	}
	planned := &plan{Text: text}
	if err := json.Unmarshal([]byte(encoded), planned); err != nil {
		return nil, fmt.Errorf("read the plan: %w", err)
	}
	return planned, nil
}

// applyPlan applies the saved plan.
func (t *terraform) applyPlan(ctx context.Context) error {
	_, err := t.run(ctx, applyView, "apply", planFile)
	return err
}

// plan holds the parts of a plan that the demo checks.
type plan struct {
	// Text is the plan as the reader sees it, untrimmed.
	Text            string   `json:"-"`
	ResourceChanges []change `json:"resource_changes"`
}

type change struct {
	Address string `json:"address"`
	Change  struct {
		Actions []string   `json:"actions"`
		Before  attributes `json:"before"`
		After   attributes `json:"after"`
	} `json:"change"`
}

// attributes are the computed maps of a k8sconnect_manifest.
type attributes struct {
	FieldOwnership map[string]string   `json:"field_ownership"`
	CoOwners       map[string][]string `json:"co_owners"`
	ManagedState   map[string]string   `json:"managed_state"`
}

// of returns the attributes of k8sconnect_manifest.name before and after; both are empty if the plan does not contain
// it.
func (p *plan) of(name string) (before, after attributes) {
	for _, c := range p.ResourceChanges {
		if c.Address == "k8sconnect_manifest."+name {
			return c.Change.Before, c.Change.After
		}
	}
	return attributes{}, attributes{}
}

// expectEmpty returns an error if the plan changes resources, and names them.
func (p *plan) expectEmpty() error {
	for _, c := range p.ResourceChanges {
		if !slices.Equal(c.Change.Actions, []string{"no-op"}) {
			return fmt.Errorf("the plan has to be empty, but it would %s %s",
				strings.Join(c.Change.Actions, " and "), c.Address)
		}
	}
	return nil
}

// expectText returns an error if the plan's text, which the CLI may have wrapped, lacks one of the parts.
func (p *plan) expectText(parts ...string) error {
	text := strings.Join(strings.Fields(colours.ReplaceAllString(p.Text, "")), " ")
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return fmt.Errorf("the plan does not say %q", part)
		}
	}
	return nil
}
