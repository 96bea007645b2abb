package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

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

// UnmatchedSensitive warns of patterns of sensitive_fields that cover nothing.
func UnmatchedSensitive(id manifest.Identity, patterns []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Sensitive Field Not Found", id), fmt.Sprintf(
		"%s: neither yaml_body nor the object on the cluster has a field that sensitive_fields covers with %s, so nothing is hidden by it.\n\n"+
			"Correct the path, or remove it; field_ownership lists the paths that the object has.",
		id, quoteAll(patterns)))
}

// Unmatched warns of patterns that cover nothing.
func Unmatched(id manifest.Identity, patterns []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Ignored Field Not Found", id), fmt.Sprintf(
		"%s: neither yaml_body nor the object on the cluster has a field that ignore_fields covers with %s.\n\n"+
			"Correct the path, or remove it; field_ownership lists the paths that the object has.",
		id, quoteAll(patterns)))
}

func quoteAll(texts []string) string { return strings.Join(hclStrings(texts), " and ") }

// quoteList is what stands between the brackets of an HCL list.
func quoteList(texts []string) string { return strings.Join(hclStrings(texts), ", ") }

func hclStrings(texts []string) []string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = hclString(text)
	}
	return quoted
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

// LeftOut warns of fields of a manifest that are not sent. Its summary is general: manifests that a generator
// wrote all have them.
func LeftOut(id manifest.Identity, fields []string) diag.Diagnostic {
	sent, them := "is not sent", "it"
	if len(fields) > 1 {
		sent, them = "are not sent", "them"
	}
	return diag.NewWarningDiagnostic("Fields of the API Server Left Out", fmt.Sprintf(
		"%s: %s %s, because the API server alone writes %s.\n\nRemove %s from yaml_body.", id, strings.Join(fields, ", "), sent, them, them))
}

// ServerWarning passes on a Warning header of the API server.
func ServerWarning(id manifest.Identity, warning string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("API Server Warning", id), fmt.Sprintf("%s: %s", id, warning))
}
