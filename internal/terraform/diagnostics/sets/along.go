package sets

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Along returns the warning about the objects that the API server deletes along with another one. objects are their
// names and owners, for people. isAll is false if there are more.
func Along(names diagnostics.Names, with manifest.Identity, objects []string, isAll bool) diag.Diagnostic {
	count := fmt.Sprintf("%d objects", len(objects))
	switch {
	case !isAll:
		count = fmt.Sprintf("at least %d objects", len(objects))
	case len(objects) == 1:
		count = "1 object"
	}
	return diag.NewWarningDiagnostic(names.About("Deleted Too", with), fmt.Sprintf(
		"%s: the API server deletes with it %s that this resource does not have:\n%s\n\nTo keep them, keep %[4]s, or "+
			"set %[5]s = \"release\" and apply that first.",
		with, count, diagnostics.Lines(objects), with.Name, names.OnDestroy))
}

// DefinitionInUse returns the error of a set that would delete a definition of whose kind others have objects.
func DefinitionInUse(
	names diagnostics.Names, definition manifest.Identity, objects []string, others int,
) diag.Diagnostic {
	are := "are"
	if others == 1 {
		are = "is"
	}
	return diag.NewErrorDiagnostic("Object Protected", fmt.Sprintf(
		"%s: the API server would delete with it objects that this set does not have, and %d of them %s not "+
			"Terraform's, so the provider refused to delete it:\n%s\n\nTo delete them, too, set %s = false and apply "+
			"that change alone first. To keep them, set %s = \"release\" and apply that first.",
		definition, others, are, diagnostics.Lines(objects), names.DeleteProtection, names.OnDestroy))
}
