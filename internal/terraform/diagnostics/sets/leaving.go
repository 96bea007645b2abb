package sets

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Departure is how objects stay on the cluster when their resource, or the set that they leave, gives them up.
type Departure struct {
	// Manager is the field manager that gives up the fields, and Successor the one that gets them; "" if none does.
	Manager, Successor string
	// Fields is how many fields change owner.
	Fields int
}

// Counts returns the sentence that counts the fields.
func (d Departure) Counts() string {
	number := fmt.Sprintf("%d fields", d.Fields)
	changes, lose := " change owner", " lose their owner"
	if d.Fields == 1 {
		number, changes, lose = "1 field", " changes owner", " loses its owner"
	}
	if d.Successor == "" {
		return fmt.Sprintf("%s%s, 0 values: %q gives them up.", number, lose, d.Manager)
	}
	return fmt.Sprintf("%s%s, 0 values: %q -> %q.", number, changes, d.Manager, d.Successor)
}

// Next returns what to know before another tool manages the objects.
func (d Departure) Next(names diagnostics.Names) string {
	if d.Successor == "" {
		return names.If(arguments.Successor, "If another tool applies them next, name its field manager, and "+
			"apply that first. Fields that the tool stops declaring later are then removed:\n\n  "+
			names.Of(arguments.OnDestroy)+" = \"hand_over\"\n  %s = \"kustomize-controller\"")
	}
	return fmt.Sprintf("If %q applies the same manifest next, its first apply changes nothing. Fields that it "+
		"stops declaring later are removed.", d.Successor)
}

// The summaries of the warnings about objects that leave the configuration.
const (
	ObjectsDeleted    = "Objects Deleted"
	ObjectsReleased   = "Objects Released"
	ObjectsHandedOver = "Objects Handed Over"
)

// Deleted returns the warning of a plan about the objects that leave the configuration and are deleted.
func Deleted(objects []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(common(ObjectsDeleted, objects),
		"These objects are no longer in manifests. The apply deletes them, after it has applied the others:\n"+
			diagnostics.AllLines(objects))
}

// Left returns the warning of a plan about the objects that leave the configuration, or that a destroy gives up, and
// that stay on the cluster.
func Left(names diagnostics.Names, objects []string, how Departure) diag.Diagnostic {
	detail := diagnostics.Paragraphs(
		"The set gives these objects up. They stay on the cluster with all their values:\n"+diagnostics.AllLines(objects),
		how.Counts(), how.Next(names))
	if how.Successor == "" {
		return diag.NewWarningDiagnostic(common(ObjectsReleased, objects), detail)
	}
	return diag.NewWarningDiagnostic(common(ObjectsHandedOver, objects), detail)
}

// HooksOfDestroy warns of the hooks that a destroy runs.
func HooksOfDestroy(hooks []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Hooks of the Destroy", "The destroy runs these hooks of the chart:\n"+
		diagnostics.Lines(hooks)+"\n\nIf one before the objects fails, nothing is deleted.")
}

// HooksOfApply warns of the hooks that an apply runs, if they are those that the last one has run: the CLI hides an
// attribute that stays the same.
func HooksOfApply(hooks []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Hooks of the Apply", "The apply runs these hooks of the chart again:\n"+
		diagnostics.Lines(hooks)+"\n\nIf one before the objects fails, no object is changed.")
}
