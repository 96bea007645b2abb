package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/testcluster"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
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
	cli, err := testcluster.TerraformCLI(ctx, os.Stderr)
	if err != nil {
		return err
	}
	fmt.Printf("Kubernetes %s and %s are ready to start\n", binaries.Version, cli.Path)
	return nil
}
