package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// StillMissingError reports that the wait for a kind, a namespace or a webhook ended before it was available.
type StillMissingError struct {
	// Waited is how long the operation tried.
	Waited time.Duration
	// Last is the server's last error.
	Last error
	// End is why the wait ended.
	End WaitEnd
}

// WaitEnd is why a wait ended without success; it is empty if the operation's timeout ran out.
type WaitEnd string

// GaveWay means that every operation in flight waited; see [WaitQueue].
const GaveWay WaitEnd = "GaveWay"

func (e *StillMissingError) Error() string {
	return fmt.Sprintf("%s; waited %s for it", e.Last, e.Waited.Round(time.Second))
}

// Unwrap returns the last error.
func (e *StillMissingError) Unwrap() error { return e.Last }

// mayAppear reports whether an error may go away because another resource of the same apply is still being created.
func mayAppear(err error) bool {
	switch cluster.ReasonOf(err) {
	case cluster.ReasonNamespaceNotFound,
		cluster.ReasonNamespaceTerminating,
		cluster.ReasonKindNotServed,
		cluster.ReasonAPIUnavailable,
		cluster.ReasonNotYetAdmitted,
		cluster.ReasonWebhookUnreachable:
		return true
	}
	return false
}

// MissingFor returns the object whose absence is the reason of an error about another object, which may be its
// namespace.
func MissingFor(id manifest.Identity, err error) manifest.Identity {
	if refused, is := errors.AsType[*cluster.NotYetAdmittedError](err); is {
		return refused.Missing
	}
	return manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: id.Namespace}
}

// AwaitSettled repeats try while its error may go away, until ctx ends or the wait has to give way.
func AwaitSettled(ctx context.Context, queue *WaitQueue, try func() error) error {
	return await(ctx, queue, NotReady, try)
}

// AwaitWebhook repeats try while an admission webhook cannot be reached, until ctx ends or the wait has to give way.
func AwaitWebhook(ctx context.Context, queue *WaitQueue, try func() error) error {
	return await(ctx, queue, forgivingWebhook, try)
}

// AwaitObject repeats try while an object, its kind or its namespace does not exist, until ctx ends or the wait has to
// give way.
func AwaitObject(ctx context.Context, queue *WaitQueue, try func() error) error {
	return await(ctx, queue, func(err error) error {
		if cluster.ReasonOf(err) == cluster.ReasonNotFound {
			return nil
		}
		return NotReady(err)
	}, try)
}

func forgivingWebhook(err error) error {
	if cluster.ReasonOf(err) == cluster.ReasonWebhookUnreachable {
		return nil
	}
	return err
}

// await repeats try while forgive returns nil for its error.
func await(ctx context.Context, queue *WaitQueue, forgive func(error) error, try func() error) error {
	start := time.Now()
	pause := wait.Backoff{
		Duration: 250 * time.Millisecond, Factor: 1.6, Jitter: 0.2, Steps: 1 << 20, Cap: 3 * time.Second,
	}
	var last error
	var queued *queuedWait
	timedOut := false
	defer func() {
		if queued != nil {
			queue.leave(queued, timedOut)
		}
	}()
	for {
		err := try()
		var unclear *cluster.OutcomeUnknownError
		switch {
		// A request with an unknown outcome may have created the object, so it is not repeated.
		case err == nil || errors.As(err, &unclear):
			return err
		// The deadline ended this request. The error before it shows the missing object.
		case last != nil && ctx.Err() != nil &&
			(errors.Is(err, ctx.Err()) || cluster.ReasonOf(err) == cluster.ReasonTimeout):
			timedOut = true
			return &StillMissingError{Waited: time.Since(start), Last: last}
		case forgive(err) != nil:
			return err
		}
		last = err
		if queued == nil {
			back, has := LeaveTurn(ctx)
			queued = queue.enter(has)
			defer back()
		}
		select {
		case <-ctx.Done():
			timedOut = true
			return &StillMissingError{Waited: time.Since(start), Last: last}
		case <-queued.giveWay:
			return &StillMissingError{Waited: time.Since(start), Last: last, End: GaveWay}
		case <-time.After(pause.Step()):
		}
	}
}

// NotReady returns nil for an error that may go away because another resource of the same apply is still being created,
// and any other error as it is.
func NotReady(err error) error {
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	if is && cluster.ReasonOf(err) == cluster.ReasonKindNotServed && unserved.BuiltinGroup {
		return err
	}
	if mayAppear(err) {
		return nil
	}
	return err
}
