package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// duplicateItem returns the error about a list item of the manifest with the same value as an item that only the live
// object has.
func (w Words) duplicateItem(operation Operation, err *refusals.DuplicateItemError) diag.Diagnostic {
	items, this := "a list item", "this one"
	if len(err.Undeclared) > 1 {
		items, this = "list items", "these"
	}
	var text strings.Builder
	text.WriteString("The object has " + items + " with the same value, which " + w.Body + " does not declare. Somebody may have changed the key of an item:\n")
	for _, item := range err.Undeclared {
		text.WriteString("\n  " + item.Field + ", owned by " + ownersOf(item))
	}
	text.WriteString("\n\nTo keep the item of " + w.Body + ", remove " + this + " from the object, for example with kubectl edit. " +
		"To keep " + this + ", write the key that the object has into " + w.Body + ".")
	return diag.NewErrorDiagnostic("Duplicate List Item", detail(operation, err.Refusal.Object, err.Refusal.Message, text.String()))
}

// ownersOf returns the managers of a field, each with its tool if the manager is a well-known one.
func ownersOf(field refusals.LiveField) string {
	texts := make([]string, len(field.Owners))
	for i, manager := range field.Owners {
		texts[i] = manager.String()
		if known := manager.KnownAs(); known != "" {
			texts[i] += " (" + known + ")"
		}
	}
	return strings.Join(texts, " and ")
}

// halfRemoved returns the error about list items and maps that the body no longer has and that cannot be removed from
// the object.
func (w Words) halfRemoved(operation Operation, err *refusals.HalfRemovedError) diag.Diagnostic {
	it, stays := "it", "it stays"
	if len(err.Fields) > 1 {
		it, stays = "them", "they stay"
	}
	managers, parts := "that manager give up its fields", make([]string, len(err.Parts))
	for i, part := range err.Parts {
		parts[i] = part.Field + ", owned by " + ownersOf(part)
		if ownersOf(part) != ownersOf(err.Parts[0]) || len(part.Owners) > 1 {
			managers = "these managers give up their fields"
		}
	}
	takeOver := ""
	if w.TakeOverManagers != "" && err.TakeOver != nil {
		takeOver = fmt.Sprintf("Or take over the fields that they own, so that the apply removes them too:\n\n  %s = [%s]", w.TakeOverManagers, phrases.QuoteList(err.TakeOver))
	}
	return diag.NewErrorDiagnostic("Field Cannot Be Removed", detail(operation, err.Refusal.Object, err.Refusal.Message, phrases.Paragraphs(
		fmt.Sprintf("%s no longer has %s, but %s on the object without your fields, because others own fields in %s:\n%s",
			w.Body, strings.Join(err.Fields, " and "), stays, it, phrases.Lines(parts)),
		fmt.Sprintf("Keep %s in %s, or have %s.", it, w.Body, managers),
		takeOver,
	)))
}
