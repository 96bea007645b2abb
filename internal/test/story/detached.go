package story

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/workdir"
)

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
