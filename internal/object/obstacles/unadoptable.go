package obstacles

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

// UnadoptableError reports that the manifest differs from an existing object in fields which cannot be changed.
type UnadoptableError struct {
	Object manifest.Identity
	// Immutable are the fields, as [Apply.Immutable] returns them.
	Immutable []prediction.Change
}

func (e *UnadoptableError) Error() string {
	return e.Object.String() + " exists, and differs in fields that cannot be changed"
}
