package unready

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Undone is the result of an undo of an apply to an object.
type Undone struct {
	Object manifest.Identity
	// Back are the fields that were set back, from Was to Becomes. Kept are those that other managers have written or
	// own.
	Back, Kept []ownership.Change
	// Waited is how long the undo has waited for the object; 0 if it has not. NotReady is why it is not ready again.
	Waited   time.Duration
	NotReady error
	// Ended is when the undo was done.
	Ended time.Time
}

// FailedAndUndone returns the error about an object that did not become ready, and that was set back.
func FailedAndUndone(err *waiting.NotReadyError, undone Undone) diag.Diagnostic {
	gone, run := "", commands(err.Object, err.Explanation)
	if undone.NotReady == nil && len(undone.Back) > 0 {
		if err.Log == nil && err.Hidden == nil && slices.ContainsFunc(run, isOfLogs) {
			gone = "The undo has removed these pods and their logs. Set logs = 10 in wait to have the end of the log " +
				"in this error."
		}
		run = slices.DeleteFunc(run, isOfPod)
	}
	return diag.NewErrorDiagnostic("Object Not Ready", diagnostics.Paragraphs(
		notReady(err), err.Status.Message, explained(err.Explanation, run), gone,
		undone.text(), "The state is as it was before: the next plan has the change again."))
}

// ChangesUndone returns the error about objects of a set that were set back because others did not become ready.
func ChangesUndone(unready []string, undone []Undone) diag.Diagnostic {
	var back, kept, failed []string
	for _, u := range undone {
		named := u.Object.String() + ": "
		for _, line := range u.back() {
			back = append(back, named+line)
		}
		for _, line := range u.kept() {
			kept = append(kept, named+line)
		}
		if u.NotReady != nil {
			failed = append(failed, named+u.NotReady.Error())
		}
	}
	ready := "All of them are ready again."
	if len(failed) > 0 {
		ready = "These are not ready again:\n" + diagnostics.Lines(failed)
	}
	return diag.NewErrorDiagnostic("Changes Undone", diagnostics.Paragraphs(
		"Other objects of the set were set back, too, because these did not become ready:\n"+diagnostics.Lines(unready),
		listed(back, kept), ready, "What the apply has created stays. The next plan has the changes again."))
}

// text returns paragraphs about the fields that were set back, those that other managers keep, and the status of the
// object afterwards.
func (u Undone) text() string { return diagnostics.Paragraphs(listed(u.back(), u.kept()), u.ready()) }

// listed returns the lists of the fields that were set back, and of those that other managers keep.
func listed(back, kept []string) string {
	return diagnostics.Paragraphs(
		cmp.Or(diagnostics.Given(diagnostics.Lines(back), "The apply has set back what it had changed:\n"+
			diagnostics.Lines(back)), "The apply had changed nothing that could be set back."),
		diagnostics.Given(diagnostics.Lines(kept), "Others have written these fields since, so they stay:\n"+
			diagnostics.Lines(kept)))
}

// back returns a line for each field that was set back.
func (u Undone) back() []string {
	lines := make([]string, len(u.Back))
	for i, field := range u.Back {
		was := diagnostics.Given(field.Was, fmt.Sprintf("%q ", field.Was))
		lines[i] = field.Field + ": " + was + "-> " + becomes(field)
	}
	return lines
}

// kept returns a line for each field that other managers keep.
func (u Undone) kept() []string {
	lines := make([]string, len(u.Kept))
	for i, field := range u.Kept {
		owners := diagnostics.Owners(field.Owners, u.Ended)
		lines[i] = field.Field + ": " + becomes(field) + diagnostics.Given(owners, ", owned by "+owners)
	}
	return lines
}

// becomes returns the current value of a field, quoted.
func becomes(field ownership.Change) string {
	if field.Becomes == ownership.RemovedValue {
		return field.Becomes
	}
	return fmt.Sprintf("%q", field.Becomes)
}

// ready returns a sentence about the readiness of the object after the undo; "" without a wait.
func (u Undone) ready() string {
	failed, is := errors.AsType[*waiting.NotReadyError](u.NotReady)
	switch {
	case is:
		message := failed.Status.Message
		return "After the undo: " + diagnostics.Given(message, message+" ") + notReady(failed)
	case u.NotReady != nil:
		return "After the undo: " + u.NotReady.Error()
	case u.Waited > 0:
		return "The object is ready again, after " + duration.HumanDuration(u.Waited.Round(time.Second)) + "."
	}
	return ""
}

// Undoable is why an update could not be undone.
type Undoable string

// The reasons, as they follow "because".
const (
	Recreates Undoable = "it replaces the object, and what is deleted cannot be set back"
	Redefines Undoable = "it changes the CustomResourceDefinition of its kind, too"
	WriteOnly Undoable = "it changes a write-only part, whose former values are stored nowhere"
)

// NoUndo returns the error of a plan whose wait asks for an undo that the apply cannot do.
func NoUndo(w diagnostics.Names, id manifest.Identity, why Undoable) diag.Diagnostic {
	byRule := diagnostics.Given(w.ByRule(arguments.Wait, ""), " ("+w.ByRule(arguments.Wait, "")+")")
	inSet := ""
	if w.IsSet() {
		inSet = " Or write wait in rules, with on_failure = \"undo\" only for kinds whose objects can go back."
	}
	return diag.NewErrorDiagnostic("Undo Not Possible", fmt.Sprintf("%s: wait%s has on_failure = \"undo\", and the "+
		"apply could not undo this change, because %s.\n\nSet on_failure = \"fail\" for this change.%s",
		id, byRule, why, inSet))
}
