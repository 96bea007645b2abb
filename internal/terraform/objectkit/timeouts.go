package objectkit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// The timeouts of operations if the configuration sets none.
const (
	createTimeout = 2 * time.Minute
	readTimeout   = time.Minute
	updateTimeout = 2 * time.Minute
	deleteTimeout = 10 * time.Minute
	// forceTimeout bounds a forced deletion: the removal of finalizers after the delete timeout has run out.
	forceTimeout = time.Minute
)

// withTimeout bounds an operation by the timeout that the configuration sets, else by fallback.
func withTimeout(ctx context.Context, configured func(context.Context, time.Duration) (time.Duration, diag.Diagnostics), fallback time.Duration) (context.Context, context.CancelFunc, diag.Diagnostics) {
	timeout, diags := configured(ctx, fallback)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, diags
}

// awaitWebhook calls make for a plan whose dry-run may need an admission webhook that is not running yet. In the plan that
// the CLI shows, the values are then unknown. In the plan that the apply makes, or if the provider cannot tell which plan
// it is, awaitWebhook waits for the webhook as long as the apply may take: the shown plan may have had values, and they
// must not become unknown.
func (c *change) awaitWebhook(ctx context.Context, make func(context.Context) (ssa.Plan, error)) (ssa.Plan, error) {
	return c.await(ctx, registry.AwaitWebhook, make)
}

// await does what awaitWebhook does, for a plan that may also wait for something else.
func (c *change) await(ctx context.Context, await func(context.Context, *registry.WaitQueue, func() error) error, make func(context.Context) (ssa.Plan, error)) (ssa.Plan, error) {
	patient, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	run := c.resource.provider.Registry()
	var plan ssa.Plan
	err := await(patient, &run.Waits, func() (err error) {
		bounded, cancel, diags := withTimeout(ctx, c.plan.Timeouts.Read, readTimeout)
		defer cancel()
		c.diags.Append(diags...)
		plan, err = make(bounded)
		return plan.ForgiveWebhook(err, run.Rounds.Round())
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
