package diagnostics

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// targetMissing warns that the target object does not exist yet.
func targetMissing(w Names, id manifest.Identity, limit string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object Not Found Yet", id), fmt.Sprintf(
		"%s does not exist. The apply waits up to %s for it. Computed values are known after the apply.\n\n"+
			"If this configuration creates the object, name that resource in depends_on.%s",
		id, limit, Given(w.Target, " Otherwise check "+w.Target+".")))
}

// ownsNothing returns the error of an import by the name of a manager that owns no field of the object.
func ownsNothing(err *importing.OwnsNothingError) diag.Diagnostic {
	managers, next := "Nobody does.", "Check which object the import ID names. To apply fields to this object, "+
		"write the resource without an import."
	if len(err.Managers) > 0 {
		managers = "These managers do: " + strings.Join(err.Managers, ", ") + "."
		next = "Write one of them after manager= in the import ID."
	}
	return diag.NewErrorDiagnostic("Invalid Import ID", fmt.Sprintf("%s: the manager %q owns no field of the "+
		"object. %s\n\n%s", err.Object, err.Manager, managers, next))
}

// appliedTwice returns the error of a field that two resources of a configuration apply. Terraform prints the address
// of one of them.
func appliedTwice(w Names, err *run.SharedError) diag.Diagnostic {
	other := "another patch"
	if !err.Other.IsPart {
		other = "a resource that manages the whole object"
	}
	other += fmt.Sprintf(", whose field manager is %q", err.Other.FieldManager)
	what, fields := "Both apply the same fields, and each apply of one would take them from the other:\n", err.Applied
	next := "Remove these fields from one of the two" + Given(w.Body, ", from "+w.Body+" here or there") + "."
	switch {
	case len(err.Removed) > 0:
		what, fields = "One of the two applies these fields, and the other removes them, so each apply of one would "+
			"undo the other:\n", err.Removed
		next = "Take these fields out of one of the two resources."
	case len(err.Applied) == 0:
		what = "This resource has the same field manager, so each apply of one removes what the other applied."
		next = "Give each resource of the object a field manager of its own" +
			w.If(arguments.FieldManager, ": set %s") + "."
	case err.This.IsPart != err.Other.IsPart:
		next += Given(w.Of(arguments.IgnoreFields), " To let the patch have them, add this line to the resource that "+
			"manages the whole object:\n\n"+w.Line(arguments.IgnoreFields, err.Applied))
	}
	return diag.NewErrorDiagnostic("Field Managed Twice", fmt.Sprintf(
		"%s: this configuration also has %s. %s%s\n\n%s", err.Object, other, what, Lines(fields), next))
}

// patchedBefore returns the error about the end of an object that other resources change in the same apply, in an order
// that the configuration does not define.
func patchedBefore(w Names, err *run.PatchedError) diag.Diagnostic {
	summary, ends, next := "Patched Object Replaced", "replaces", "Let the target of each patch refer to this "+w.Noun+
		", or name it in depends_on. Then the same apply patches the new object."
	if err.IsLeaving {
		summary, ends, next = "Patched Object Deleted", "deletes", "Remove these patches, too, or keep the object."
	}
	return diag.NewErrorDiagnostic(summary, fmt.Sprintf("%s: the plan %s the object, and also changes patches of it, "+
		"with the field managers %s. Nothing says which comes first.\n\n%s",
		err.Object, ends, ManagersOf(err.Parts), next))
}

// ManagersOf lists the field managers of resources.
func ManagersOf(parts []run.Share) string {
	managers := make([]string, len(parts))
	for i, part := range parts {
		managers[i] = part.FieldManager
	}
	return QuoteAll(managers)
}

// unfitPatch returns the error about a patch that cannot be applied to its object.
func unfitPatch(w Names, err *patching.PatchError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Patch Does Not Fit", Paragraphs(
		err.Object.String()+": "+Given(w.Body, w.Body+": ")+err.Cause.Problem+".", err.Values, err.Cause.Suggestion))
}
