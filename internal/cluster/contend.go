package cluster

import (
	"context"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

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
	return &Error{
		Reason: ReasonTimeout, Object: id, Message: "others kept writing to the object", Cause: ended,
	}
}
