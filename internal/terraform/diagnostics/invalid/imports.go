package invalid

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const importSummary = "Invalid Import ID"

// ImportID returns the error about an import ID that cannot be used.
func ImportID(id string, fault *manifest.Error) diag.Diagnostic {
	seen := "The import ID " + id + " cannot be used: " + fault.Problem
	if id == "" {
		seen = "The import ID is empty"
	}
	return diag.NewErrorDiagnostic(importSummary, seen+".\n\n"+fault.Suggestion)
}

// ImportIDWithoutManager returns the error about an import of a patch whose ID names no manager.
func ImportIDWithoutManager(id string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(importSummary, fmt.Sprintf("The import ID %q names no manager.\n\nWrite the "+
		"import ID of the object and the manager whose fields become the patch: "+
		"apiVersion=apps/v1,kind=Deployment,namespace=default,name=web,manager=helm. field_ownership lists the "+
		"managers of an object.", id))
}

// ID returns the error about the attribute id of a state.
func ID(err error) diag.Diagnostic { return diag.NewErrorDiagnostic(importSummary, err.Error()) }

// Identity returns the error about the identity in an import block.
func Identity(id manifest.Identity, problem string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Invalid Identity",
		"The identity of "+id.String()+" cannot be used: "+problem+".\n\nWrite api_version, kind, namespace and name "+
			"as in the manifest, without namespace for a cluster-scoped kind.")
}
