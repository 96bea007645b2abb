package cluster

import (
	"context"

	"k8s.io/klog/v2"
)

// LogName is the name of the loggers whose lines hold no secrets: no body, no header, no value of an object. Lines of
// other loggers are those of libraries, which may quote anything.
const LogName = "k8sconnect"

// What the levels of a line mean.
const (
	// Progress is the level of lines that show the progress of a wait.
	Progress = 0
	// Steps is the level of lines that show each step: requests, retries, versions of a watched object.
	Steps = 1
)

// Log returns the logger of an operation.
func Log(ctx context.Context) klog.Logger { return klog.FromContext(ctx).WithName(LogName) }
