package ssa

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// SettlingError is a kind or namespace that did not come into being before the timeout ran out.
type SettlingError struct {
	// Waited is how long the operation tried.
	Waited time.Duration
	// Last is what the server said last.
	Last error
}

func (e *SettlingError) Error() string {
	return fmt.Sprintf("%s; waited %s for it", e.Last, e.Waited.Round(time.Second))
}

// Unwrap gives the last error.
func (e *SettlingError) Unwrap() error { return e.Last }

// isSettling says whether an error may go away because another resource of the same apply is still
// being created.
func isSettling(err error) bool {
	switch ReasonOf(err) {
	case ReasonNamespaceNotFound, ReasonNamespaceTerminating, ReasonKindNotServed:
		return true
	}
	return false
}

// awaitSettled repeats try while its error may go away, until ctx ends.
func awaitSettled(ctx context.Context, try func() error) error {
	start := time.Now()
	pause := wait.Backoff{Duration: 250 * time.Millisecond, Factor: 1.6, Jitter: 0.2, Steps: 1 << 20, Cap: 3 * time.Second}
	var last error
	for {
		err := try()
		var unclear *UnclearError
		switch {
		case err == nil || errors.As(err, &unclear):
			return err
		case last != nil && ctx.Err() != nil && (errors.Is(err, ctx.Err()) || ReasonOf(err) == ReasonTimeout):
			return &SettlingError{Waited: time.Since(start), Last: last}
		case settling(err) != nil:
			return err
		}
		last = err
		select {
		case <-ctx.Done():
			return &SettlingError{Waited: time.Since(start), Last: last}
		case <-time.After(pause.Step()):
		}
	}
}
