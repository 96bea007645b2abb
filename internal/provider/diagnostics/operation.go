package diagnostics

import (
	"fmt"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Operation is what was being done to an object, as a sentence has it after "could not be".
type Operation string

// The operations on an object.
const (
	Planned Operation = "planned"
	Created Operation = "created"
	Read    Operation = "read"
	Updated Operation = "updated"
	Deleted Operation = "deleted"
	// ForceDeleted is deleted without finalizers.
	ForceDeleted Operation = "deleted by force"
	Imported     Operation = "imported"
)

// detail returns the text of an operation that failed: the object, what was seen, and the next step.
func detail(operation Operation, id manifest.Identity, seen, next string) string {
	return fmt.Sprintf("%s could not be %s: %s.\n\n%s", id, operation, strings.TrimSuffix(strings.TrimSpace(seen), "."), next)
}
