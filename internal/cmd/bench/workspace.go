package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cmd/bench/loopback"
	planreport "github.com/k8sconnect/terraform-provider-k8sconnect/internal/report"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// workspace is a directory in which the CLI runs a contender on its own objects.
type workspace struct {
	contender
	dir       string
	cli       testcluster.CLI
	env       []string
	namespace string
	// user is the name of the contender's user on the API server.
	user    string
	objects []object
	// states stores the state; nil if the CLI keeps it in a file.
	states *loopback.States
	// printed is what the last command has printed.
	printed string
}

// prepare fills the directory and validates the configuration with the CLI. The CLI gets no other settings.
func (w *workspace) prepare(ctx context.Context, kubeconfig []byte) error {
	if err := os.MkdirAll(filepath.Join(w.dir, "manifests"), 0o700); err != nil {
		return err
	}
	settings, err := w.install(w.dir, w.usageFile())
	if err != nil {
		return err
	}
	w.env = append(os.Environ(), "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1",
		"TF_CLI_CONFIG_FILE="+os.DevNull)
	w.env = append(w.env, settings...)
	if err := os.WriteFile(filepath.Join(w.dir, "kubeconfig"), kubeconfig, 0o600); err != nil {
		return err
	}
	if w.isClient() {
		if err := clients[w.Name].prepare(w.dir); err != nil {
			return err
		}
		return w.writeManifests(w.objects)
	}
	if err := w.keepState(ctx); err != nil {
		return err
	}
	configuration, err := w.configuration(w.objects)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.dir, "main.tf"), configuration, 0o600); err != nil {
		return err
	}
	if err := w.writeManifests(w.objects); err != nil {
		return err
	}
	return w.validate(ctx)
}

// keepState configures the backend and initializes the directory. That happens before the configuration names a
// provider, because the CLI would look for the provider in the registry.
func (w *workspace) keepState(ctx context.Context) error {
	if w.states == nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(w.dir, "backend.tf"), w.states.Backend(w.namespace), 0o600); err != nil {
		return err
	}
	return w.init(ctx)
}

func (w *workspace) init(ctx context.Context) error {
	if text, err := w.command(ctx, "init").CombinedOutput(); err != nil {
		return fmt.Errorf("initialize the directory: %w\n%s", err, text)
	}
	return nil
}

func (w *workspace) usageFile() string { return filepath.Join(w.dir, "usage.jsonl") }

// revise sets another revision in the manifests of objects.
func (w *workspace) revise(revision string, chosen func(object) bool) error {
	var changed []object
	for i := range w.objects {
		if chosen(w.objects[i]) {
			w.objects[i].Revision = revision
			changed = append(changed, w.objects[i])
		}
	}
	return w.writeManifests(changed)
}

func (w *workspace) writeManifests(objects []object) error {
	for _, o := range objects {
		text, err := o.manifest(o)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(w.dir, o.File()), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// cost is the resource usage of a command of the CLI.
type cost struct {
	Wall time.Duration `json:"wall_ns"`
	// CLI and Provider are CPU times.
	CLI      time.Duration `json:"cpu_cli_ns"`
	Provider time.Duration `json:"cpu_provider_ns"`
	// PeakMemory is that of the provider, in bytes, and of a client itself.
	PeakMemory int64 `json:"peak_memory_provider"`
	// PeakCLI is that of the CLI or of the provider, whichever is larger.
	PeakCLI int64 `json:"peak_memory"`
	// Errors is the number of errors that the command printed.
	Errors int `json:"errors"`
}

// command returns a command of the CLI, or of a client. After an interruption, it ends by itself.
func (w *workspace) command(ctx context.Context, args ...string) *exec.Cmd {
	program := w.cli.Path
	if w.isClient() {
		program = w.executable
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Dir, command.Env = w.dir, w.env
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	return command
}

// run runs the command of a phase and measures it. Errors that the command prints are counted, and are not returned as
// an error.
func (w *workspace) run(ctx context.Context, p phase) (cost, error) {
	args := append(slices.Clone(p.args), "-no-color")
	if w.isClient() {
		args = clients[w.Name].args(p.step, w.namespace)
	}
	command := w.command(ctx, args...)
	if _, err := takeUsage(w.usageFile()); err != nil { // the usage of commands that are not measured
		return cost{}, err
	}
	var printed bytes.Buffer
	command.Stdout, command.Stderr = &printed, &printed
	began := time.Now()
	err := command.Run()
	wall := time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return cost{}, fmt.Errorf("run %s: %w", command.Path, errors.Join(err, ctx.Err()))
	}
	provider, err := takeUsage(w.usageFile())
	if err != nil {
		return cost{}, err
	}
	w.printed = printed.String()
	whole := usageOf(command.ProcessState)
	used := cost{
		Wall: wall, CLI: whole.CPU - provider.CPU, Provider: provider.CPU, PeakMemory: provider.PeakMemory,
		PeakCLI: whole.PeakMemory, Errors: failures(w.printed),
	}
	if w.isClient() {
		used.PeakMemory = whole.PeakMemory
	}
	differs := w.Name == kubectl && p.step == showing && exit != nil && exit.ExitCode() == kubectlDiffers
	if exit != nil && used.Errors == 0 && !differs {
		return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), exit, w.printed)
	}
	return used, nil
}

// actions returns the action of a saved plan for each object, by its name: "create", "update" and so on. The plan of
// kubectl is what it has printed.
func (w *workspace) actions(ctx context.Context, plan string) (map[string]string, error) {
	if w.Name == kubectl {
		return kubectlActions(w.objects, w.printed), nil
	}
	text, err := w.command(ctx, "show", "-json", plan).Output()
	if err != nil {
		return nil, fmt.Errorf("show a plan: %w", err)
	}
	found := map[string]string{}
	if w.Name == oursAsSet {
		read, err := planreport.Of(text, nil)
		for _, o := range read.Objects {
			found[o.Key] = o.Action
		}
		return found, err
	}
	var shown struct {
		Changes []struct {
			Name   string `json:"name"`
			Change struct {
				Actions []string `json:"actions"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(text, &shown); err != nil {
		return nil, fmt.Errorf("show a plan: %w", err)
	}
	for _, change := range shown.Changes {
		found[change.Name] = strings.Join(change.Change.Actions, ", ")
	}
	return found, nil
}

// stateSize returns the size of the state and of the private state in it, in bytes.
func (w *workspace) stateSize() (state, private int, err error) {
	text, err := w.state()
	if err != nil || len(text) == 0 {
		return 0, 0, err
	}
	var stored struct {
		Resources []struct {
			Instances []struct {
				Private []byte `json:"private"`
			} `json:"instances"`
		} `json:"resources"`
	}
	if err := json.Unmarshal(text, &stored); err != nil {
		return 0, 0, fmt.Errorf("read the state: %w", err)
	}
	for _, resource := range stored.Resources {
		for _, instance := range resource.Instances {
			private += len(instance.Private)
		}
	}
	return len(text), private, nil
}

// state returns the stored state; empty without one.
func (w *workspace) state() ([]byte, error) {
	if w.states != nil {
		return w.states.Of(w.namespace), nil
	}
	text, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// validate runs the CLI to check the configuration against the provider's schema.
func (w *workspace) validate(ctx context.Context) error {
	if w.Name == floor { // no provider is overridden for it, so the CLI needs an init
		if err := w.init(ctx); err != nil {
			return err
		}
	}
	if text, err := w.command(ctx, "validate").CombinedOutput(); err != nil {
		return fmt.Errorf("the configuration does not fit the provider: %w\n%s", err, text)
	}
	return nil
}
