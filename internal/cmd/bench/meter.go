package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// A meter runs instead of a provider's executable. It is this command itself, if its environment requests that. It runs
// the provider with its own arguments and streams, and appends the resource usage of the process to a file. The CLI
// starts a provider more than once for a command.
const (
	// envProvider is the executable to run.
	envProvider = "BENCH_METER_PROVIDER"
	// envUsage is the file to append to.
	envUsage = "BENCH_METER_USAGE"
)

// usage is the resource usage of a process from its start to its end.
type usage struct {
	CPU time.Duration `json:"cpu"`
	// PeakMemory is the largest resident set, in bytes.
	PeakMemory int64 `json:"peak_memory"`
}

// runMetered runs the provider and returns its exit code.
func runMetered(provider string) (int, error) {
	// The whole process group of the CLI gets the signal of Ctrl-C. The meter ignores it, and ends when the provider
	// ends.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	command := exec.Command(provider, os.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	command.Env = append(os.Environ(), envProvider+"=") // The echo is this command, too, and must not run as a meter.
	err := command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 1, fmt.Errorf("run %s: %w", provider, err)
	}
	return command.ProcessState.ExitCode(), appendUsage(os.Getenv(envUsage), usageOf(command.ProcessState))
}

// usageOf returns the resource usage of a process that has ended, and of the child processes that it waited for.
func usageOf(state *os.ProcessState) usage {
	return usage{CPU: state.UserTime() + state.SystemTime(), PeakMemory: peakMemory(state)}
}

func appendUsage(path string, used usage) error {
	line, err := json.Marshal(used)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}

// takeUsage adds up the resource usage of the processes of a command, and removes the file.
func takeUsage(path string) (total usage, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return usage{}, nil
	}
	if err != nil {
		return usage{}, err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(path)) }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var one usage
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return usage{}, fmt.Errorf("read what a provider used: %w", err)
		}
		total.CPU += one.CPU
		total.PeakMemory = max(total.PeakMemory, one.PeakMemory)
	}
	return total, nil
}
