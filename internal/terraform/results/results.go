// Package results plans and fills in the attributes about an object other than those about its fields: whether it is
// ready, and the values that it exports.
//
//	diags = results.Plan(plan, state, pending)
//	diags = results.Await(ctx, api, &observed, plan, results.Operation{…})
package results

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/exports"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// Plan plans ready, values and sensitive_values, and refuses secret fields in exports. before is nil for a new object.
// pending is true if the plan applies something.
func Plan(plan, before *model.Model, pending bool) diag.Diagnostics {
	switch {
	// A rule may still add a wait.
	case model.WaitOf(plan).IsNull() && !plan.RulesApplied.IsUnknown():
		plan.Ready = types.BoolNull()
	case before == nil || pending || !plan.ArgumentsKnown() || !model.WaitOf(plan).Equal(model.WaitOf(before)) ||
		!before.Ready.ValueBool():
		plan.Ready = types.BoolUnknown() // The apply waits.
	default:
		plan.Ready = before.Ready
	}
	return planValues(plan, before)
}

// planValues plans values and sensitive_values, once ready is planned.
func planValues(plan, before *model.Model) diag.Diagnostics {
	if plan.Exports.IsNull() && plan.SensitiveExports.IsNull() {
		plan.Values, plan.SensitiveValues = types.MapNull(types.StringType), types.MapNull(types.StringType)
		return nil
	}
	plan.Values, plan.SensitiveValues = exports.Unknown(plan.Exports), exports.Unknown(plan.SensitiveExports)
	if !plan.ArgumentsKnown() {
		return nil
	}
	args, diags := plan.Arguments()
	if diags.HasError() {
		return diags
	}
	secret := slices.Concat(args.Sensitive, args.WriteOnly.Patterns())
	diags.Append(exports.RefuseSecret(plan.Exports, args.Manifest.IsSecret(), secret)...)
	diags.Append(exports.RefuseWriteOnly(plan.SensitiveExports, args.WriteOnly.Patterns())...)
	if before == nil || plan.ManagedState.IsUnknown() {
		return diags
	}
	was, _ := before.Arguments()
	sent, now := wanted.Wanted{Arguments: was}.Sent(), wanted.Wanted{Arguments: args}.Sent()
	var changed []string
	if plan.Ready.IsUnknown() {
		wait, _ := waits.Of(model.WaitOf(plan).Attributes())
		changed = wait.Fields
	}
	shown := before.ManagedState.Elements()
	for field, value := range plan.ManagedState.Elements() {
		if !value.Equal(shown[field]) { // Others have changed it, or its new value is not known yet.
			changed = append(changed, field)
		}
	}
	plan.Values = exports.Planned(plan.Exports, exports.Prior{
		Exports: before.Exports, Values: before.Values, Body: sent, Changed: changed,
	}, now)
	plan.SensitiveValues = exports.Planned(plan.SensitiveExports, exports.Prior{
		Exports: before.SensitiveExports, Values: before.SensitiveValues, Body: sent, Changed: changed,
	}, now)
	return diags
}

// Replaces reports whether an object that an earlier create has left unready is to be replaced.
func Replaces(plan *model.Model) bool {
	wait, err := waits.Of(model.WaitOf(plan).Attributes())
	return err == nil && wait.OnFailure == waits.Replaces
}

// IsUnfinished reports whether a state may be that of a create that ended with an error: nothing has seen the object,
// or a wait whose failure is an error has not seen it ready.
func IsUnfinished(state *model.Model) bool {
	wait, err := waits.Of(model.WaitOf(state).Attributes())
	isUnready := !state.Ready.IsNull() && !state.Ready.ValueBool() && wait.OnFailure != waits.Reports
	return err == nil && (isUnready || state.UID() == "")
}

// IsOpen reports whether the plan leaves a result unknown.
func IsOpen(plan *model.Model) bool {
	return plan.Ready.IsUnknown() || exports.HasUnknown(plan.Values) || exports.HasUnknown(plan.SensitiveValues)
}

// Operation is a create or an update: the time when it began, its timeout, and the words for its diagnostics.
type Operation struct {
	Creates bool
	// Unforeseen is true if the plan could not know that something is applied: its value of ready is known then.
	Unforeseen bool
	// IsPart is true for a part of an object of another client.
	IsPart  bool
	Began   time.Time
	Timeout func(ctx context.Context, fallback time.Duration) (time.Duration, diag.Diagnostics)
	Words   diagnostics.Names
	// Undo is the way back from an update; nil if the operation has applied nothing that could be undone.
	Undo *Undo
	// Explain returns the diagnostic of an error that ends a wait.
	Explain func(diagnostics.Operation, manifest.Identity, error) diag.Diagnostic
}

// outcome returns what a failed wait means.
func (o Operation) outcome(wait waits.Wait) unready.Outcome {
	switch {
	case wait.OnFailure == waits.Reports:
		return unready.OnlyReported
	case o.Creates && o.IsPart:
		return unready.PatchedAgain
	case o.Creates && wait.OnFailure == waits.Replaces:
		return unready.Tainted
	case o.Creates:
		return unready.Stays
	default:
		return unready.StateKept
	}
}

