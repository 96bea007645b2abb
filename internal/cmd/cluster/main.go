package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

func main() {
	err := run(os.Args[1:])
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		os.Exit(max(1, ended.ExitCode()))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run(command []string) (err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	cluster, cli, err := start(ctx)
	if err != nil {
		return err
	}
	defer func() {
		began := time.Now()
		err = errors.Join(err, cluster.Stop())
		fmt.Printf("# stopped in %.1f s\n", time.Since(began).Seconds())
	}()
	if len(command) > 0 {
		stop, err := cli.StartHosts()
		if err != nil {
			return err
		}
		return errors.Join(runWith(ctx, cluster, command), stop())
	}
	path := cluster.KubeconfigPath()
	fmt.Printf("# kubeconfig: %s\n", path)
	fmt.Printf("export KUBECONFIG=%[1]s\nexport KUBE_CONFIG_PATH=%[1]s\n", path)
	fmt.Printf("export %s=%s\n", testcluster.EnvDir, cluster.Dir())
	fmt.Println("# It runs until you press Ctrl-C.")
	return cluster.Wait(ctx)
}

// start builds what is missing, the CLI of the tests included, and starts a control plane, unless there is one to use.
func start(ctx context.Context) (cluster *testcluster.ControlPlane, cli testcluster.CLI, err error) {
	existing := os.Getenv(testcluster.EnvKubeconfig)
	var binaries testcluster.Binaries
	if existing == "" {
		if binaries, err = testcluster.Build(ctx, os.Stderr); err != nil {
			return nil, cli, err
		}
	}
	if cli, err = testcluster.TerraformCLI(ctx, os.Stderr); err != nil {
		return nil, cli, err
	}
	if existing != "" {
		cluster, err = testcluster.Use(existing, os.Stdout)
		return cluster, cli, err
	}
	began := time.Now()
	if cluster, err = testcluster.Start(ctx, testcluster.Options{Binaries: binaries}); err != nil {
		return nil, cli, err
	}
	fmt.Printf("# Kubernetes %s started in %.1f s; its logs are in %s\n", cluster.Version(),
		time.Since(began).Seconds(), cluster.LogDir())
	return cluster, cli, nil
}

// commandGrace is how long an interrupted command may take to end.
const commandGrace = 20 * time.Second

// runWith runs a command whose tests attach to the control plane. It interrupts the command if ctx or a controller
// ends.
func runWith(ctx context.Context, cluster *testcluster.ControlPlane, command []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...) //nolint:gosec // The command of who calls.
	cmd.Env = append(os.Environ(), testcluster.EnvDir+"="+cluster.Dir())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = commandGrace
	waited := make(chan error, 1)
	go func() {
		waited <- cluster.Wait(ctx)
		cancel()
	}()
	err := cmd.Run()
	cancel()
	return errors.Join(err, <-waited)
}
