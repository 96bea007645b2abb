package changes

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Planned returns the one warning of a plan. It lists the fields that the apply takes from other managers by setting
// another value, and the fields that are released, stay with other managers, or become shared. now is the time from
// which the ages of their writes are computed.
func Planned(names diagnostics.Names, plan ssa.Plan, now time.Time) diag.Diagnostic {
	summary := "Field Ownership Change"
	if len(plan.Conflicts()) > 0 {
		summary = "Field Ownership Conflict"
	}
	text := plan.Object.String() + ": " + reportOf(names, plan, now).text()
	return diag.NewWarningDiagnostic(names.About(summary, plan.Object), text)
}

// Stays warns of a replacement that updates the object in place, because its create has ended with an error. waits is
// true if the resource has a wait.
func Stays(names diagnostics.Names, id manifest.Identity, waits bool) diag.Diagnostic {
	again := "delete it and plan again:\n\n  " + id.Kubectl("delete")
	if waits {
		again = `set on_failure = "replace" in wait.`
	}
	return diag.NewWarningDiagnostic(names.About("Object Stays", id), diagnostics.Paragraphs(
		id.String()+": an earlier apply created the object, and then failed, so Terraform plans a replacement. The "+
			"object stays and is updated in place.",
		"To create a new one instead, "+again))
}

// Forgotten warns of a plan that gives up an object of a set which is not the one of the last apply.
func Forgotten(names diagnostics.Names, err *run.RecreatedError) diag.Diagnostic {
	return diag.NewWarningDiagnostic(names.About("Object Was Recreated", err.Object),
		diagnostics.RecreatedSince(err)+" So the set does not delete it, and it leaves the state.")
}

// PlannedOnRecreated returns the warning of [Planned] about an object that is not the one of the last apply.
func PlannedOnRecreated(
	names diagnostics.Names, plan ssa.Plan, err *run.RecreatedError, now time.Time,
) diag.Diagnostic {
	text := diagnostics.Paragraphs(
		diagnostics.RecreatedSince(err), "The plan for this object: "+reportOf(names, plan, now).text())
	if names.IsSet() {
		text = diagnostics.Paragraphs(text, diagnostics.ToKeep(names, "leave the object alone", plan.Object))
	}
	return diag.NewWarningDiagnostic(names.About("Object Was Recreated", plan.Object), text)
}

// Refused returns the error of a plan with conflicts that on_conflict = "fail" refuses.
func Refused(names diagnostics.Names, plan ssa.Plan, now time.Time) diag.Diagnostic {
	summary := "Field Ownership Conflict"
	if len(plan.Conflicts()) == 0 {
		summary = "Fields Added by Others"
	}
	return diag.NewErrorDiagnostic(summary, plan.Object.String()+": "+reportOf(names, plan, now).refused())
}

// Unplanned returns the error about an object that another client created after the plan, and that an adoption would
// change. now is the time from which the ages of other managers' writes are computed.
func Unplanned(names diagnostics.Names, err *ssa.UnplannedError, now time.Time) diag.Diagnostic {
	changed := ""
	if len(err.Plan.Changes) > 0 {
		changed = "To adopt it, " + reportOf(names, err.Plan, now).text()
	}
	return diag.NewErrorDiagnostic("Object Changed Since the Plan", diagnostics.Paragraphs(
		err.Plan.Object.String()+": another client created the object after the plan, so the plan does not show what "+
			"its adoption changes. It was not touched.",
		changed, "Plan again: the new plan shows it."))
}
