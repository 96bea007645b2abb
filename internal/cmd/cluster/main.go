package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	binaries, err := testcluster.Build(ctx, os.Stderr)
	if err != nil {
		return err
	}
	began := time.Now()
	cluster, err := testcluster.Start(ctx, testcluster.Options{Binaries: binaries})
	if err != nil {
		return err
	}
	path := cluster.KubeconfigPath()
	fmt.Printf("# Kubernetes %s started in %.1f s; its logs are in %s\n", cluster.Version(),
		time.Since(began).Seconds(), cluster.LogDir())
	fmt.Printf("# kubeconfig: %s\n", path)
	fmt.Printf("export KUBECONFIG=%[1]s\nexport KUBE_CONFIG_PATH=%[1]s\n", path)
	fmt.Println("# It runs until you press Ctrl-C.")
	ended := cluster.Wait(ctx)
	began = time.Now()
	if err := errors.Join(ended, cluster.Stop()); err != nil {
		return err
	}
	fmt.Printf("# stopped in %.1f s\n", time.Since(began).Seconds())
	return nil
}