// Await waits until an applied object is ready, if its value of ready is unknown in the plan, or the apply was
// unforeseen. It sets ready, unless Terraform knows the value, and the last version of the object that it saw. The
// timeout of the configuration is for the whole operation. Without a timeout, the wait has its own limit.
func Await(
	ctx context.Context, api cluster.Interface, observed *record.Observed, plan *model.Model, in Operation,
) diag.Diagnostics {
	var diags diag.Diagnostics
	foreseen := plan.Ready
	if !foreseen.IsUnknown() && (!in.Unforeseen || !foreseen.ValueBool()) {
		return diags
	}
	id, live := observed.Object, &unstructured.Unstructured{Object: observed.Live}
	plan.Ready = plan.ReadyAs(true)
	wait, err := waits.Of(model.WaitOf(plan).Attributes())
	if err != nil || wait.Judge == nil || plan.Ready.IsNull() {
		return diags // Validation has refused an invalid wait before.
	}
	limit, faults := in.Timeout(ctx, time.Since(in.Began)+waiting.Limit(live))
	diags.Append(faults...)
	ctx, cancel := context.WithDeadline(ctx, in.Began.Add(limit))
	defer cancel()
	back, _ := run.LeaveTurn(ctx)
	end, err := waiting.Await(ctx, api, id, live, wait.Goal)
	back()
	observed.Live = end.Live.Object
	if plan.Ready = plan.ReadyAs(err == nil); !foreseen.IsUnknown() {
		plan.Ready = foreseen
	}
	notReady, is := errors.AsType[*waiting.NotReadyError](err)
	if is && !notReady.Interrupted && wait.OnFailure == waits.Undoes && in.Undo != nil {
		in.Undo.Failed, err = notReady, nil // The undo says what has become of the object.
	}
	// With so long a name, a claim cannot be handed over between the halves of a replacement, which then deletes the
	// object.
	if wait.OnFailure != waits.Reports &&
		(record.HandedOver(plan.FieldManager.ValueString()) == "" || is && HasFailed(plan, *observed)) {
		wait.OnFailure = waits.Replaces
	}
	outcome := in.outcome(wait)
	if is && notReady.Interrupted {
		outcome = unready.Interrupted
	}
	diags.Append(waits.Report(in.Words, end, err, outcome, in.Explain)...)
	return diags
}

// Refresh sets ready to true if the object has become ready since the last wait.
func Refresh(ctx context.Context, api cluster.Interface, m *model.Model, observed record.Observed) {
	if m.Ready.IsNull() || m.Ready.ValueBool() {
		return
	}
	wait, err := waits.Of(model.WaitOf(m).Attributes())
	kind, unserved := api.Kind(ctx, observed.Object.APIVersion, observed.Object.Kind)
	if err != nil || unserved != nil || wait.Judge == nil {
		return
	}
	if wait.Judge(&unstructured.Unstructured{Object: observed.Live}, kind.HasStatus).State == readiness.Ready {
		m.Ready = types.BoolValue(true)
	}
}

// SaveCompleted stores whether what an apply has left is a Job that is complete.
func SaveCompleted(ctx context.Context, private privatestate.Private, observed record.Observed) diag.Diagnostics {
	var job privatestate.Completed
	if readiness.IsCompletedJob(&unstructured.Unstructured{Object: observed.Live}) {
		job.UID = observed.UID
	}
	return job.Save(ctx, private)
}

// RefreshCompleted notes a Job that a read has found complete. A Job that is not complete changes nothing: if another
// client has created it again, that was after the run.
func RefreshCompleted(
	ctx context.Context, private privatestate.Private, m *model.Model, observed record.Observed,
) diag.Diagnostics {
	was, diags := privatestate.LoadCompleted(ctx, private)
	now := privatestate.Completed{UID: was.UID}
	if !m.IsPart && readiness.IsCompletedJob(&unstructured.Unstructured{Object: observed.Live}) {
		now.UID = observed.UID
	}
	if now != was && !diags.HasError() {
		diags.Append(now.Save(ctx, private)...)
	}
	return diags
}

// KeepGone reports whether a state keeps an object that a read has not found: a Job that is to run once and was seen
// complete. It notes that the Job is gone.
func KeepGone(ctx context.Context, private privatestate.Private, m *model.Model) (bool, diag.Diagnostics) {
	job, diags := privatestate.LoadCompleted(ctx, private)
	if diags.HasError() || job.UID == "" || !model.RunsOnce(m) {
		return false, diags
	}
	if !job.IsGone {
		job.IsGone = true
		diags.Append(job.Save(ctx, private)...)
	}
	return true, diags
}

// PlanGone plans the results of a Job that has run and is gone, and refuses to export values that only the Job has.
func PlanGone(plan, before *model.Model) diag.Diagnostics {
	plan.Ready = plan.ReadyAs(true)
	diags := planValues(plan, before)
	if id, faults := before.Object(); IsOpen(plan) && !faults.HasError() {
		diags.Append(unready.GoneUnexported(id))
	}
	return diags
}

// NeedsWait reports whether a plan runs a Job once without a wait that sees it complete.
func NeedsWait(plan *model.Model) bool {
	given := model.WaitOf(plan)
	if plan.RulesApplied.IsUnknown() || given.IsUnknown() || !model.RunsOnce(plan) {
		return false
	}
	wait, err := waits.Of(given.Attributes())
	return err == nil && (given.IsNull() || !wait.SeesCompletion)
}

// HasFailed reports whether an object is a Job that is to run once and has failed. It will not become ready.
func HasFailed(m *model.Model, observed record.Observed) bool {
	return model.RunsOnce(m) && readiness.Of(&unstructured.Unstructured{Object: observed.Live}, true).Final
}
