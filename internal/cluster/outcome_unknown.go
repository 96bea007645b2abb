package cluster

import (
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// OutcomeUnknownError reports a create whose answer was lost, if the server could not be asked whether it succeeded.
type OutcomeUnknownError struct {
	Object manifest.Identity
	// Last is what the create failed with.
	Last *Error
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("%s; it is unknown whether the object was created", e.Last)
}

// Unwrap returns the failure of the create.
func (e *OutcomeUnknownError) Unwrap() error { return e.Last }
