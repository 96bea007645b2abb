package diagnostics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// UnmatchedSensitive warns of patterns of sensitive fields that match nothing. Its summary is general: all
// resources of a for_each have the same mistake.
func (w Words) UnmatchedSensitive(id manifest.Identity, patterns []intents.UnmatchedPattern) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Sensitive Field Not Found", fmt.Sprintf(
		"%s: no field in %s or on the cluster matches %s in %s, so nothing is hidden.\n\n%s",
		id, w.Body, phrases.QuoteAll(textsOf(patterns)), w.SensitiveFields, w.meant(patterns)))
}

// Unmatched warns of patterns of ignored fields that match nothing. Its summary is general, like that of
// [Words.UnmatchedSensitive].
func (w Words) Unmatched(id manifest.Identity, patterns []intents.UnmatchedPattern) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Ignored Field Not Found", fmt.Sprintf(
		"%s: no field in %s or on the cluster matches %s in %s.\n\n%s",
		id, w.Body, phrases.QuoteAll(textsOf(patterns)), w.IgnoreFields, w.meant(patterns)))
}

// WriteOnlyNotSent warns of write-only fields with another value than the object has, in the version that was applied last.
func (w Words) WriteOnlyNotSent(id manifest.Identity, fields []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Write-Only Value Not Sent", fmt.Sprintf(
		"%s: %s has another value than the object for %s, and %s is that of the last apply. The object keeps its value.\n\nTo send the new value, change %s.",
		id, w.WriteOnlyBody, phrases.QuoteAll(fields), w.WriteOnlyVersion, w.WriteOnlyVersion))
}

// Unpinnable returns the error about a pattern of pin_fields that another argument contradicts.
func (w Words) Unpinnable(err *intents.UnpinnableError) diag.Diagnostic {
	var problem string
	switch {
	case err.Why == intents.Declared:
		problem = fmt.Sprintf("is in %[1]s.\n\nRemove it from one of the two: %[1]s sets a value, %[2]s holds the value that somebody else sets.", w.Body, w.PinFields)
	case err.Why == intents.LeftAlone:
		problem = fmt.Sprintf("is left to others by %[1]s in %[2]s.\n\nRemove it from one of the two: %[3]s holds the value, %[2]s never does.", err.By, w.IgnoreFields, w.PinFields)
	case err.By != "":
		problem = "is secret by " + err.By + " in " + w.SensitiveFields + ", and the state would store its value.\n\nRemove it."
	default:
		problem = "is secret, and the state would store its value.\n\nRemove it."
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(w.PinFields), "Invalid Field Path", w.PinFields+": "+err.Pattern+" "+problem)
}

// pinsRefused returns the error about pinned values that the API server refuses.
func (w Words) pinsRefused(operation Operation, err *refusals.PinsRefusedError) diag.Diagnostic {
	fields := err.Pinned
	more := ""
	if len(fields) > phrases.Most {
		fields, more = fields[:phrases.Most], fmt.Sprintf("\n  and %d more", len(err.Pinned)-phrases.Most)
	}
	return diag.NewErrorDiagnostic("Pinned Value Refused", detail(operation, err.Refusal.Object, err.Refusal.Message, phrases.Paragraphs(
		fmt.Sprintf("The API server accepts %s without the values that %s holds:\n\n  %s%s", w.Body, w.PinFields, strings.Join(fields, "\n  "), more),
		fmt.Sprintf("Remove the paths that no longer fit from %s%s.", w.PinFields, phrases.Given(w.Repin, ", or change "+w.Repin+" to pin the values that the object has after the apply")),
	)))
}

// UnseenPins warns of patterns of pinned fields that the object has no value for yet. Its summary is general: all
// resources of a for_each have the same pattern.
func (w Words) UnseenPins(id manifest.Identity, texts []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Pinned Field Has No Value Yet", fmt.Sprintf(
		"%s: no field of the object matches %s in %s yet. The provider looks again in each plan, and pins the first value that it finds.\n\n"+
			"Wait until the API server or a controller sets it, or correct the path%s.",
		id, phrases.QuoteAll(texts), w.PinFields, phrases.Given(w.FieldOwnership, "; "+w.FieldOwnership+" lists the paths that have owners")))
}

