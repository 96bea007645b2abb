package objectkit

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// planExports plans values and sensitive_values, and refuses secret fields in exports.
func (c *change) planExports() {
	plan := c.plan
	if c.diags.HasError() || plan.Exports.IsNull() && plan.SensitiveExports.IsNull() {
		plan.Values, plan.SensitiveValues = types.MapNull(types.StringType), types.MapNull(types.StringType)
		return
	}
	plan.Values, plan.SensitiveValues = exports.Unknown(plan.Exports), exports.Unknown(plan.SensitiveExports)
	if !plan.argumentsKnown() {
		return
	}
	intent, diags := plan.intent()
	if c.diags.Append(diags...); diags.HasError() {
		return
	}
	c.diags.Append(exports.RefuseSecret(plan.Exports, intent.Manifest.IsSecret(), slices.Concat(intent.Sensitive, record.PatternsOf(intent.WriteOnly.Fields)))...)
	if c.state == nil || len(c.replaces) > 0 {
		return
	}
	was, _ := c.state.intent()
	before, now := was.Sent(), intent.Sent()
	var awaited []string
	if plan.Ready.IsUnknown() {
		wait, _ := waits.Of(plan.Wait.Attributes())
		awaited = wait.Fields
	}
	plan.Values = exports.Planned(plan.Exports, exports.Prior{Exports: c.state.Exports, Values: c.state.Values, Body: before, Awaited: awaited}, now)
	plan.SensitiveValues = exports.Planned(plan.SensitiveExports,
		exports.Prior{Exports: c.state.SensitiveExports, Values: c.state.SensitiveValues, Body: before, Awaited: awaited}, now)
}

// settle fills in the attributes that are still unknown after an update that applies nothing: it reads the object, waits
// for it, and takes its values.
func (r *Resource) settle(ctx context.Context, prior record.Prior, plan *Model, in operation) diag.Diagnostics {
	if !plan.Ready.IsUnknown() && !exports.HasUnknown(plan.Values) && !exports.HasUnknown(plan.SensitiveValues) {
		return nil
	}
	api, _, diags := r.connectToApply(ctx, plan.Connection, diagnostics.Updated, prior.Snapshot)
	if diags.HasError() {
		return diags
	}
	live, err := cluster.Get(ctx, api, prior.Object)
	if err == nil {
		err = prior.CheckUID(live)
	}
	if err != nil {
		diags.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return diags
	}
	observed := record.Observed{Object: prior.Object, UID: string(live.GetUID()), Live: live.Object, Snapshot: prior.Snapshot}
	diags.Append(r.await(ctx, api, &observed, plan, in)...)
	plan.complete(observed)
	return diags
}

// operation is a create or an update: when it began, and how long it may take.
type operation struct {
	creates bool
	began   time.Time
	timeout func(ctx context.Context, fallback time.Duration) (time.Duration, diag.Diagnostics)
}

// outcome returns what a failed wait means.
func (o operation) outcome(reports bool) diagnostics.Outcome {
	switch {
	case reports:
		return diagnostics.OnlyReported
	case o.creates:
		return diagnostics.Tainted
	default:
		return diagnostics.StateKept
	}
}

// planWait plans ready. It is unknown if the apply waits: after every change, if the wait itself changes, and as long as the
// object has not been ready.
func (c *change) planWait() {
	switch {
	case c.plan.Wait.IsNull():
		c.plan.Ready = types.BoolNull()
	case c.state == nil || len(c.replaces) > 0 || c.pending || !c.plan.argumentsKnown() ||
		!c.plan.Wait.Equal(c.state.Wait) || !c.state.Ready.ValueBool():
		c.plan.Ready = types.BoolUnknown()
	default:
		c.plan.Ready = c.state.Ready
	}
}

// await waits until an applied object is ready, if the plan says so. It sets ready and the last version of the object that it
// saw. The timeout of the configuration is for the whole operation. Without a timeout, the wait has its own limit.
func (r *Resource) await(ctx context.Context, api cluster.Interface, observed *record.Observed, plan *Model, in operation) diag.Diagnostics {
	var diags diag.Diagnostics
	if !plan.Ready.IsUnknown() {
		return diags
	}
	id, live := observed.Object, &unstructured.Unstructured{Object: observed.Live}
	plan.Ready = plan.readyAs(true)
	wait, err := waits.Of(plan.Wait.Attributes())
	if err != nil || wait.Judge == nil {
		return diags // Validation has refused an invalid wait before.
	}
	limit, faults := in.timeout(ctx, time.Since(in.began)+waiting.Limit(live))
	diags.Append(faults...)
	ctx, cancel := context.WithDeadline(ctx, in.began.Add(limit))
	defer cancel()
	end, err := waiting.Await(ctx, api, id, live, wait.Judge)
	observed.Live = end.Live.Object
	plan.Ready = plan.readyAs(err == nil)
	diags.Append(waits.Report(r.Words, end, err, in.outcome(wait.Reports), r.explain)...)
	return diags
}

// judgeAgain sets ready to true if the object has become ready since the last wait.
func (m *Model) judgeAgain(ctx context.Context, api cluster.Interface, observed record.Observed) {
	if m.Ready.IsNull() || m.Ready.ValueBool() {
		return
	}
	wait, err := waits.Of(m.Wait.Attributes())
	kind, unserved := api.Kind(ctx, observed.Object.APIVersion, observed.Object.Kind)
	if err != nil || unserved != nil || wait.Judge == nil {
		return
	}
	if wait.Judge(&unstructured.Unstructured{Object: observed.Live}, kind.HasStatus).State == readiness.Ready {
		m.Ready = types.BoolValue(true)
	}
}
