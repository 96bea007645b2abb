package diagnostics

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/parts"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// TakesBack warns of a destroy that removes the part that the resource applied, and lists what happens to each field.
func (w Words) TakesBack(id manifest.Identity, fates []parts.Fate) diag.Diagnostic {
	text := fmt.Sprintf("%s: after the destroy, this resource owns none of the object's fields.", id)
	var removed, restored, kept []string
	for _, fate := range fates {
		if fate.Removed {
			removed = append(removed, fate.Field)
			continue
		}
		if fate.Restored != "" {
			restored = append(restored, fate.Field+": "+fate.Restored)
			continue
		}
		kept = append(kept, fate.Field)
	}
	return diag.NewWarningDiagnostic(about("Patch Removed", id), phrases.Paragraphs(text,
		phrases.Given(phrases.Lines(removed), "It removes what this resource added:\n"+phrases.Lines(removed)),
		phrases.Given(phrases.Lines(restored), "It restores the earlier values of these fields:\n"+phrases.Lines(restored)),
		phrases.Given(phrases.Lines(kept), "It keeps the values of these fields:\n"+phrases.Lines(kept)),
	))
}

// NotTakenBack warns of a destroy that leaves the fields that the resource added, because the API server does not
// accept the object without them.
func (w Words) NotTakenBack(id manifest.Identity, fates []parts.Fate, refusal error) diag.Diagnostic {
	var kept []string
	for _, fate := range fates {
		if fate.Removed || fate.Restored != "" {
			kept = append(kept, fate.Field)
		}
	}
	return diag.NewWarningDiagnostic(about("Fields Not Removed", id), phrases.Paragraphs(
		fmt.Sprintf("%s: the API server does not accept the object without what this resource added: %s", id, refusal),
		"These fields keep their values, and this resource no longer owns them:\n"+phrases.Lines(kept),
		"Remove them with kubectl, together with the fields that need them.",
	))
}

// targetMissing warns that the target object does not exist yet.
func (w Words) targetMissing(id manifest.Identity, limit string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Not Found Yet", id), fmt.Sprintf(
		"%s does not exist. The apply waits up to %s for it. Computed values are known after the apply.\n\n"+
			"If this configuration creates the object, name that resource in depends_on.%s", id, limit, phrases.Given(w.Target, " Otherwise check "+w.Target+".")))
}

// AddsItems warns of list items that a part adds to its object: a typing error in a key would add one too.
func (w Words) AddsItems(id manifest.Identity, items []ssa.NewItem) diag.Diagnostic {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.Field
		if len(item.Others) > 0 {
			texts[i] += "\n    The list has " + strings.Join(item.Others, ", ")
		}
	}
	return diag.NewWarningDiagnostic(about("List Item Added", id), fmt.Sprintf(
		"%s: the apply adds list items that the object does not have:\n%s\n\nTo change an item that exists, write its keys as the object has them.", id, phrases.Lines(texts)))
}

// refusedPart returns the diagnostic for an error about part of an object, and false for other errors.
func (w Words) refusedPart(err error) (diag.Diagnostic, bool) {
	if shared, is := errors.AsType[*registry.SharedError](err); is {
		return w.appliedTwice(shared), true
	}
	if unpatchable, is := errors.AsType[*parts.UnpatchableError](err); is {
		return w.cannotPatch(unpatchable), true
	}
	if patchDoesNotFit, is := errors.AsType[*patching.PatchError](err); is {
		return w.patchDoesNotFit(patchDoesNotFit), true
	}
	if nothing, is := errors.AsType[*importing.OwnsNothingError](err); is {
		return ownsNothing(nothing), true
	}
	return nil, false
}

// ownsNothing returns the error of an import by the name of a manager that owns no field of the object.
func ownsNothing(err *importing.OwnsNothingError) diag.Diagnostic {
	managers, next := "Nobody does.", "Check which object the import ID names. To apply fields to this object, write the resource without an import."
	if len(err.Managers) > 0 {
		managers = "These managers do: " + strings.Join(err.Managers, ", ") + "."
		next = "Write one of them after manager= in the import ID."
	}
	return diag.NewErrorDiagnostic("Invalid Import ID", fmt.Sprintf("%s: the manager %q owns no field of the object. %s\n\n%s",
		err.Object, err.Manager, managers, next))
}

// appliedTwice returns the error of a field that two resources of a configuration apply. Terraform prints the address
// of one of them.
func (w Words) appliedTwice(err *registry.SharedError) diag.Diagnostic {
	other := "another patch"
	if !err.Other.IsPart {
		other = "a resource that manages the whole object"
	}
	other += fmt.Sprintf(", whose field manager is %q", err.Other.FieldManager)
	if len(err.Fields) == 0 {
		return diag.NewErrorDiagnostic("Field Managed Twice", fmt.Sprintf(
			"%s: this configuration also has %s. This resource has the same field manager, so each apply of one removes what the other applied.\n\n"+
				"Give each resource of the object a field manager of its own%s.", err.Object, other, phrases.Given(w.FieldManager, ": set "+w.FieldManager)))
	}
	next := "Remove these fields from one of the two" + phrases.Given(w.Body, ", from "+w.Body+" here or there") + "."
	if err.This.IsPart != err.Other.IsPart {
		next += phrases.Given(w.IgnoreFields, " To let the patch have them, add this line to the resource that manages the whole object:\n\n"+w.ignoreLine(err.Fields))
	}
	return diag.NewErrorDiagnostic("Field Managed Twice", fmt.Sprintf(
		"%s: this configuration also has %s. Both apply the same fields, and each apply of one would take them from the other:\n%s\n\n%s",
		err.Object, other, phrases.Lines(err.Fields), next))
}

// patchDoesNotFit returns the error about a patch that cannot be applied to its object.
func (w Words) patchDoesNotFit(err *patching.PatchError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Patch Does Not Fit", phrases.Paragraphs(
		err.Object.String()+": "+phrases.Given(w.Patch, w.Patch+": ")+err.Cause.Problem+".", err.Values, err.Cause.Suggestion,
	))
}

// GoneWithPatch warns that the object of a patch no longer exists. The patch then leaves the state.
func GoneWithPatch(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Is Gone", id), fmt.Sprintf(
		"%s does not exist any more, and the patch is gone with it. The next apply waits for an object of this name, and applies the patch to it.", id))
}

// cannotPatch returns the error about fields of a part that cannot be changed.
func (w Words) cannotPatch(err *parts.UnpatchableError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Immutable Field", fmt.Sprintf(
		"%s: the API server does not allow these fields to be changed, and %s gives them other values:\n%s\n\n"+
			"Write the values that the object has, or remove the fields from %[2]s.", err.Object, w.Body, phrases.Lines(err.Immutable)))
}
