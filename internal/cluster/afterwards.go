package cluster

import (
	"context"
	"errors"
	"time"
)

// Afterwards returns a context for what a message about an operation asks of the server: with time of its own, because
// the deadline of ctx is often what the message is about. It ends if ctx is cancelled.
func Afterwards(ctx context.Context, within time.Duration) (context.Context, context.CancelFunc) {
	later, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return later, func() {
		stop()
		cancel()
	}
}
