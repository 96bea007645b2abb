package clihost

import (
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
}

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
	if err := json.NewEncoder(conn).Encode(c); err != nil {
		return Result{}, fmt.Errorf("send a command to a host of the CLI: %w", err)
	}
	if err := json.NewDecoder(conn).Decode(&printed); err != nil {
		return Result{}, errors.Join(ctx.Err(), fmt.Errorf("the host of the CLI ended during the command %q: %w\n%s",
			strings.Join(c.Args, " "), err, logsOf(dir)))
	}
	return printed, nil
}

// logTailBytes is how much of a host's log an error shows.
const logTailBytes = 8 << 10

// logsOf returns the ends of the logs of all hosts that have written one.
func logsOf(dir string) string {
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*"+logSuffix))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || len(text) == 0 {
			continue
		}
		fmt.Fprintf(&all, "%s:\n%s\n", filepath.Base(file), text[max(0, len(text)-logTailBytes):])
	}
	return all.String()
}
