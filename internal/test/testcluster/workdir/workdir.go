package workdir

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/clihost"
)

// module is the provider's main package.
const module = "github.com/k8sconnect/terraform-provider-k8sconnect"

// Build compiles the provider into a directory, with additional build flags, and returns its path. It uses no C, as a
// release: with C, the executable is a quarter larger, and so is the memory of the provider.
func Build(ctx context.Context, dir string, flags ...string) (string, error) {
	binary := filepath.Join(dir, "terraform-provider-k8sconnect")
	args := slices.Concat([]string{"build", "-o", binary}, flags, []string{module})
	build := exec.CommandContext(ctx, "go", args...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if slices.Contains(flags, "-race") {
		build.Env = append(os.Environ(), "CGO_ENABLED=1") // The race detector is written in C.
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the provider: %w\n%s", err, out)
	}
	return binary, nil
}

// shared is the build of Shared, and the directory that it is in; "" before the first build.
var (
	shared    = sync.OnceValues(buildShared)
	sharedDir string
)

// envProvider names the executable that Shared returns. make test builds it once for all packages.
const envProvider = "K8SCONNECT_TEST_PROVIDER"

func buildShared() (string, error) {
	if built := os.Getenv(envProvider); built != "" {
		return exec.LookPath(built)
	}
	dir, err := os.MkdirTemp("", "k8sconnect-provider-")
	if err != nil {
		return "", err
	}
	sharedDir = dir
	return Build(context.Background(), dir)
}

// Shared returns the executable that the variable K8SCONNECT_TEST_PROVIDER names. Otherwise it builds the provider once
// for this process.
func Shared() (string, error) { return shared() }

// RemoveShared removes what Shared built, if anything.
func RemoveShared() error {
	if sharedDir == "" {
		return nil
	}
	return os.RemoveAll(sharedDir)
}

// Workdir is a directory in which a CLI runs a provider.
type Workdir struct {
	// Dir is where the configuration and the state are.
	Dir string
	// CLI is the Terraform CLI.
	CLI testcluster.CLI
	// Env is the environment of its commands.
	Env []string
	// InHost runs the commands in a host of the CLI, if hosts run. Without it, each command is a process.
	InHost bool
	// provider serves the provider to a host.
	provider clihost.Provider
}

// providerHost is the executable of package providerhost, beside a build of the provider from the same source.
const providerHost = "providerhost"

// New prepares a directory for a provider that Build compiled.
func New(dir, provider string, cli testcluster.CLI) (*Workdir, error) {
	settings := filepath.Join(dir, "cli.tfrc")
	text := fmt.Sprintf("provider_installation {\n  dev_overrides { \"k8sconnect/k8sconnect\" = %q }\n  direct {}\n}\n",
		filepath.ToSlash(filepath.Dir(provider)))
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("make a working directory: %w", err)
	}
	env := append(os.Environ(), "TF_CLI_CONFIG_FILE="+settings, "TF_IN_AUTOMATION=1", "TF_INPUT=0",
		"CHECKPOINT_DISABLE=1")
	w := &Workdir{Dir: dir, CLI: cli, Env: env}
	if program, err := exec.LookPath(filepath.Join(filepath.Dir(provider), providerHost)); err == nil {
		w.provider = clihost.Provider{Program: program, Address: cli.ProviderHost() + "/k8sconnect/k8sconnect"}
	}
	return w, nil
}

// requires is the part of a configuration that names the source of the provider.
const requires = "terraform {\n  required_providers {\n    k8sconnect = { source = \"k8sconnect/k8sconnect\" }\n  " +
	"}\n}\n"

// Write sets the configuration, which need not name the source of the provider.
func (w *Workdir) Write(configuration string) error {
	return os.WriteFile(filepath.Join(w.Dir, "main.tf"), []byte(requires+configuration), 0o600)
}

// Run runs a command of the CLI and returns what it prints, and its exit code; -1 if it was killed.
func (w *Workdir) Run(ctx context.Context, args ...string) (output string, code int, err error) {
	command := clihost.Command{
		Dir: w.Dir, Env: w.Env, Args: append(slices.Clone(args), "-no-color"), Combined: true,
	}
	run := w.CLI.Process
	if w.InHost {
		run = w.CLI.Run
		several, err := w.hasAliases()
		if err != nil {
			return "", -1, err
		}
		if !several {
			command.Provider = w.provider
		}
	}
	printed, err := run(ctx, command)
	if err != nil {
		return printed.Stdout, -1, err
	}
	return printed.Stdout, printed.Code, nil
}

var aliased = regexp.MustCompile(`(?m)^\s*alias\s*=`)

// hasAliases reports whether a configuration has several provider blocks. The CLI starts the provider for each of them,
// and an attached one has a single configuration.
func (w *Workdir) hasAliases() (bool, error) {
	var files []string
	for _, pattern := range []string{"*.tf", "*/*.tf"} {
		found, err := filepath.Glob(filepath.Join(w.Dir, pattern))
		if err != nil {
			return false, err
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || aliased.Match(text) {
			return err == nil, err
		}
	}
	return false, nil
}
