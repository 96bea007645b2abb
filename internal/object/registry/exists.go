package registry

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"

// AlreadyExistsError reports that an object exists that a resource was about to create.
type AlreadyExistsError struct {
	Object manifest.Identity
	// Orphan is true if only our field manager owns fields of it: an apply that was killed may have created it.
	Orphan bool
	// Since says that another client created the object after the plan, and Managers are the names of its field managers.
	Since    bool
	Managers []string
}

// RecreatedError reports an object that is not the one that a resource applied to, and of which its field manager owns nothing: another
// client has deleted that one and created this one.
type RecreatedError struct {
	Object manifest.Identity
	// Was is the uid of the object that the resource applied to, Is that of this one.
	Was, Is string
	// Managers are the names of the field managers of this one.
	Managers []string
}

func (e *RecreatedError) Error() string { return e.Object.String() + " was deleted and created again" }

func (e *AlreadyExistsError) Error() string { return e.Object.String() + " already exists" }
