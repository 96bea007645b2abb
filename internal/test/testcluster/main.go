package testcluster

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"testing"
)

// Main returns the body of a TestMain: os.Exit(testcluster.Main(m, onStart)). Where TF_ACC is unset it runs the
// tests alone. Otherwise it builds what is missing, starts a control plane or attaches to the one of [EnvDir], sets the
// variables of CLI.Env, calls onStart unless it is nil, runs the tests and stops the control plane that it started. It
// returns the exit code: 1 if the control plane did not start or stop.
func Main(m *testing.M, onStart func(*ControlPlane)) int {
	if os.Getenv("TF_ACC") == "" {
		return m.Run()
	}
	cluster, err := startForTests()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcluster:", err)
		return 1
	}
	code := runTests(m, cluster, onStart)
	if err := cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "testcluster: stop:", err)
		return 1
	}
	return code
}

// MainAlone does what Main does, with a control plane of its own: for tests that stop servers, or that need fixed
// names.
func MainAlone(m *testing.M, onStart func(*ControlPlane)) int {
	if err := os.Unsetenv(EnvDir); err != nil {
		fmt.Fprintln(os.Stderr, "testcluster:", err)
		return 1
	}
	return Main(m, onStart)
}

// runTests runs the tests and stops the control plane when a signal comes first.
func runTests(m *testing.M, cluster *ControlPlane, onStart func(*ControlPlane)) int {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		_ = cluster.Stop()
		os.Exit(1)
	}()
	if onStart != nil {
		onStart(cluster)
	}
	return m.Run()
}

func startForTests() (*ControlPlane, error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := useCLI(ctx); err != nil {
		return nil, err
	}
	if err := collectGarbageLess(); err != nil {
		return nil, err
	}
	if dir := os.Getenv(EnvDir); dir != "" {
		return Attach(dir)
	}
	return Start(ctx, Options{Progress: os.Stderr})
}

// useCLI finds the CLI and sets the variables of CLI.Env.
func useCLI(ctx context.Context) error {
	cli, err := TerraformCLI(ctx, os.Stderr)
	if err != nil {
		return err
	}
	for name, value := range cli.Env() {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// collectGarbageLess makes garbage collection rarer in the tests, the CLI and the servers, which then use up to 2 GiB
// each, unless the variable GOGC is set. The CLI runs thousands of times, and would spend much of its time on
// garbage collection.
func collectGarbageLess() error {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(2 << 30)
	if err := os.Setenv("GOGC", "400"); err != nil {
		return err
	}
	return os.Setenv("GOMEMLIMIT", "2GiB")
}
