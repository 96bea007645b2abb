package diagnostics

import (
	"fmt"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Operation is what was being done to an object, in the words that follow "could not be".
type Operation string

// The operations on an object.
const (
	Planned Operation = "planned"
	Created Operation = "created"
	Read    Operation = "read"
	Listed  Operation = "listed"
	Updated Operation = "updated"
	Deleted Operation = "deleted"
	// ForceDeleted is a deletion that removes the object's finalizers.
	ForceDeleted Operation = "deleted by force"
	Imported     Operation = "imported"
	// TakenBack is the destroy of a part: the resource gives up the fields that it applied.
	TakenBack Operation = "released"
	// Followed is a wait for an object.
	Followed Operation = "watched"
	// Restarted and Disowned are what actions do to an object.
	Restarted Operation = "restarted"
	Disowned  Operation = "disowned"
)

// detail returns the text of an operation that failed: the object, what was seen, and the next step.
func detail(operation Operation, id manifest.Identity, seen, next string) string {
	return fmt.Sprintf("%s could not be %s: %s.\n\n%s", id, operation, strings.TrimSuffix(strings.TrimSpace(seen), "."), next)
}

// about puts the object into a warning's summary. Terraform folds warnings with the same summary into the first one
// and a count, which would hide what happens to all other objects. Warnings that say the same about every object, and
// ask for one decision, have a general summary.
func about(summary string, id manifest.Identity) string {
	return summary + ": " + id.String()
}

// common puts into a warning's summary something that many objects share, so that Terraform folds their warnings.
func common(summary, what string) string {
	return summary + ": " + what
}
