package registry

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"

// AlreadyExistsError says that an object exists which a resource was about to create.
type AlreadyExistsError struct {
	Object manifest.Identity
	// Orphan says that nobody but our field manager owns anything of it: an apply that was killed may have
	// created it.
	Orphan bool
	// Since says that another client created the object after the plan, and Managers are the names of its field managers.
	Since    bool
	Managers []string
}

func (e *AlreadyExistsError) Error() string { return e.Object.String() + " already exists" }
