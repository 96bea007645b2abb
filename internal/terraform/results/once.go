package results

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

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
