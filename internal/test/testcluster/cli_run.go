package testcluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster/clihost"
)

// Printed is what a command of the CLI has printed, and its exit code.
type Printed = clihost.Result

// Run runs a command of the CLI: in a host if hosts of this CLI run, else as a process. Commands that write a log are
// processes, because the CLI reads the variables of logs when it starts. A bad exit code is not an error.
func (c CLI) Run(ctx context.Context, command clihost.Command) (Printed, error) {
	logs := func(variable string) bool { return strings.HasPrefix(variable, "TF_LOG") }
	if clihost.Serves(c.Path) && !slices.ContainsFunc(command.Env, logs) {
		return clihost.Run(ctx, command)
	}
	return c.Process(ctx, command)
}

// Process does what [CLI.Run] does, always as a process.
func (c CLI) Process(ctx context.Context, asked clihost.Command) (Printed, error) {
	command := exec.CommandContext(ctx, c.Path, asked.Args...)
	var stdout, stderr bytes.Buffer
	command.Dir, command.Env, command.Stdout, command.Stderr = asked.Dir, asked.Env, &stdout, &stderr
	if asked.Combined {
		command.Stderr = &stdout
	}
	err := command.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		err = nil
	}
	if err != nil {
		return Printed{}, fmt.Errorf("run %s: %w", c.Product, err)
	}
	return Printed{Stdout: stdout.String(), Stderr: stderr.String(), Code: command.ProcessState.ExitCode()}, nil
}

// Version returns the CLI's version, "1.11.4" for instance.
func (c CLI) Version(ctx context.Context) (string, error) {
	versions.Lock()
	defer versions.Unlock()
	if known, found := versions.of[c.Path]; found {
		return known, nil
	}
	printed, err := c.Process(ctx, clihost.Command{
		Env: append(os.Environ(), c.environ()...), Args: []string{"version", "-json"},
	})
	if err != nil {
		return "", err
	}
	var answer struct {
		Version string `json:"terraform_version"`
	}
	// A warning may precede the JSON.
	if err := json.Unmarshal([]byte(printed.Stdout[max(0, strings.Index(printed.Stdout, "{")):]), &answer); err != nil {
		return "", fmt.Errorf("read the version of %s: %w", c.Path, err)
	}
	versions.of[c.Path] = answer.Version
	return answer.Version, nil
}

// versions are the versions of CLIs by their paths.
var versions = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

// environ returns the variables of [CLI.Env] as in os/exec.
func (c CLI) environ() []string {
	var all []string
	env := c.Env()
	for _, name := range slices.Sorted(maps.Keys(env)) {
		all = append(all, name+"="+env[name])
	}
	return all
}

// hostsPerCore is more than one, because commands wait for the API server and for controllers.
const hostsPerCore = 4

// StartHosts starts hosts of the CLI, and sets clihost.EnvDir, so that [CLI.Run] uses them here and in the processes
// that this one starts. It starts none if the variable is set, or if the CLI cannot host; stop does nothing then.
func (c CLI) StartHosts() (stop func() error, err error) {
	if !c.CanHost || os.Getenv(clihost.EnvDir) != "" {
		return func() error { return nil }, nil
	}
	hosts, err := clihost.Start(c.Path, hostsPerCore*runtime.NumCPU(), c.environ())
	if err != nil {
		return nil, err
	}
	return hosts.Stop, os.Setenv(clihost.EnvDir, hosts.Dir)
}
