package diagnostics

import (
	"fmt"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Operation is the operation on an object, in words that follow "could not be".
type Operation string

// The operations on an object.
const (
	Planned Operation = "planned"
	// Applied is [Planned] for a plan that has waited: only that of an apply does.
	Applied Operation = "applied"
	Created Operation = "created"
	Read    Operation = "read"
	// Patched is [Created] for a resource that applies a part to an object of another client.
	Patched Operation = "patched"
	Listed  Operation = "listed"
	Updated Operation = "updated"
	Deleted Operation = "deleted"
	// ForceDeleted is a deletion that removes the object's finalizers.
	ForceDeleted Operation = "deleted by force"
	Imported     Operation = "imported"
	// TakenBack is the destroy of a part: the resource gives up the fields that it applied.
	TakenBack Operation = "released"
	// SetBack is the undo of an update.
	SetBack Operation = "set back"
	// Followed is a wait for an object.
	Followed Operation = "watched"
	// Restarted and Disowned are operations of actions.
	Restarted Operation = "restarted"
	Disowned  Operation = "disowned"
)

// detail returns the detail of a failed operation: the object, what was seen, and the next step.
func detail(operation Operation, id manifest.Identity, seen, next string) string {
	seen = strings.TrimSuffix(strings.TrimSpace(seen), ".")
	return fmt.Sprintf("%s could not be %s: %s.\n\n%s", id, operation, seen, next)
}

// Recreate returns how to delete an object and create a new one; "" if the resource does not create it. A taint of a
// set would delete all of its objects.
func Recreate(w Names, id manifest.Identity) string {
	const lead = "To delete the object and create a new one, run "
	switch {
	case w.IsSet():
		return lead + "this command, then apply:\n\n  " + id.Kubectl("delete")
	case creates(w):
		return lead + "terraform taint with the address of the " + w.Noun + ", then apply."
	}
	return ""
}

// About adds the object to a warning's summary, and the field manager and the cluster of the resource if they are not
// the provider's own. Terraform folds warnings with the same summary into the first one and a count, which would hide
// the warnings about all other objects, and those of other resources about the same object. The summary of warnings
// that are the same for every object, and ask for one decision, is general.
func (w Names) About(summary string, id manifest.Identity) string {
	var beside []string
	if w.Scope.Cluster != "" {
		beside = append(beside, fmt.Sprintf("cluster %q", w.Scope.Cluster))
	}
	if w.Scope.Manager != "" {
		beside = append(beside, fmt.Sprintf("field manager %q", w.Scope.Manager))
	}
	if len(beside) == 0 {
		return summary + ": " + id.String()
	}
	return fmt.Sprintf("%s: %s (%s)", summary, id, strings.Join(beside, ", "))
}

// common adds to a warning's summary something that many objects share. So Terraform folds their warnings.
func common(summary, what string) string {
	return summary + ": " + what
}
