package objectkit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// The timeouts of operations if the configuration sets none.
const (
	createTimeout = 2 * time.Minute
	readTimeout   = time.Minute
	updateTimeout = 2 * time.Minute
	deleteTimeout = 10 * time.Minute
)

// timeoutOf returns the timeout that the configuration sets, else fallback.
type timeoutOf = func(ctx context.Context, fallback time.Duration) (time.Duration, diag.Diagnostics)

// withTimeout bounds an operation by the timeout that the configuration sets, else by fallback.
func withTimeout(
	ctx context.Context, configured timeoutOf, fallback time.Duration,
) (context.Context, context.CancelFunc, diag.Diagnostics) {
	timeout, diags := configured(ctx, fallback)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, diags
}

// await calls make for a plan whose dry-run may need an admission webhook that is not running yet. In the plan that the
// CLI shows, the values are then unknown. In the plan that the apply makes, or if the provider cannot tell which plan
// it is, await waits for the webhook, and for what else repeat waits for, as long as the apply may take: the shown plan
// may have had values, and they must not become unknown.
func (c *change) await(
	ctx context.Context, repeat func(context.Context, *run.WaitQueue, func() error) error,
	make func(context.Context) (ssa.Plan, error),
) (ssa.Plan, error) {
	patient, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	current := c.resource.provider.Run()
	var plan ssa.Plan
	err := repeat(patient, &current.Waits, func() (err error) {
		bounded, cancel, diags := withTimeout(ctx, c.plan.Timeouts.Read, readTimeout)
		defer cancel()
		c.diags.Append(diags...)
		plan, err = make(bounded)
		return plan.ForgiveWebhook(err, current.Rounds.Current())
	})
	return plan, err
}

// applyTimeout returns how long the apply of the plan may take. The apply, not the plan, reports an invalid timeout.
func (c *change) applyTimeout(ctx context.Context) time.Duration {
	configured, fallback := c.plan.Timeouts.Create, createTimeout
	if c.state != nil {
		configured, fallback = c.plan.Timeouts.Update, updateTimeout
	}
	timeout, diags := configured(ctx, fallback)
	if diags.HasError() {
		return fallback
	}
	return timeout
}
