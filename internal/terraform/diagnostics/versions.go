package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// ChangesVersion warns of a plan that changes the API version of an object.
func ChangesVersion(w Names, from, to manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("API Version Changes", from), fmt.Sprintf(
		"%s: apiVersion %s -> %s, in place. The object keeps its uid, and is neither deleted nor created. Fields that "+
			"have other names in %[3]s are shown as removed and added.", from, from.APIVersion, to.APIVersion))
}

// Converts warns of a plan whose apply rewrites the API version of entries of managedFields.
func Converts(w Names, plan ssa.Plan) diag.Diagnostic {
	entries := make([]string, len(plan.Converted))
	for i, claim := range plan.Converted {
		entries[i] = fmt.Sprintf("%q (%s): %s -> %s", claim.Name, claim.Operation, claim.APIVersion,
			plan.Object.APIVersion)
	}
	does := "refuses every apply"
	if w.Patch != "" && w.Patch == w.Body {
		does = "would forget all owners with this patch"
	}
	return diag.NewWarningDiagnostic(w.About("Owners in Unusable API Version", plan.Object), fmt.Sprintf(
		"%s: the server %s, because it cannot convert the object to an API version that its managedFields name. The "+
			"apply rewrites the version of these entries first. Each manager keeps its fields, and no value changes "+
			"with that:\n%s", plan.Object, does, Lines(entries)))
}
