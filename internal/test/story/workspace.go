package story

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

// Workspace is a directory in which a Terraform CLI runs the built provider for a story.
type Workspace struct {
	*Story
	*workdir.Workdir
	user string
}

// Workspace returns a new workspace for the story. The provider connects as the story's own user. That distinguishes
// its requests in the audit log.
func (s *Story) Workspace() *Workspace {
	s.T.Helper()
	provider, err := workdir.Shared()
	Must(s.T, err)
	return s.WorkspaceWith(provider)
}

// HostedWorkspace does what [Story.Workspace] does, and runs the commands in a host of the CLI. Stories that wait for
// a long time would keep hosts from other stories, and use Workspace. So do stories about what people type: queries,
// flags, signals, files that commands write, plans that another process has saved.
func (s *Story) HostedWorkspace() *Workspace {
	s.T.Helper()
	w := s.Workspace()
	w.InHost = true
	return w
}

// WorkspaceWith does what [Story.Workspace] does, with a provider that workdir.Build compiled.
func (s *Story) WorkspaceWith(provider string) *Workspace {
	s.T.Helper()
	cli, err := testcluster.TerraformCLI(s.T.Context(), os.Stderr)
	Must(s.T, err)
	work, err := workdir.New(s.T.TempDir(), provider, cli)
	Must(s.T, err)
	Must(s.T, os.WriteFile(filepath.Join(work.Dir, "kubeconfig"), s.Kubeconfig(s.AddUser(s.Namespace)), 0o600))
	return &Workspace{Story: s, Workdir: work, user: s.Namespace}
}

// Configure sets the configuration to these resources.
func (w *Workspace) Configure(resources ...string) {
	w.T.Helper()
	w.ConfigureProvider(`{ config_path = "kubeconfig" }`, resources...)
}

// Generate makes the CLI write the resource block of an import into generated.tf. Terraform 1.16 needs the argument
// provider for that. If the resource block exists, every CLI refuses that argument.
func (w *Workspace) Generate(id string) {
	w.T.Helper()
	block := w.ImportBlock(id)
	w.Configure(strings.Replace(block, "\n}", "\n  provider = k8sconnect\n}", 1))
	w.Do("plan", "-generate-config-out=generated.tf")
	w.Configure(block)
}

// Require skips the test if the CLI lacks a feature that a configuration needs.
func (w *Workspace) Require(configuration string) {
	w.T.Helper()
	for _, feature := range NeededBy(configuration) {
		feature.Needed(w)
	}
}

// Write writes main.tf, and skips the test if the CLI lacks a feature that it needs.
func (w *Workspace) Write(text string) error {
	w.T.Helper()
	w.Require(text)
	return w.Workdir.Write(text)
}

// ConfigureProvider does what Configure does, with another connection of the provider.
func (w *Workspace) ConfigureProvider(cluster string, resources ...string) {
	w.T.Helper()
	Must(w.T, w.Write("provider \"k8sconnect\" {\n  cluster = "+cluster+"\n}\n"+strings.Join(resources, "\n")))
}

// The exit codes of a plan with -detailed-exitcode. Other commands end with one of the first two.
const (
	Nothing = iota
	Refused
	Changes
)

// Do runs a command of the CLI and returns its output.
func (w *Workspace) Do(args ...string) string {
	w.T.Helper()
	return w.Exits(Nothing, args...)
}

// Exits runs a command as Do does, and asserts its exit code.
func (w *Workspace) Exits(want int, args ...string) string {
	w.T.Helper()
	began := time.Now()
	out, code, err := w.run(args...)
	Must(w.T, err)
	if code != want {
		w.T.Fatalf("%s %s ended with exit code %d, want %d:\n%s", w.CLI.Product, strings.Join(args, " "), code, want,
			out)
	}
	w.T.Logf("%s: exit code %d after %.1f s", strings.Join(args, " "), code, time.Since(began).Seconds())
	return out
}

// Try runs a command as Do does, and returns its error.
func (w *Workspace) Try(args ...string) (string, error) {
	out, code, err := w.run(args...)
	if err == nil && code != Nothing {
		err = fmt.Errorf("exit code %d", code)
	}
	return out, err
}

// run runs a command independently of the test's context, because it also cleans up after the test.
func (w *Workspace) run(args ...string) (string, int, error) {
	out, code, err := w.Workdir.Run(context.WithoutCancel(w.T.Context()), args...)
	return lockNotice.ReplaceAllString(out, ""), code, err
}

// lockNotice matches what a CLI prints if a lock takes a while, which depends on the load of the machine.
var lockNotice = regexp.MustCompile(`(?m)^(Acquiring|Releasing) state lock\. This may take a few moments\.\.\.\n`)

const reattachVariable = "TF_REATTACH_PROVIDERS"

// Detached starts a provider that does not belong to the CLI, for tests that kill it. It returns the process, and the
// environment variable with which the CLI uses it.
func (w *Workspace) Detached() (process *os.Process, variable string) {
	w.T.Helper()
	binary, err := workdir.Shared()
	Must(w.T, err)
	command := exec.Command(binary, "-debug") //nolint:gosec // The test has built it.
	command.Dir = w.Dir
	stdout, err := command.StdoutPipe()
	Must(w.T, err)
	Must(w.T, command.Start())
	w.T.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	const prefix = reattachVariable + "='"
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if _, found, is := strings.Cut(lines.Text(), prefix); is {
			return command.Process, reattachVariable + "=" + reattachable(w.T, strings.TrimSuffix(found, "'"))
		}
	}
	w.T.Fatalf("the provider does not say how to reach it: %v", lines.Err())
	return nil, ""
}

// reattachable names the provider as OpenTofu does too, whose registry is another one.
func reattachable(t *testing.T, text string) string {
	t.Helper()
	var providers map[string]json.RawMessage
	Must(t, json.Unmarshal([]byte(text), &providers))
	for name, config := range providers {
		providers[strings.Replace(name, "registry.terraform.io", "registry.opentofu.org", 1)] = config
	}
	both, err := json.Marshal(providers)
	Must(t, err)
	return string(both)
}
