package diagnostics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// about puts the object into a warning's summary. Terraform folds warnings with the same summary into the first one
// and a count, which would hide what happens to all other objects. Warnings that say the same about every object, and
// ask for one decision, have a general summary.
func about(summary string, id manifest.Identity) string {
	return summary + ": " + id.String()
}

// common puts into a warning's summary something that many objects share, so that Terraform folds their warnings.
func common(summary, what string) string {
	return summary + ": " + what
}

// hclString returns text as a quoted HCL string.
func hclString(text string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "${", "$${", "%{", "%%{").Replace(text)
	return `"` + escaped + `"`
}

// UnmatchedSensitive warns of patterns of sensitive_fields that match nothing. Its summary is general: all
// resources of a for_each have the same mistake.
func UnmatchedSensitive(id manifest.Identity, patterns []intents.UnmatchedPattern) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Sensitive Field Not Found", fmt.Sprintf(
		"%s: no field in yaml_body or on the cluster matches %s in sensitive_fields, so nothing is hidden.\n\n%s",
		id, quoteAll(textsOf(patterns)), meant(patterns)))
}

// Unmatched warns of patterns of ignore_fields that match nothing. Its summary is general, as that of
// UnmatchedSensitive is.
func Unmatched(id manifest.Identity, patterns []intents.UnmatchedPattern) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Ignored Field Not Found", fmt.Sprintf(
		"%s: no field in yaml_body or on the cluster matches %s in ignore_fields.\n\n%s",
		id, quoteAll(textsOf(patterns)), meant(patterns)))
}

// meant says what to write instead of patterns that match nothing.
func meant(patterns []intents.UnmatchedPattern) string {
	var lines []string
	translated := 0
	for _, pattern := range patterns {
		switch {
		case pattern.Translated != "":
			translated++
			lines = append(lines, fmt.Sprintf("Write %s instead of %s.", hclString(pattern.Translated), hclString(pattern.Text)))
		case len(pattern.Nearest) > 0:
			lines = append(lines, fmt.Sprintf("Instead of %s, did you mean %s?", hclString(pattern.Text), alternatives(hclStrings(pattern.Nearest))))
		}
	}
	if translated < len(patterns) {
		lines = append(lines, "Correct the path, or remove it; field_ownership lists the paths that the object has.")
	}
	return strings.Join(lines, "\n")
}

func textsOf(patterns []intents.UnmatchedPattern) []string {
	texts := make([]string, len(patterns))
	for i, pattern := range patterns {
		texts[i] = pattern.Text
	}
	return texts
}

func quoteAll(texts []string) string { return strings.Join(hclStrings(texts), " and ") }

// quoteList returns the text between the brackets of an HCL list.
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
	this, it := "this field", "it"
	if len(fields) > 1 {
		this, it = "these fields", "them"
	}
	return diag.NewWarningDiagnostic(about("Immutable Field", id), fmt.Sprintf(
		"%s: the API server does not allow %s to be changed on an existing object, so the plan deletes the object and creates it again:\n%s\n\n"+
			"To keep the object, set %[4]s back in yaml_body, or ignore %[4]s:\n\n  ignore_fields = [%[5]s]",
		id, this, lines(fields), it, quoteList(fields[:min(len(fields), most)])))
}

// lines returns a list of fields, each on a line of its own.
func lines(fields []string) string {
	var text strings.Builder
	for i, field := range fields {
		if i == most {
			fmt.Fprintf(&text, "\n  and %d more", len(fields)-most)
			break
		}
		text.WriteString("\n  " + field)
	}
	return text.String()
}

// Diverged warns that others changed the object while the apply ran.
func Diverged(id manifest.Identity, fields []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Changed During Apply", id), fmt.Sprintf(
		"%s: others changed the object during the apply, so these fields differ from the plan: %s.\n\n"+
			"The state has the planned values. The next plan reads the object again and shows the difference.",
		id, strings.Join(fields, ", ")))
}

// Overwritten warns of fields that others wrote after the plan, and that the apply set back.
func Overwritten(id manifest.Identity, fields []ssa.Overwritten) diag.Diagnostic {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: others changed the object after the plan, and the apply set these fields back to the planned values:\n", id)
	for _, field := range fields {
		if field.Was != "" {
			fmt.Fprintf(&text, "\n  %s: %q, written by %s", field.Field, field.Was, field.By)
			continue
		}
		fmt.Fprintf(&text, "\n  %s, written by %s", field.Field, field.By)
	}
	text.WriteString("\n\nTo leave these fields to the others, list them in ignore_fields.")
	return diag.NewWarningDiagnostic(about("Object Changed During Apply", id), text.String())
}

// Superseded warns that the object of a destroy is gone, and that another object has its name.
func Superseded(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Was Recreated", id), fmt.Sprintf(
		"%s: the object of this resource is gone. Somebody has since created another object of the same name. That one was not touched.\n\n"+
			"If nobody needs it, delete it too.", id))
}

// ApplyWarning warns that the object was applied, but that something else failed or went differently than planned.
func ApplyWarning(id manifest.Identity, warning ssa.Warning) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Applied With Warnings", id), fmt.Sprintf("%s: %s", id, warning))
}

// LeftOut warns of fields of a manifest that are not sent. Its summaries are general: manifests that a generator
// wrote all have them.
func LeftOut(id manifest.Identity, fields []string) diag.Diagnostics {
	var diags diag.Diagnostics
	ofServer := slices.DeleteFunc(slices.Clone(fields), func(field string) bool { return field == cluster.NamespaceField })
	if len(ofServer) > 0 {
		diags.Append(leftToServer(id, ofServer))
	}
	if len(ofServer) < len(fields) {
		diags.AddWarning("Namespace of a Cluster-Scoped Kind Left Out", fmt.Sprintf(
			"%s: metadata.namespace is not sent, because objects of the kind %s have no namespace.\n\nRemove it from yaml_body.", id, id.Kind))
	}
	return diags
}

func leftToServer(id manifest.Identity, fields []string) diag.Diagnostic {
	sent, them := "is not sent", "it"
	if len(fields) > 1 {
		sent, them = "are not sent", "them"
	}
	return diag.NewWarningDiagnostic("Fields of the API Server Left Out", fmt.Sprintf(
		"%s: %s %s, because only the API server writes %s.\n\nRemove %s from yaml_body.", id, strings.Join(fields, ", "), sent, them, them))
}

// longestSummary is the length in characters up to which a warning of the API server is its own summary.
const longestSummary = 80

// ServerWarning passes on a Warning header of the API server. The words of the server are in the summary, so
// that Terraform folds equal warnings about many objects, and no others.
func ServerWarning(id manifest.Identity, warning string) diag.Diagnostic {
	words := []rune(warning)
	if len(words) > longestSummary {
		words = append(words[:longestSummary], '…')
	}
	return diag.NewWarningDiagnostic(common("API Server Warning", string(words)), fmt.Sprintf("%s: %s", id, warning))
}
