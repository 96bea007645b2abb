package diagnostics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
)

// duplicateItem returns the error about a list item of the manifest with the same value as an item that only the live
// object contains.
func duplicateItem(w Names, operation Operation, err *obstacles.DuplicateItemError) diag.Diagnostic {
	n := len(err.Undeclared)
	items, this := Number(n, "a list item", "list items"), Number(n, "this one", "these")
	seen := "The object has " + items + " with the same value, which " + w.Body +
		" does not declare. Somebody may have changed the key of an item:\n" + ListOf(err.Undeclared, n, fieldOwnedBy)
	next := fmt.Sprintf("To keep %s, use the key that the object has in %s. To keep the item of %[2]s, give %[1]s "+
		"its key back:\n\n  %[3]s", this, w.Body, err.Refusal.Object.Kubectl("edit"))
	takeOver := w.TakeOver("Or take over what the others own, so that the apply removes "+this+":", err.TakeOver)
	return diag.NewErrorDiagnostic("Duplicate List Item", detail(operation, err.Refusal.Object, err.Refusal.Message,
		Paragraphs(seen, next, takeOver, incomplete(w.Body, err.Lacking))))
}

// blockedBy returns the error about fields that only the live object contains and that the server refuses together with
// the body.
func blockedBy(w Names, operation Operation, err *obstacles.BlockedError) diag.Diagnostic {
	it := Number(len(err.Fields), "it", "them")
	fields := Number(len(err.Fields), "a field", "fields") + " that only the object on the cluster has"
	next := fmt.Sprintf("Change %s on the object, so that it fits %s:\n\n  %s", it, w.Body,
		err.Refusal.Object.Kubectl("edit")+statusOption(err.Names()))
	switch {
	case len(err.Ignored) > 0 && w.Of(arguments.IgnoreFields) != "":
		next = fmt.Sprintf("%s leaves %s to the owner. Remove %s from %[1]s%[4]s, and the apply removes %[2]s.",
			w.Of(arguments.IgnoreFields), it, QuoteAll(err.Ignored),
			by(w.ByRule(arguments.IgnoreFields, err.Ignored[0])))
	case err.New != nil:
		next = "The API server keeps " + it + " as long as the object exists. It does not take " + w.Body +
			" for a new object either: " + err.New.Error() +
			". Correct that, or set the fields named above back."
	case err.Stays:
		next = "The API server keeps " + it + ", or sets " + it + " again. Set " + it + " in " + w.Body +
			" to what fits, or set the fields named above back."
	}
	return diag.NewErrorDiagnostic("Field in the Way", detail(operation, err.Refusal.Object, err.Refusal.Message,
		Paragraphs("The API server refuses "+w.Body+" because of "+fields+":\n"+liveFields(err.Fields), next,
			incomplete(w.Body, err.Lacking))))
}

// liveFields returns a line for each field, with its value and owners.
func liveFields(fields []ownership.Change) string {
	return ListOf(fields, Most, func(field ownership.Change) string {
		return fmt.Sprintf("%s: %q, owned by %s", field.Field, field.Was,
			cmp.Or(Owners(field.Owners, time.Time{}), "nobody"))
	})
}

// fieldOwnedBy returns a field with its owners.
func fieldOwnedBy(field ownership.Change) string {
	return field.Field + ", owned by " + Owners(field.Owners, time.Time{})
}

// heldByOthers returns the error about values that the server refuses, and that other managers have replaced.
func heldByOthers(w Names, operation Operation, err *obstacles.HeldError) diag.Diagnostic {
	fields := err.Ignored
	for _, field := range err.Fields {
		fields = append(fields, field.Field)
	}
	return diag.NewErrorDiagnostic(explanations[cluster.ReasonInvalid].summary, detail(operation, err.Refusal.Object,
		err.Refusal.Message, Paragraphs(
			"On the object, others have set another value:\n"+ListOf(err.Fields, Most, fieldOwnedBy),
			w.Adding("To leave it to them", err.Refusal.Object, arguments.IgnoreFields, fields),
			"Or correct the value in "+w.Body+".")))
}

// changeRefused returns the error about a change that the server refuses, although it takes the body for a new object.
func changeRefused(w Names, operation Operation, err *obstacles.ChangeRefusedError) diag.Diagnostic {
	return diag.NewErrorDiagnostic(explanations[cluster.ReasonInvalid].summary, detail(operation, err.Refusal.Object,
		err.Refusal.Message, strings.TrimSpace("The API server takes "+w.Body+" for a new object, but not as a change "+
			"of this one. Set the fields named above back. "+Recreate(w, err.Refusal.Object))))
}

// besideDefaults returns the error about values that the server refuses together with its own defaults.
func besideDefaults(w Names, operation Operation, err *obstacles.DefaultsError) diag.Diagnostic {
	n := len(err.Fields)
	values, it := Number(n, "a default", "defaults"), Number(n, "it", "them")
	lines := ListOf(err.Fields, Most, func(field ownership.Change) string {
		line := fmt.Sprintf("%s: %q", field.Field, field.Was)
		if slices.Contains(err.Zero, field.Field) {
			line += " (0 fits)"
		}
		return line
	})
	return diag.NewErrorDiagnostic(explanations[cluster.ReasonInvalid].summary, detail(operation, err.Refusal.Object,
		err.Refusal.Message, Paragraphs(w.Body+" does not fit "+values+" that nobody has written:\n"+lines,
			"Set "+it+" in "+w.Body+", too, or correct the fields named above.")))
}

// halfRemoved returns the error about list items and maps that the body no longer has and that cannot be removed from
// the object.
func halfRemoved(w Names, operation Operation, err *obstacles.HalfRemovedError) diag.Diagnostic {
	it, stays := Number(len(err.Fields), "it", "them"), Number(len(err.Fields), "it stays", "they stay")
	again := map[bool]string{true: ". If the tool is in use, its next apply owns the others again"}[err.Applies] + ":"
	managers := "that manager give up its fields"
	for _, part := range err.Parts {
		if Owners(part.Owners, time.Time{}) != Owners(err.Parts[0].Owners, time.Time{}) || len(part.Owners) > 1 {
			managers = "these managers give up their fields"
		}
	}
	return diag.NewErrorDiagnostic(
		"Field Cannot Be Removed",
		detail(operation, err.Refusal.Object, err.Refusal.Message, Paragraphs(
			fmt.Sprintf("%s no longer has %s, but %s on the object without your fields, because others own fields "+
				"in %s:\n%s",
				w.Body, strings.Join(err.Fields, " and "), stays, it, ListOf(err.Parts, Most, fieldOwnedBy)),
			fmt.Sprintf("Keep %s in %s, or have %s.", it, w.Body, managers),
			w.TakeOver("Or take over the fields that they own, so that the apply removes them too"+again, err.TakeOver),
			w.Adding("Or remove "+it+", whoever owns parts of "+it, err.Refusal.Object,
				arguments.RemoveFields, err.Removed),
		)),
	)
}

// unremovable returns the error about fields that the configuration removes and that the API server needs.
func unremovable(w Names, operation Operation, err *obstacles.UnremovableError) diag.Diagnostic {
	list := w.Named(arguments.RemoveFields)
	return diag.NewErrorDiagnostic("Field Cannot Be Removed", detail(operation, err.Refusal.Object, err.Refusal.Message,
		Paragraphs("The API server does not accept the object without what "+list+" covers:\n"+
			Lines(err.Fields), "Remove the path from "+list+". To give the field another value, set it in "+
			w.Body+".")))
}
