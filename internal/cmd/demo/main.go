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

func main() { os.Exit(play()) }

// play runs the demo and returns the exit code.
func play() int {
	// A closed pipe counts as an interruption, because its signal would end the demo before it cleans up.
	ctx, stop := signal.NotifyContext(context.Background(),
		os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx, newPrinter(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "\ndemo:", err)
		return 1
	}
	return 0
}

// errInterrupted replaces any error of a scene that was interrupted.
var errInterrupted = errors.New("interrupted before the end")

// run sets up the demo, plays the scenes and cleans up, even after an error.
func run(ctx context.Context, print *printer) (err error) {
	began := time.Now()
	cli, err := testcluster.InstalledCLI(ctx, print)
	if err != nil {
		return err
	}
	work, err := newWorkspace(ctx, print, cli)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, work.remove()) }()

	stage, err := openCluster(ctx, print)
	if err != nil {
		return err
	}
	defer func() {
		print.line("\n\n%s ...", stage.cleanup)
		err = errors.Join(err, stage.close())
		if err == nil {
			print.line("\n%s", wrap(fmt.Sprintf("Done in %.0f s: %s", time.Since(began).Seconds(), summary), width))
		}
	}()
	err = newStory(print, work, stage).play(ctx)
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}
