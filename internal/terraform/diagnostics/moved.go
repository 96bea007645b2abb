package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// Unmovable returns the error about a moved block that names a resource whose state cannot be moved here. accepted
// lists the types that can be moved.
func (w Names) Unmovable(typeName, problem, accepted string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unsupported Move", Paragraphs(
		fmt.Sprintf("%s cannot be moved to %s: %s.", typeName, w.Type, problem),
		fmt.Sprintf("%s accepts the resources of %s.", w.Type, accepted),
		"Remove the moved block, import the object, and let the other resource leave the state:", forget(typeName)))
}

// MovedUnread returns the error of a plan whose state comes from another resource, if no refresh has read the object
// since.
func MovedUnread(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Moved Without Refresh", id.String()+" comes from another resource with a moved "+
		"block. Without a refresh, the plan cannot tell what changes.\n\nPlan without -refresh=false.")
}

// MovedElsewhere returns the error of a resource with a connection to another cluster than that from which the moved
// object was read.
func (w Names) MovedElsewhere(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic("Moved From Another Cluster", fmt.Sprintf(
		"%s was read with the provider's `cluster` after the move. The `%s` of the resource points to another "+
			"cluster, which has another object of this name, or none. Nothing was changed.\n\n"+
			"Give the resource a provider that connects to its cluster, for example one with an alias.", id,
		w.Cluster)))
}

// MovedPaths warns of paths in a moved state that have no equivalent here.
func (w Names) MovedPaths(id manifest.Identity, untranslated []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Untranslated Field Paths", fmt.Sprintf(
		"%s comes from another resource. The provider could not translate these paths of its state:\n%s\n\nThe new "+
			"state does not have them. Find the fields in %s after the apply, and add them to %s if other managers "+
			"set them.", id, Lines(untranslated), w.Shown.FieldOwnership, w.Of(arguments.IgnoreFields)))
}

// MovedKeptObject warns that a destroy now deletes an object that the resource it comes from would have left.
func (w Names) MovedKeptObject(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Destroy Would Delete", fmt.Sprintf(
		"%s comes from a resource with apply_only, whose destroy left the object. A destroy of this resource deletes "+
			"it, unless %s is \"release\".\n\nWrite %[2]s = \"release\", or take the resource out of the state later "+
			"with this block:\n\n%[3]s", id, w.Of(arguments.OnDestroy), forget(w.Type)))
}

// SecretMoved warns that a moved state does not contain the data of the Secret.
func (w Names) SecretMoved(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Secret Moved Without Data", fmt.Sprintf(
		"%s comes from another resource, without its data, so that the state does not contain them. They stay on the "+
			"cluster.\n\nTo manage the data, set them in %s. The state does not store it.", id, w.WriteOnlyBody))
}

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
