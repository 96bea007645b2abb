package diagnostics

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// Changes returns the one warning of a plan. It lists the fields that the apply takes from other managers by setting
// another value, and the fields that are released, stay with other managers, or become shared. now is the time from
// which the ages of their writes are computed.
func (w Words) Changes(plan ssa.Plan, now time.Time) diag.Diagnostic {
	summary := "Field Ownership Change"
	if len(plan.Conflicts()) > 0 {
		summary = "Field Ownership Conflict"
	}
	text := changes.New(phrases.Names(w), plan, now).Text()
	return diag.NewWarningDiagnostic(about(summary, plan.Object), plan.Object.String()+": "+text)
}

// ChangesOfRecreated returns the warning of Changes about an object that is not the one of the last apply.
func (w Words) ChangesOfRecreated(plan ssa.Plan, err *registry.RecreatedError, now time.Time) diag.Diagnostic {
	text := changes.New(phrases.Names(w), plan, now).Text()
	return diag.NewWarningDiagnostic(about("Object Was Recreated", plan.Object), w.recreated(err)+"\n\nThe plan for this object: "+text)
}

// ConflictsRefused returns the error of a plan with conflicts that on_conflict = "fail" refuses.
func (w Words) ConflictsRefused(plan ssa.Plan, now time.Time) diag.Diagnostic {
	text := changes.New(phrases.Names(w), plan, now).Refused()
	return diag.NewErrorDiagnostic("Field Ownership Conflict", plan.Object.String()+": "+text)
}
