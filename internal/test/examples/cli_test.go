package examples_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

// cli runs the Terraform CLI with the provider of this source tree, as a user without a registry does.
type cli struct {
	path string
	env  []string
}

// newCLI builds the provider and makes a home directory whose kubeconfig has the contexts that the
// examples name, all of them the control plane.
func newCLI(t *testing.T) cli {
	t.Helper()
	found, err := testcluster.TerraformCLI(t.Context(), os.Stderr)
	must(t, err)
	bin, home := t.TempDir(), t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "terraform-provider-k8sconnect"), root)
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the provider: %v\n%s", err, output)
	}
	// Terraform and OpenTofu complete a source address with registries of their own.
	overrides := fmt.Sprintf("provider_installation {\n  dev_overrides {\n"+
		"    \"registry.terraform.io/k8sconnect/k8sconnect\" = %[1]q\n"+
		"    \"registry.opentofu.org/k8sconnect/k8sconnect\" = %[1]q\n  }\n}\n", filepath.ToSlash(bin))
	config := filepath.Join(home, "overrides.tfrc")
	must(t, os.WriteFile(config, []byte(overrides), 0o600))
	writeKubeconfig(t, filepath.Join(home, ".kube", "config"))
	return cli{path: found.Path, env: append(os.Environ(),
		"HOME="+home, "KUBE_CONFIG_PATH="+controlPlane.KubeconfigPath(), "KUBE_CTX=",
		"TF_CLI_CONFIG_FILE="+config, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "TF_DATA_DIR=", "TF_WORKSPACE=",
		"TF_CLI_ARGS=-no-color", "CHECKPOINT_DISABLE=1")}
}

func writeKubeconfig(t *testing.T, path string) {
	t.Helper()
	config, err := clientcmd.Load(controlPlane.Kubeconfig())
	must(t, err)
	for _, name := range []string{"staging", "production"} {
		config.Contexts[name] = config.Contexts[config.CurrentContext]
	}
	must(t, clientcmd.WriteToFile(*config, path))
}

// run runs the CLI in dir and returns its exit code and everything that it printed.
func (c cli) run(t *testing.T, dir string, args ...string) (code int, output string) {
	t.Helper()
	// The command does not end with the test's context, so that a failed example is destroyed too.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), c.path, args...)
	cmd.Dir, cmd.Env = dir, c.env
	printed, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("run %s: %v", c.path, err)
	}
	return cmd.ProcessState.ExitCode(), string(printed)
}

func (c cli) mustRun(t *testing.T, dir string, args ...string) {
	t.Helper()
	if code, output := c.run(t, dir, args...); code != 0 {
		t.Fatalf("%s in %s, exit code %d:\n%s", args[0], dir, code, output)
	}
}

// createBefore creates the objects of before.yaml, where dir has one, as kubectl create does.
func createBefore(t *testing.T, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "before.yaml"))
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	must(t, err)
	manager("kubectl-create").create(t, string(data))
}
