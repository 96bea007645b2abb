package objectkit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// The timeouts of operations if the configuration sets none.
const (
	createTimeout = 2 * time.Minute
	readTimeout   = time.Minute
	updateTimeout = 2 * time.Minute
	deleteTimeout = 10 * time.Minute
	// forceTimeout is the time for a deletion after the delete timeout has run out and its finalizers are removed.
	forceTimeout = time.Minute
)

// withTimeout bounds an operation by the timeout that the configuration sets, else by fallback.
func withTimeout(ctx context.Context, configured func(context.Context, time.Duration) (time.Duration, diag.Diagnostics), fallback time.Duration) (context.Context, context.CancelFunc, diag.Diagnostics) {
	timeout, diags := configured(ctx, fallback)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, diags
}
