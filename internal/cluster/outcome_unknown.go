package cluster

import (
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// OutcomeUnknownError is a create whose answer was lost, while the server could not be asked what became of it.
type OutcomeUnknownError struct {
	Object manifest.Identity
	// Last is what the create failed with.
	Last *Error
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("%s; it is unknown whether the object was created", e.Last)
}

// Unwrap gives the failure of the create.
func (e *OutcomeUnknownError) Unwrap() error { return e.Last }
