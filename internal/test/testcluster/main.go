package testcluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
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
	cluster, stop, err := startForTests()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testcluster:", err)
		return 1
	}
	code := runTests(m, cluster, onStart)
	if err := errors.Join(stop(), cluster.Stop()); err != nil {
		fmt.Fprintln(os.Stderr, "testcluster: stop:", err)
		return 1
	}
	return code
}

// MainAlone does what Main does, with a control plane of its own: for tests that stop servers, or that need fixed
// names. It leaves out all tests if they are to use an existing cluster.
func MainAlone(m *testing.M, onStart func(*ControlPlane)) int {
	if os.Getenv("TF_ACC") != "" && os.Getenv(EnvKubeconfig) != "" {
		if dir := os.Getenv(EnvDir); dir != "" {
			_ = (&ControlPlane{dir: dir}).LeaveOut("all of " + filepath.Base(os.Args[0]))
		}
		return 0
	}
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

// startForTests returns the control plane, and a function that stops the hosts of the CLI.
func startForTests() (cluster *ControlPlane, stop func() error, err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := collectGarbageLess(); err != nil {
		return nil, nil, err
	}
	if stop, err = useCLI(ctx); err != nil {
		return nil, nil, err
	}
	switch dir, kubeconfig := os.Getenv(EnvDir), os.Getenv(EnvKubeconfig); {
	case dir != "":
		cluster, err = Attach(dir)
	case kubeconfig != "":
		cluster, err = Use(kubeconfig, os.Stderr)
	default:
		cluster, err = Start(ctx, Options{Progress: os.Stderr})
	}
	if err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return cluster, stop, nil
}

// useCLI finds the CLI, sets the variables of CLI.Env, and starts hosts, which the function that it returns stops.
func useCLI(ctx context.Context) (stop func() error, err error) {
	cli, err := TerraformCLI(ctx, os.Stderr)
	if err != nil {
		return nil, err
	}
	for name, value := range cli.Env() {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	return cli.StartHosts()
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
