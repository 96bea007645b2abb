package diagnostics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// UnmatchedSensitive warns of patterns of sensitive fields that match nothing. Its summary is general: all
// resources of a for_each have the same mistake.
func (w Names) UnmatchedSensitive(id manifest.Identity, patterns []wanted.UnmatchedPattern) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Sensitive Field Not Found", fmt.Sprintf(
		"%s: no field in %s or on the cluster matches %s in %s, so nothing is hidden.\n\n%s",
		id, w.Body, QuoteAll(textsOf(patterns)), w.Named(arguments.SensitiveFields), meant(w, patterns)))
}

// Unmatched warns of patterns of ignored fields that match nothing. Its summary is general, like that of
// [Names.UnmatchedSensitive].
func (w Names) Unmatched(id manifest.Identity, patterns []wanted.UnmatchedPattern) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Ignored Field Not Found", fmt.Sprintf(
		"%s: no field in %s or on the cluster matches %s in %s.\n\n%s",
		id, w.Body, QuoteAll(textsOf(patterns)), w.Named(arguments.IgnoreFields), meant(w, patterns)))
}

// WriteOnlyNotSent warns of write-only fields with another value than the object, in the version that was applied last.
func (w Names) WriteOnlyNotSent(id manifest.Identity, fields []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Write-Only Value Not Sent", fmt.Sprintf(
		"%s: %s has another value than the object for %s, and %s is that of the last apply. The object keeps its "+
			"value.\n\nTo send the new value, change %s.",
		id, w.WriteOnlyBody, QuoteAll(fields), w.WriteOnlyVersion, w.WriteOnlyVersion))
}

// pinsRefused returns the error about pinned values that the API server refuses.
func pinsRefused(w Names, operation Operation, err *obstacles.PinsRefusedError) diag.Diagnostic {
	beside := liveFields(err.Beside)
	return diag.NewErrorDiagnostic(
		"Pinned Value Refused",
		detail(operation, err.Refusal.Object, err.Refusal.Message, Paragraphs(
			fmt.Sprintf("The API server accepts %s without the values that %s holds:\n%s",
				w.Body, w.Of(arguments.PinFields), Lines(err.Pinned)),
			Given(beside, "It refuses them together with what others set on the object:\n"+beside),
			fmt.Sprintf("Remove the paths that no longer fit from %s%s.",
				w.Of(arguments.PinFields), w.If(arguments.Repin, ", or change %s to pin the values that the object "+
					"has after the apply")),
		)),
	)
}

// UnseenPins warns of patterns of pinned fields that cover no value of the object yet. Its summary is general: the
// resources of a for_each share the pattern.
func (w Names) UnseenPins(id manifest.Identity, texts []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Pinned Field Has No Value Yet", fmt.Sprintf(
		"%s: no field of the object matches %s in %s yet. The provider looks again in each plan, and pins the first "+
			"value that it finds.\n\nWait until the API server or a controller sets it, or correct the path%s.",
		id, QuoteAll(texts), w.Of(arguments.PinFields),
		Given(w.Shown.FieldOwnership, "; "+w.Shown.FieldOwnership+" lists the paths that have owners")))
}

// meant describes what to write instead of patterns that match nothing.
func meant(w Names, patterns []wanted.UnmatchedPattern) string {
	var lines []string
	translated := 0
	for _, pattern := range patterns {
		switch {
		case pattern.Translated != "":
			translated++
			lines = append(lines, fmt.Sprintf("Write %s instead of %s.", HCLString(pattern.Translated),
				HCLString(pattern.Text)))
		case len(pattern.Nearest) > 0:
			lines = append(lines, fmt.Sprintf("Instead of %s, did you mean %s?",
				HCLString(pattern.Text), Alternatives(HCLStrings(pattern.Nearest))))
		}
	}
	if translated < len(patterns) {
		lines = append(lines, "Correct the path, or remove "+
			"it"+Given(w.Shown.FieldOwnership, "; "+w.Shown.FieldOwnership+" lists the paths that the object has")+".")
	}
	return strings.Join(lines, "\n")
}

func textsOf(patterns []wanted.UnmatchedPattern) []string {
	texts := make([]string, len(patterns))
	for i, pattern := range patterns {
		texts[i] = pattern.Text
	}
	return texts
}

// Immutable warns that a plan replaces the object because of these fields.
func (w Names) Immutable(id manifest.Identity, changes []ownership.Change) diag.Diagnostic {
	this, it := "this field", "it"
	fields := make([]string, len(changes))
	for i, change := range changes {
		fields[i] = change.Field
	}
	if len(fields) > 1 {
		this, it = "these fields", "them"
	}
	next, shown := "To keep the object, set "+it+" back in "+w.Body, fields[:min(len(fields), Most)]
	if w.IsSet() {
		next = w.Adding(next+". To ignore "+it, id, arguments.IgnoreFields, shown)
	} else {
		next = cmp.Or(w.Adding(next+", or ignore "+it, id, arguments.IgnoreFields, shown), next+".")
	}
	return diag.NewWarningDiagnostic(w.About("Immutable Field", id), Paragraphs(
		fmt.Sprintf("%s: the API server does not allow %s to be changed on an existing object, so the plan "+
			"deletes the object and creates it again:\n%s", id, this, beforeAndAfter(changes)), next))
}

