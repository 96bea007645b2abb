package diagnostics

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics/phrases"
)

// Unmovable refuses the state of another resource, of a type, that a moved block names. accepted lists what can be moved.
func (w Words) Unmovable(typeName, problem, accepted string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Unsupported Move", phrases.Paragraphs(
		fmt.Sprintf("%s cannot be moved to %s: %s.", typeName, w.Type, problem),
		fmt.Sprintf("%s accepts the resources of %s.", w.Type, accepted),
		"Remove the moved block. Import the object, and let the other resource leave the state with removed { lifecycle { destroy = false } }.",
	))
}

// MovedUnread refuses a plan of an object whose state comes from another resource and that no refresh has read.
func MovedUnread(id manifest.Identity) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Moved Without Refresh", id.String()+" comes from another resource with a moved block. Without a refresh, the plan cannot tell "+
		"what changes.\n\nPlan without -refresh=false.")
}

// MovedElsewhere refuses a resource whose connection leads to another cluster than the one that a moved state was read from.
func (w Words) MovedElsewhere(id manifest.Identity) diag.Diagnostic {
	return diag.WithPath(path.Root(w.Cluster), diag.NewErrorDiagnostic("Moved From Another Cluster", fmt.Sprintf(
		"%s was read with the provider's `cluster` after the move. The `%s` of the resource points to another cluster, which has another object of "+
			"this name, or none. Nothing was changed.\n\n"+
			"Give the resource a provider that connects to its cluster, for example one with an alias.", id, w.Cluster)))
}
