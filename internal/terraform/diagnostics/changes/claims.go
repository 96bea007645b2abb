package changes

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// OwnersReset warns of an object whose managedFields was reset since the last apply.
func OwnersReset(w diagnostics.Names, plan ssa.Plan) diag.Diagnostic {
	unknown := ""
	if plan.Additions.Policy != "" {
		unknown = " They may be anybody's, so " + w.Of(arguments.OnAddition) + " does nothing about them."
	}
	return diag.NewWarningDiagnostic(w.About("Owners Reset", plan.Object), fmt.Sprintf(
		"metadata.managedFields of %s is empty: another client has reset it, for example a restore from a backup, "+
			"or the API server has, after a change of the schema. So it is not known which manager has set what.\n\n"+
			"The apply claims what the configuration declares, and removes what has left it since the last apply. The "+
			"API server gives all other fields to the manager %q.%s", plan.Object, ownership.BeforeFirstApply, unknown))
}

// Superseded warns that the object to destroy is gone, and that its name belongs to another object.
func Superseded(w diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object Was Recreated", id), fmt.Sprintf(
		"%s: the object of this resource is gone. Somebody has since created another object of the same name, which "+
			"was not touched.\n\nIf nobody needs it, delete it too.", id))
}

// AppliedWithWarnings warns that the object was applied, but that something else failed or went differently than
// planned.
func AppliedWithWarnings(w diagnostics.Names, id manifest.Identity, warnings []ssa.Warning) diag.Diagnostic {
	texts := make([]string, len(warnings))
	for i, warning := range warnings {
		texts[i] = fmt.Sprintf("%s: %s", id, warning)
	}
	return diag.NewWarningDiagnostic(w.About("Applied With Warnings", id), diagnostics.Paragraphs(texts...))
}

// WrittenByOwnManager warns of a write to an object by the field manager of the resource that the resource did not
// make.
func WrittenByOwnManager(w diagnostics.Names, id manifest.Identity, fieldManager string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Field Manager Used Twice", id), fmt.Sprintf(
		"%s: the field manager %q of this resource has written to the object, and this state does not know of it. "+
			"Another configuration may manage the object under the same name, or an apply of this one ended with an "+
			"error. Under one name, each apply removes what the other declares.\n\n"+
			"Manage the object in one configuration%s.",
		id, fieldManager,
		w.If(arguments.FieldManager, ", or set another %s in one of the two")))
}

// OfVersion warns of a plan that changes the API version of an object.
func OfVersion(w diagnostics.Names, from, to manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("API Version Changes", from), fmt.Sprintf(
		"%s: apiVersion %s -> %s, in place. The object keeps its uid, and is neither deleted nor created. Fields that "+
			"have other names in %[3]s are shown as removed and added.", from, from.APIVersion, to.APIVersion))
}

// Converts warns of a plan whose apply rewrites the API version of entries of managedFields.
func Converts(w diagnostics.Names, plan ssa.Plan) diag.Diagnostic {
	entries := diagnostics.ListOf(plan.Managers.Converted, diagnostics.Most, func(claim ownership.Claim) string {
		return fmt.Sprintf("%q (%s): %s -> %s", claim.Name, claim.Operation, claim.APIVersion, plan.Object.APIVersion)
	})
	does := "refuses every apply"
	if w.IsPatch {
		does = "would forget all owners with this patch"
	}
	return diag.NewWarningDiagnostic(w.About("Owners in Unusable API Version", plan.Object), fmt.Sprintf(
		"%s: the server %s, because it cannot convert the object to an API version that its managedFields name. The "+
			"apply rewrites the version of these entries first. Each manager keeps its fields, and no value changes "+
			"with that:\n%s", plan.Object, does, entries))
}

// TakesOverAppliers warns of a plan that takes over managers that have applied the object.
func TakesOverAppliers(w diagnostics.Names, plan ssa.Plan) diag.Diagnostic {
	managers := diagnostics.ListOf(plan.Managers.Ended, diagnostics.Most, func(claim ownership.Claim) string {
		return fmt.Sprintf("%q: %d", claim.Name, ownership.CountOf(claim.Fields))
	})
	return diag.NewWarningDiagnostic(w.About("Manager Taken Over", plan.Object), fmt.Sprintf(
		"%s: %s names managers that have applied the object. The apply ends their claims on this many fields of %s, "+
			"and changes no value with that:\n%s\n\nIf one of them is still in use, remove the object from it first. "+
			"Otherwise it claims the fields again when it next applies the object, and may delete the object later.",
		plan.Object, w.Of(arguments.TakeOverManagers), w.Body, managers))
}

// CreatedAgain warns of a planned replacement that deletes nothing.
func CreatedAgain(w diagnostics.Names, id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Object Is Gone", id), fmt.Sprintf(
		"%s is in the state and no longer exists. The plan shows a replacement, because the refresh could not "+
			"read the object. The apply deletes nothing and creates the object.", id))
}

// SourceAnnotations warns of annotations in which another tool, such as the source of a moved state or kubectl, stores
// its own data. stay are those that stay on the object, end those that the next apply removes.
func SourceAnnotations(id manifest.Identity, stay, end []string) diag.Diagnostic {
	var texts []string
	if len(end) > 0 {
		texts = append(texts, fmt.Sprintf("%s has annotations of the resource that it comes from. The apply removes "+
			"them, unless the manifest has them:\n%s", id, diagnostics.Lines(end)))
	}
	if len(stay) > 0 {
		remove := id.Kubectl("annotate")
		for _, name := range stay {
			remove += " " + name + "-"
		}
		texts = append(texts, fmt.Sprintf("%s has annotations of other tools. They stay, and this provider does not "+
			"read them:\n%s", id, diagnostics.Lines(stay)),
			"To remove them after the apply: "+remove)
	}
	return diag.NewWarningDiagnostic("Annotations of Other Tools", diagnostics.Paragraphs(texts...))
}
