package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// TakesBack warns of a destroy that leaves an object without the part that the resource applied, and says what becomes of
// each field.
func (w Words) TakesBack(id manifest.Identity, fates []ssa.Fate) diag.Diagnostic {
	text := fmt.Sprintf("%s: the destroy ends what this resource owns of the object.", id)
	var removed, kept []string
	for _, fate := range fates {
		if fate.Removed {
			removed = append(removed, fate.Field)
			continue
		}
		kept = append(kept, fate.Field)
	}
	return diag.NewWarningDiagnostic(about("Patch Removed", id), paragraphs(text,
		given(lines(removed), "It removes what this resource added:\n"+lines(removed)),
		given(lines(kept), "It keeps the values of these fields:\n"+lines(kept)),
	))
}

// targetMissing warns of an object that has to exist and does not yet.
func (w Words) targetMissing(id manifest.Identity, limit string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Object Not Found Yet", id), fmt.Sprintf(
		"%s does not exist. The apply waits up to %s for it, and the values that it computes are known after the apply.\n\n"+
			"If this configuration creates the object, name that resource in depends_on.%s", id, limit, given(w.Target, " Otherwise check "+w.Target+".")))
}

// cannotPatch is the error of a part whose fields cannot be changed.
func (w Words) cannotPatch(err *ssa.UnpatchableError) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Immutable Field", fmt.Sprintf(
		"%s: the API server does not allow a change of fields that %s gives other values:\n%s\n\n"+
			"Write the values that they have, or remove them from %[2]s.", err.Object, w.Body, lines(err.Immutable)))
}
