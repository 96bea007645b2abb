package clihost

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// EnvDir names the directory of running hosts, for other processes than the one that has started them.
const EnvDir = "K8SCONNECT_TEST_CLI_HOSTS"

// Command is one command of the CLI.
type Command struct {
	// Dir is the absolute path of the working directory.
	Dir string
	// Args are the arguments after the name of the CLI, Env is the whole environment as in os/exec.
	Args, Env []string
	// Combined writes errors to the standard output, too, in the order in which they are printed.
	Combined bool
	// Provider is what serves the provider to a host.
	Provider Provider
}

// Provider is a program of package providerhost, and the address of the provider in configurations. Without a program,
// the CLI starts the provider itself, as often as it needs it.
type Provider struct{ Program, Address string }

// Result is what a command has printed, and its exit code.
type Result struct {
	Stdout, Stderr string
	Code           int
}

// Serves reports whether the hosts of EnvDir are those of the CLI at a path.
func Serves(cli string) bool {
	dir := os.Getenv(EnvDir)
	if dir == "" {
		return false
	}
	served, err := os.ReadFile(filepath.Join(dir, cliFile))
	return err == nil && string(served) == cli
}

// Run runs a command in a host of EnvDir. The end of ctx ends the host, too. If a host ends before the command does,
// the error has the end of its log.
func Run(ctx context.Context, c Command) (Result, error) {
	dir := os.Getenv(EnvDir)
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", filepath.Join(dir, socketFile))
	if err != nil {
		return Result{}, fmt.Errorf("reach the hosts of the CLI: %w", err)
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	var printed Result
	answers, host := json.NewDecoder(conn), ""
	if err := json.NewEncoder(conn).Encode(c); err != nil {
		return Result{}, fmt.Errorf("send a command to a host of the CLI: %w", err)
	}
	if err := errors.Join(answers.Decode(&host), answers.Decode(&printed)); err != nil {
		return Result{}, errors.Join(ctx.Err(), fmt.Errorf("%s of the CLI ended during the command %q: %w\n%s",
			cmp.Or(host, "a host"), strings.Join(c.Args, " "), err, logOf(dir, host)))
	}
	return printed, nil
}

// logTailBytes is how much of a host's log an error shows.
const logTailBytes = 8 << 10

// logOf returns the end of the log of a host.
func logOf(dir, host string) string {
	text, _ := os.ReadFile(filepath.Join(dir, host+logSuffix))
	return string(text[max(0, len(text)-logTailBytes):])
}
