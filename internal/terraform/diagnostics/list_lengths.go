package diagnostics

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// WrongLength returns the error of a limit that contradicts itself or the manifest.
func (w Words) WrongLength(err *intents.LengthError) diag.Diagnostic {
	var problem string
	switch err.Why {
	case intents.MaxBelowMin:
		problem = fmt.Sprintf("max is %d and min is %d.\n\nSet max to %d or more, or lower min.", err.Max, err.Min, err.Min)
	case intents.MaxBelowDeclared:
		problem = fmt.Sprintf("max is %d, and %s has %s.\n\nSet max to %d or more, or remove entries from %s.", err.Max, w.Body, phrases.Entries(err.Declared), err.Declared, w.Body)
	case intents.MinBelowDeclared:
		problem = fmt.Sprintf("min is %d, and %s has %s, which the object always has.\n\nSet min to %d or more, or remove it.", err.Min, w.Body, phrases.Entries(err.Declared), err.Declared)
	default:
		problem = "the value in " + w.Body + " is not a list.\n\nCorrect the path."
	}
	at := path.Root(w.ListLengths).AtMapKey(err.Pattern.String())
	return diag.NewAttributeErrorDiagnostic(at, "Invalid List Length", w.ListLengths+": "+err.Pattern.String()+": "+problem)
}

// ListsTooLong returns the warning about lists that contain, and keep, more entries than list_lengths allows, and false
// if there are none.
func (w Words) ListsTooLong(plan ssa.Plan, now time.Time) (diag.Diagnostic, bool) {
	var parts []string
	for _, list := range plan.Lists {
		if list.Excess() > len(list.Removed) {
			parts = append(parts, w.tooLong(list, now))
		}
	}
	if len(parts) == 0 {
		return nil, false
	}
	return diag.NewWarningDiagnostic(about("List Too Long", plan.Object), plan.Object.String()+": "+phrases.Paragraphs(parts...)), true
}

func (w Words) tooLong(list intents.CountedList, now time.Time) string {
	text := fmt.Sprintf("%s has %s, and %s allows %d.", list.Field, phrases.Entries(list.Length), w.ListLengths, list.Max)
	if len(list.Undeclared) > 0 {
		text += " Undeclared entries:\n"
	}
	for n, entry := range list.Undeclared {
		if n == phrases.Most {
			text += fmt.Sprintf("\n  and %d more", len(list.Undeclared)-phrases.Most)
			break
		}
		owned := "owned by nobody"
		if len(entry.Owners) > 0 {
			owned = "owned by " + changes.Owners(entry.Owners, now)
		}
		text += "\n  " + entry.Field + ": " + owned
	}
	next := "The apply removes none of them. To allow them, raise max. To remove the newest, set enforce = true."
	if list.Enforce {
		next = fmt.Sprintf("The apply removes %d. Entries that the configuration declares, pins or ignores stay. "+
			"Raise max, or remove entries with the tool that manages them.", len(list.Removed))
	}
	return text + "\n\n" + next
}

// refusedLists returns the error about lists that are too short, or that cannot be counted, and false for other errors.
func (w Words) refusedLists(err error) (diag.Diagnostic, bool) {
	refused, is := errors.AsType[*ssa.ListsError](err)
	if !is {
		return nil, false
	}
	var parts []string
	summary := "List Too Short"
	for _, list := range refused.Lists {
		if list.Form != projection.Associative {
			summary = "Invalid List Length"
		}
		parts = append(parts, w.refusedList(list))
	}
	return diag.NewAttributeErrorDiagnostic(path.Root(w.ListLengths), summary, refused.Object.String()+": "+phrases.Paragraphs(parts...)), true
}

func (w Words) refusedList(list intents.CountedList) string {
	switch list.Form {
	case projection.AtomicList:
		return list.Field + " is an atomic list: the list as a whole has owners, and its entries have none.\n\nRemove it from " + w.ListLengths + "." +
			phrases.Given(w.IgnoreFields, " To leave the list to others, write it into "+w.IgnoreFields+".")
	case projection.NoList:
		return list.Field + " is not a list.\n\nCorrect the path in " + w.ListLengths + "."
	}
	text := fmt.Sprintf("%s has %s, and %s asks for %d or more. It lacks %d", list.Field, phrases.Entries(list.Length), w.ListLengths, list.Min, list.Lacks())
	if len(list.Gone) > 0 {
		text += ". Pinned entries that are gone:\n\n  " + strings.Join(list.Gone, "\n  ")
	} else {
		text += "."
	}
	return text + "\n\nAdd the entries with the tool that manages them, or lower min."
}