// beforeAndAfter returns a list of changes, with their values if they are known.
func beforeAndAfter(changes []ownership.Change) string {
	return ListOf(changes, Most, func(change ownership.Change) string {
		if change.Was == "" && change.Becomes == "" {
			return change.Field
		}
		return fmt.Sprintf("%s: %q -> %q", change.Field, change.Was, change.Becomes)
	})
}

// removedWith returns a phrase that names the field together with which a field was removed; "" if it was removed for
// itself or not removed.
func removedWith(field ownership.Change) string {
	if field.With == field.Field {
		return ""
	}
	return Given(field.With, ", removed with "+field.With)
}

// ChangedDuringApply warns of fields that other managers wrote after the plan. The apply set the overwritten ones back
// or removed them. diverged are those that it left otherwise than planned.
func (w Names) ChangedDuringApply(
	id manifest.Identity, overwritten []ownership.Change, diverged []string,
) diag.Diagnostic {
	var back, removed []string
	for _, field := range overwritten {
		line := field.Field + Given(field.Was, fmt.Sprintf(": %q", field.Was)) +
			Given(field.By, ", written by "+field.By) + removedWith(field)
		if field.With != "" || field.Becomes == ownership.RemovedValue {
			removed = append(removed, line)
		} else {
			back = append(back, line)
		}
	}
	all := func(lines []string) string { return "\n\n  " + strings.Join(lines, "\n  ") }
	text := fmt.Sprintf("%s: others changed the object after the plan.", id)
	if len(back) > 0 {
		text += " The apply set these fields back to the planned values. The values that they had:" + all(back) +
			w.If(arguments.IgnoreFields, "\n\nTo leave these fields to the others, list them in %s.")
	}
	if len(removed) > 0 {
		text += cmp.Or(Given(strings.Join(back, ""), "\n\n"), " ") + "The apply removed these fields. The values " +
			"that they had:" + all(removed)
	}
	if slices.ContainsFunc(overwritten, func(o ownership.Change) bool { return o.With == o.Field }) {
		text += w.If(arguments.RemoveFields, "\n\nTo keep a field, remove its path from %s.")
	}
	if len(diverged) > 0 {
		text += "\n\nThese fields differ from the plan: " + strings.Join(diverged, ", ") + ". The state has the " +
			"planned values. The next plan reads the object again and shows the difference."
	}
	return diag.NewWarningDiagnostic(w.About("Object Changed During Apply", id), text)
}

// LeftOut warns of fields of a manifest that are not sent. Its summaries are general: all manifests of a generator
// contain them.
func (w Names) LeftOut(id manifest.Identity, fields []string) diag.Diagnostics {
	var diags diag.Diagnostics
	if slices.Contains(fields, manifest.Status) {
		diags.AddWarning("Status Left Out", fmt.Sprintf("%s: status is not sent, because only the API server writes "+
			"it.\n\nRemove it from %s.", id, w.Body))
	}
	if slices.Contains(fields, cluster.NamespaceField) {
		diags.AddWarning("Namespace of a Cluster-Scoped Kind Left Out", fmt.Sprintf(
			"%s: metadata.namespace is not sent, because objects of the kind %s have no namespace.\n\nRemove it from "+
				"%s.", id, id.Kind, w.Body))
	}
	return diags
}

// longestSummary is the number of characters of an API server warning that its summary quotes.
const longestSummary = 80

// ServerWarning passes on a Warning header of the API server. The words of the server are in the summary. So Terraform
// folds only equal warnings about many objects.
func ServerWarning(id manifest.Identity, warning string) diag.Diagnostic {
	words := []rune(strings.SplitN(warning, "\n", 2)[0])
	if len(words) > longestSummary {
		words = append(words[:longestSummary], '…')
	}
	return diag.NewWarningDiagnostic(common("API Server Warning", string(words)), fmt.Sprintf("%s: %s", id, warning))
}

// Owners lists managers, each with its tool if that is well known, and with the age of its last write unless now is the
// zero time.
func Owners(all []ownership.Holder, now time.Time) string {
	texts := make([]string, len(all))
	for i, manager := range all {
		texts[i] = manager.String()
		if who := knownOf(manager, now); who != "" {
			texts[i] += " (" + who + ")"
		}
	}
	return strings.Join(texts, " and ")
}

// knownOf returns what is known about a manager, and the age of its last write.
func knownOf(manager ownership.Holder, now time.Time) string {
	var facts []string
	if known := manager.KnownAs(); known != "" {
		facts = append(facts, known)
	}
	if !now.IsZero() && !manager.Time.IsZero() {
		facts = append(facts, "last write "+duration.HumanDuration(max(0, now.Sub(manager.Time)))+" ago")
	}
	return strings.Join(facts, ", ")
}
