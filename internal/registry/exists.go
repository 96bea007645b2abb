package registry

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"

// AlreadyExistsError reports that an object exists that a resource was about to create.
type AlreadyExistsError struct {
	Object manifest.Identity
	// Orphan is true if only our field manager owns fields of it: an apply that was killed may have created it.
	Orphan bool
}

func (e *AlreadyExistsError) Error() string { return e.Object.String() + " already exists" }
