package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// AssumedNamespace warns that an object is created in the default namespace. It appears once in a run, for the first
// object.
func (w Names) AssumedNamespace(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Namespace Not Named", fmt.Sprintf(
		"%[1]s: neither %[3]s nor the cluster connection names a namespace, so the apply creates the object in the "+
			"namespace %[2]q. Other objects without a namespace are created there too.\n\nSet metadata.namespace in "+
			"%[3]s%[4]s.", id, id.Namespace, w.Body, Given(w.Cluster, ", or `namespace` in `"+w.Cluster+"`")))
}

// NamespaceChange warns of a replacement that creates the object in another namespace.
func (w Names) NamespaceChange(from, to manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(w.About("Namespace Change", from), fmt.Sprintf(
		"%s: %s names no namespace, and the cluster connection names %q, so the plan deletes the object in %q and "+
			"creates it in %[3]q.\n\nTo keep it where it is, set metadata.namespace: %[4]s in %[2]s.",
		from, w.Body, to.Namespace, from.Namespace))
}
