package diagnostics

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// duplicateItem explains a list item of the manifest that has the same value as an item that only the cluster has.
func (w Words) duplicateItem(operation Operation, err *ssa.DuplicateItemError) diag.Diagnostic {
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

// ownersOf returns the managers of a field, each with the name that people know it by.
func ownersOf(field ssa.LiveField) string {
	texts := make([]string, len(field.Owners))
	for i, manager := range field.Owners {
		texts[i] = manager.String()
		if known := manager.KnownAs(); known != "" {
			texts[i] += " (" + known + ")"
		}
	}
	return strings.Join(texts, " and ")
}
