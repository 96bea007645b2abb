package diagnostics

import (
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/prediction"
)

// fate returns what happens to the value of a conflict.
func fate(change prediction.Change) string {
	switch {
	case change.Transition != ownership.Removing:
		return values(change)
	case change.WithItem:
		return fmt.Sprintf("%q, removed with the list item %s", change.Was, change.With)
	default:
		return fmt.Sprintf("%q, removed with %s", change.Was, change.With)
	}
}

// removed returns how many of the conflicts are fields that the apply removes together with what contains them.
func (r report) removed() int {
	n := 0
	for _, change := range r.conflicts {
		if change.Transition == ownership.Removing {
			n++
		}
	}
	return n
}

// act returns what the apply does to the conflicts.
func (r report) act() string {
	switch r.removed() {
	case 0:
		return "take"
	case len(r.conflicts):
		return "remove"
	default:
		return "take or remove"
	}
}
