package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// Transfers is the one warning of a plan that takes fields: each with its values before and after, its
// owners, and the ignore_fields line that leaves all of them alone. ignored are the patterns that the
// configuration has already.
func Transfers(plan ssa.Plan, ignored []string) diag.Diagnostic {
	var text strings.Builder
	takes, leave := "takes a field from another owner and changes its value", "To leave it to its owner, with the value it has now"
	if n := len(plan.Transfers); n > 1 {
		takes = fmt.Sprintf("takes %d fields from other owners and changes their values", n)
		leave = "To leave them to their owners, with the values they have now"
	}
	fmt.Fprintf(&text, "%s: the apply %s:\n", plan.Object, takes)
	line := append([]string(nil), ignored...)
	for _, transfer := range plan.Transfers {
		fmt.Fprintf(&text, "\n  %s: %q -> %q, owned by %s", transfer.Field, transfer.Was, transfer.Becomes, managers(transfer.From))
		if plan.Forecast.ManagedState[transfer.Field] == transfer.Was {
			fmt.Fprintf(&text, "\n    Only the spelling differs; write %q as the API server does, and the owner keeps its share.", transfer.Was)
		}
		line = append(line, transfer.Field)
	}
	text.WriteString("\n\n" + leave + ":\n\n  ignore_fields = [")
	for i, field := range line {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(hclString(field))
	}
	text.WriteString("]")
	return diag.NewWarningDiagnostic(about("Field Ownership Conflict", plan.Object), text.String())
}

func managers(all []ownership.Manager) string {
	texts := make([]string, len(all))
	for i, manager := range all {
		texts[i] = manager.String()
	}
	return strings.Join(texts, " and ")
}

// about puts the object into a warning's summary. Terraform folds warnings of one summary into the first
// and a count, which would hide what happens to all objects but one.
func about(summary string, id manifest.Identity) string {
	return summary + ": " + id.String()
}

// hclString is text as a quoted HCL string.
func hclString(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "${", "$${", "%{", "%%{").Replace(text)
	return `"` + escaped + `"`
}

// Unmatched warns of patterns that cover nothing.
func Unmatched(id manifest.Identity, patterns []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Ignored Field Not Found", id), fmt.Sprintf(
		"%s: neither yaml_body nor the object on the cluster has a field that ignore_fields covers with %s.\n\n"+
			"Correct the path, or remove it; field_ownership lists the paths that the object has.",
		id, quoteAll(patterns)))
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = hclString(text)
	}
	return strings.Join(quoted, " and ")
}

// Immutable warns that a plan replaces the object because of these fields.
func Immutable(id manifest.Identity, fields []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Immutable Field", id), fmt.Sprintf(
		"%s: the API server does not allow to change %s of an existing object, so the plan deletes the object and creates it anew.\n\n"+
			"To keep the object, set the field back in yaml_body or list it in ignore_fields.",
		id, strings.Join(fields, ", ")))
}

// Diverged warns that an apply met other writers.
func Diverged(id manifest.Identity, fields []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Changed During Apply", id), fmt.Sprintf(
		"%s: while the apply ran, others wrote to it, so these fields differ from what the plan showed: %s.\n\n"+
			"The state holds what was planned; the next plan reads the object again and shows the difference.",
		id, strings.Join(fields, ", ")))
}

// Overwritten warns of what an apply took from others who wrote after its plan was made.
func Overwritten(id manifest.Identity, fields []ssa.Overwritten) diag.Diagnostic {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: others wrote to it after the plan was made, and the apply set these fields to the planned values again:\n", id)
	for _, field := range fields {
		fmt.Fprintf(&text, "\n  %s, written by %s", field.Field, field.By)
	}
	text.WriteString("\n\nIf the others are to decide, list the fields in ignore_fields.")
	return diag.NewWarningDiagnostic(about("Object Changed During Apply", id), text.String())
}

// Superseded warns that the object which was deleted has a successor.
func Superseded(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Created Anew", id), fmt.Sprintf(
		"%s: the object of this resource is gone. Somebody has created another one of the same name since, which was not touched.\n\n"+
			"Delete that one too if it is not wanted.", id))
}

// Incident warns of something that went otherwise than planned with an object that was applied.
func Incident(id manifest.Identity, incident ssa.Incident) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Applied With Incident", id), fmt.Sprintf("%s: %s", id, incident))
}

// ServerWarning passes on a Warning header of the API server.
func ServerWarning(id manifest.Identity, warning string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("API Server Warning", id), fmt.Sprintf("%s: %s", id, warning))
}
