package diagnostics

import (
	"fmt"
	"strings"

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

// MovedPaths warns of paths that a moved state has and that have no equivalent.
func (w Words) MovedPaths(id manifest.Identity, untranslated []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Untranslated Field Paths", fmt.Sprintf(
		"%s comes from another resource, whose state has paths that are not written here in the same way:\n%s\n\nNothing takes their place. "+
			"Find the fields in %s after the apply, and write them into %s if others set them.", id, phrases.Lines(untranslated), w.FieldOwnership, w.IgnoreFields))
}

// MovedKeptObject warns of a resource whose destroy left the object.
func (w Words) MovedKeptObject(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Destroy Would Delete", fmt.Sprintf(
		"%s comes from a resource with apply_only, whose destroy left the object. A destroy of this resource deletes it, unless %s is \"release\".\n\n"+
			"Write %[2]s = \"release\", or take the resource out of the state later with removed { lifecycle { destroy = false } }.", id, w.OnDestroy))
}

// SecretMoved warns that the data of a Secret did not come along with a moved state.
func (w Words) SecretMoved(id manifest.Identity) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Secret Moved Without Data", fmt.Sprintf(
		"%s comes from another resource, without its data, so that the state does not contain them. They stay on the cluster.\n\n"+
			"To manage the data, write them into %s. The state does not store it.", id, w.WriteOnlyBody))
}

// SourceAnnotations warns of annotations in which the source of a moved state, or kubectl, notes something about itself: those that
// stay on the object, and those that the next apply removes.
func SourceAnnotations(id manifest.Identity, stay, end []string) diag.Diagnostic {
	var texts []string
	if len(end) > 0 {
		texts = append(texts, fmt.Sprintf("%s has annotations of the resource that it comes from. The apply removes them, unless the manifest has them:\n%s", id, phrases.Lines(end)))
	}
	if len(stay) > 0 {
		namespace := ""
		if id.Namespace != "" {
			namespace = " -n " + id.Namespace
		}
		remove := fmt.Sprintf("kubectl annotate %s %s%s", strings.ToLower(id.Kind), id.Name, namespace)
		for _, name := range stay {
			remove += " " + name + "-"
		}
		texts = append(texts, fmt.Sprintf("%s has annotations of other tools. They stay, and this provider does not read them:\n%s", id, phrases.Lines(stay)),
			"To remove them after the apply: "+remove)
	}
	return diag.NewWarningDiagnostic("Annotations Of The Source", phrases.Paragraphs(texts...))
}
