package cluster

import (
	"context"
	"fmt"
	"time"

	"k8s.io/klog/v2"
)

// LogName is the name of the loggers whose lines hold no secrets: no body, no header, no value of an object. Lines of
// other loggers are those of libraries, which may quote anything.
const LogName = "k8sconnect"

// The levels of a line.
const (
	// Progress is the level of lines that show the progress of a wait.
	Progress = 0
	// Steps is the level of lines that show each step: requests, retries, versions of a watched object.
	Steps = 1
)

// Log returns the logger of an operation.
func Log(ctx context.Context) klog.Logger { return klog.FromContext(ctx).WithName(LogName) }

// reportEvery is how often the log shows the progress of a wait.
const reportEvery = 10 * time.Second

// Reporting writes a line every ten seconds until the function that it returns is called: "Waiting for the rollout 40s:
// 1 of 3 pods are ready". what is the rollout, and status returns what is known of it, "" for nothing.
func Reporting(ctx context.Context, what string, status func() string) (end func()) {
	log, began := Log(ctx).V(Progress), time.Now()
	ctx, end = context.WithCancel(ctx)
	if !log.Enabled() {
		return end
	}
	go func() {
		tick := time.NewTicker(reportEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				line := fmt.Sprintf("Waiting for %s %ds", what, int(time.Since(began).Seconds()))
				if text := status(); text != "" {
					line += ": " + text
				}
				log.Info(line)
			}
		}
	}()
	return end
}
