package diagnostics

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// ConnectionUnknown returns the error of a read that needs a connection which the apply will make known.
func (w Words) ConnectionUnknown(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cluster Connection Unknown", detail(Read, id, "the cluster connection is only known after the apply",
		"Name the resource that creates the cluster in depends_on of this "+w.Noun+", so that it is read after that, or create the cluster first."))
}

// UnreadableOwnership returns the error of an object whose managedFields cannot be parsed.
func UnreadableOwnership(id manifest.Identity, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unreadable Ownership", detail(Read, id, err.Error(), "Check who wrote metadata.managedFields of the object."))
}
