package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// AssumedNamespace warns that an object goes into the default namespace. It appears once in a run, for the first object.
func AssumedNamespace(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Namespace Not Named", fmt.Sprintf(
		"%s: neither yaml_body nor the cluster connection names a namespace, so the apply creates the object in the namespace %q. "+
			"Other objects without a namespace are created there too.\n\n"+
			"Write metadata.namespace into yaml_body, or `namespace` into `cluster`.", id, id.Namespace))
}

// NamespaceChange warns of a replacement that creates the object in another namespace.
func NamespaceChange(from, to manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic(about("Namespace Change", from), fmt.Sprintf(
		"%s: yaml_body names no namespace, and the cluster connection names %q, so the plan deletes the object in %q and creates it in %q.\n\n"+
			"To keep it where it is, write metadata.namespace: %s into yaml_body.", from, to.Namespace, from.Namespace, to.Namespace, from.Namespace))
}
