package objectkit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// WithTimeout bounds an operation by the timeout that the configuration sets, else by fallback.
func WithTimeout(ctx context.Context, configured func(context.Context, time.Duration) (time.Duration, diag.Diagnostics), fallback time.Duration) (context.Context, context.CancelFunc, diag.Diagnostics) {
	timeout, diags := configured(ctx, fallback)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, diags
}
