package cluster

import (
	"context"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// AfterFailure returns the pauses after a failure that may be temporary: from 200 ms, doubled up to longest.
func AfterFailure(longest time.Duration) wait.Backoff {
	return wait.Backoff{Duration: 200 * time.Millisecond, Factor: 2, Jitter: 0.2, Steps: math.MaxInt32, Cap: longest}
}

// AfterConflict returns the pauses after a write that failed because another writer was first: from 10 ms, doubled up
// to longest.
func AfterConflict(longest time.Duration) wait.Backoff {
	return wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: math.MaxInt32, Cap: longest}
}

// Retry calls attempt until that returns false, and pauses after each call. attempt gets the length of the pause that
// would follow. Retry returns the error of ctx if that ends during a pause.
func Retry(ctx context.Context, pauses wait.Backoff, attempt func(pause time.Duration) (again bool)) error {
	for {
		pause := pauses.Step()
		if !attempt(pause) {
			return nil
		}
		if !Pause(ctx, pause) {
			return ctx.Err()
		}
	}
}

// Pause waits, and returns false if ctx ends first.
func Pause(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}

// betweenWrites is the longest time between two attempts to write an object that other managers write too.
const betweenWrites = 200 * time.Millisecond

// Contend repeats attempt, after short pauses, for as long as that returns true: another client has written to the
// object first. It returns the error of the last attempt, or, if ctx ended meanwhile, one with the reason.
func Contend(ctx context.Context, id manifest.Identity, attempt func() (again bool, err error)) error {
	var last error
	lost := false
	ended := Retry(ctx, AfterConflict(betweenWrites), func(time.Duration) (again bool) {
		again, last = attempt()
		lost = lost || again
		return again
	})
	if ended == nil && lost && ReasonOf(last) == ReasonTimeout {
		ended = last // Its request is the one that the timeout cut, which is not the reason.
	}
	if ended == nil {
		return last
	}
	return &Error{Reason: ReasonTimeout, Object: id, Message: "others kept writing to the object", Cause: ended}
}