// meant describes what to write instead of patterns that match nothing.
func (w Words) meant(patterns []intents.UnmatchedPattern) string {
	var lines []string
	translated := 0
	for _, pattern := range patterns {
		switch {
		case pattern.Translated != "":
			translated++
			lines = append(lines, fmt.Sprintf("Write %s instead of %s.", phrases.HCLString(pattern.Translated), phrases.HCLString(pattern.Text)))
		case len(pattern.Nearest) > 0:
			lines = append(lines, fmt.Sprintf("Instead of %s, did you mean %s?", phrases.HCLString(pattern.Text), phrases.Alternatives(phrases.HCLStrings(pattern.Nearest))))
		}
	}
	if translated < len(patterns) {
		lines = append(lines, "Correct the path, or remove it"+phrases.Given(w.FieldOwnership, "; "+w.FieldOwnership+" lists the paths that the object has")+".")
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

// Immutable warns that a plan replaces the object because of these fields.
func (w Words) Immutable(id manifest.Identity, fields []string) diag.Diagnostic {
	this, it := "this field", "it"
	if len(fields) > 1 {
		this, it = "these fields", "them"
	}
	return diag.NewWarningDiagnostic(about("Immutable Field", id), phrases.Paragraphs(
		fmt.Sprintf("%s: the API server does not allow %s to be changed on an existing object, so the plan deletes the object and creates it "+
			"again:\n%s", id, this, phrases.Lines(fields)),
		"To keep the object, set "+it+" back in "+w.Body+cmp.Or(phrases.Given(w.IgnoreFields, ", or ignore "+it+":"), "."),
		w.ignoreLine(fields[:min(len(fields), phrases.Most)])))
}

// Diverged warns that other clients changed the object while the apply ran.
func Diverged(id manifest.Identity, fields []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Changed During Apply", id), fmt.Sprintf(
		"%s: others changed the object during the apply, so these fields differ from the plan: %s.\n\n"+
			"The state has the planned values. The next plan reads the object again and shows the difference.",
		id, strings.Join(fields, ", ")))
}

// Overwritten warns of fields that other managers wrote after the plan, and that the apply set back or removed.
func (w Words) Overwritten(id manifest.Identity, fields []ssa.Overwritten) diag.Diagnostic {
	var back, removed strings.Builder
	for _, field := range fields {
		text := &back
		if field.With != "" {
			text = &removed
		}
		text.WriteString("\n  " + field.Field)
		if field.Was != "" {
			fmt.Fprintf(text, ": %q", field.Was)
		}
		text.WriteString(", written by " + field.By + phrases.Given(field.With, ", removed with "+field.With))
	}
	text := fmt.Sprintf("%s: others changed the object after the plan", id)
	if back.Len() > 0 {
		text += ", and the apply set these fields back to the planned values:\n" + back.String() +
			phrases.Given(w.IgnoreFields, "\n\nTo leave these fields to the others, list them in "+w.IgnoreFields+".")
	}
	switch {
	case removed.Len() > 0 && back.Len() > 0:
		text += "\n\nThe apply removed these fields:\n" + removed.String()
	case removed.Len() > 0:
		text += ", and the apply removed these fields:\n" + removed.String()
	}
	return diag.NewWarningDiagnostic(about("Object Changed During Apply", id), text)
}

// Superseded warns that the object to destroy is gone, and that another object has its name.
func Superseded(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Was Recreated", id), fmt.Sprintf(
		"%s: the object of this resource is gone. Somebody has since created another object of the same name, which was not touched.\n\n"+
			"If nobody needs it, delete it too.", id))
}

// ApplyWarning warns that the object was applied, but that something else failed or went differently than planned.
func ApplyWarning(id manifest.Identity, warning ssa.Warning) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Applied With Warnings", id), fmt.Sprintf("%s: %s", id, warning))
}

// LeftOut warns of fields of a manifest that are not sent. Its summaries are general: all manifests of a generator
// contain them.
func (w Words) LeftOut(id manifest.Identity, fields []string) diag.Diagnostics {
	var diags diag.Diagnostics
	ofServer := slices.DeleteFunc(slices.Clone(fields), func(field string) bool { return field == cluster.NamespaceField })
	if len(ofServer) > 0 {
		diags.Append(w.leftToServer(id, ofServer))
	}
	if len(ofServer) < len(fields) {
		diags.AddWarning("Namespace of a Cluster-Scoped Kind Left Out", fmt.Sprintf(
			"%s: metadata.namespace is not sent, because objects of the kind %s have no namespace.\n\nRemove it from %s.", id, id.Kind, w.Body))
	}
	return diags
}

func (w Words) leftToServer(id manifest.Identity, fields []string) diag.Diagnostic {
	sent, them := "is not sent", "it"
	if len(fields) > 1 {
		sent, them = "are not sent", "them"
	}
	return diag.NewWarningDiagnostic("Fields of the API Server Left Out", fmt.Sprintf(
		"%s: %s %s, because only the API server writes %s.\n\nRemove %[4]s from %s.", id, strings.Join(fields, ", "), sent, them, w.Body))
}

// longestSummary is the number of characters of an API server warning that its summary quotes.
const longestSummary = 80

// ServerWarning passes on a Warning header of the API server. The words of the server are in the summary. So Terraform
// folds only equal warnings about many objects.
func ServerWarning(id manifest.Identity, warning string) diag.Diagnostic {
	words := []rune(warning)
	if len(words) > longestSummary {
		words = append(words[:longestSummary], '…')
	}
	return diag.NewWarningDiagnostic(common("API Server Warning", string(words)), fmt.Sprintf("%s: %s", id, warning))
}
