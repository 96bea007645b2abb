package diagnostics

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics/phrases"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// Changes returns the one warning of a plan: the fields that change hands against somebody's value, and those
// that are released, stay with others, or are shared from now on. now tells how long ago others wrote.
func (w Words) Changes(plan ssa.Plan, now time.Time) diag.Diagnostic {
	summary := "Field Ownership Change"
	if len(plan.Conflicts()) > 0 {
		summary = "Field Ownership Conflict"
	}
	text := changes.New(phrases.Names(w), plan, now).Text()
	return diag.NewWarningDiagnostic(about(summary, plan.Object), plan.Object.String()+": "+text)
}

// ConflictsRefused returns the error of a plan that has conflicts and must not have any.
func (w Words) ConflictsRefused(plan ssa.Plan, now time.Time) diag.Diagnostic {
	text := changes.New(phrases.Names(w), plan, now).Refused()
	return diag.NewErrorDiagnostic("Field Ownership Conflict", plan.Object.String()+": "+text)
}
