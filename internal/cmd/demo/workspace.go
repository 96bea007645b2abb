package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

const (
	// module is the provider's main package.
	module = "github.com/k8sconnect/terraform-provider-k8sconnect"
	// version is the version of the provider in the mirror.
	version = "0.0.1"
)

// mirrorConfig is a CLI configuration that installs the provider from a directory, and nothing else.
const mirrorConfig = `provider_installation {
  filesystem_mirror {
    path = %q
  }
}
`

// workspace is a temporary directory with the provider and a configuration that uses it.
type workspace struct {
	root string
	cli  testcluster.CLI
}

// newWorkspace returns a workspace with the provider, built from the source tree in which the demo runs. After
// an error, nothing is left behind.
func newWorkspace(ctx context.Context, print *printer, cli testcluster.CLI) (*workspace, error) {
	root, err := os.MkdirTemp("", "k8sconnect-demo-")
	if err != nil {
		return nil, fmt.Errorf("create a directory for the demo: %w", err)
	}
	work := &workspace{root: root, cli: cli}
	if err := work.prepare(ctx, print); err != nil {
		return nil, errors.Join(err, work.remove())
	}
	return work, nil
}

func (w *workspace) prepare(ctx context.Context, print *printer) error {
	if err := os.Mkdir(w.dir(), 0o700); err != nil {
		return err
	}
	config := fmt.Sprintf(mirrorConfig, filepath.ToSlash(w.mirror()))
	if err := os.WriteFile(w.cliConfig(), []byte(config), 0o600); err != nil {
		return err
	}
	print.line("building the provider ...")
	began := time.Now()
	build := exec.CommandContext(ctx, "go", "build", "-o", w.provider(), module)
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the provider (the demo runs in the source tree): %w\n%s", err, output)
	}
	print.line("built the provider in %.0f s", time.Since(began).Seconds())
	return nil
}

// dir returns the directory in which the CLI runs.
func (w *workspace) dir() string { return filepath.Join(w.root, "shop") }

func (w *workspace) mirror() string { return filepath.Join(w.root, "mirror") }

func (w *workspace) cliConfig() string { return filepath.Join(w.root, "cli.tfrc") }

// provider returns the executable's path in the mirror, which begins with the CLI's default registry host.
func (w *workspace) provider() string {
	host := "registry.terraform.io"
	if w.cli.Product == testcluster.ProductOpenTofu {
		host = "registry.opentofu.org"
	}
	name := "terraform-provider-k8sconnect_v" + version
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(w.mirror(), host, "k8sconnect", "k8sconnect", version, runtime.GOOS+"_"+runtime.GOARCH, name)
}

// write writes a file of the configuration.
func (w *workspace) write(name, text string) error {
	return os.WriteFile(filepath.Join(w.dir(), name), []byte(text), 0o600)
}

// read returns a file of the configuration.
func (w *workspace) read(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(w.dir(), name))
	return string(text), err
}

func (w *workspace) remove() error { return os.RemoveAll(w.root) }

// environment returns the reader's environment without the variables that configure the CLI or the provider,
// and with the variables of the demo.
func (w *workspace) environment(inherited []string, kubeconfig, namespace string) []string {
	var env []string
	for _, variable := range inherited {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "KUBE_") {
			env = append(env, variable)
		}
	}
	return append(env,
		"KUBE_CONFIG_PATH="+kubeconfig,
		"TF_CLI_CONFIG_FILE="+w.cliConfig(),
		"TF_VAR_namespace="+namespace,
		"TF_IN_AUTOMATION=1",
		"TF_INPUT=0",
		"CHECKPOINT_DISABLE=1")
}
