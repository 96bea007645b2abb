package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ServerFields returns what the server and controllers write into each object by themselves: the status, and the fields
// of metadata that no one else may write. For a resource that manages the status, the status is not among them.
func ServerFields(id manifest.Identity) *paths.Set {
	fields := paths.NewSet()
	if id.Subresource != manifest.Status {
		fields.Insert(paths.Path{paths.Field(manifest.Status)})
	}
	for _, name := range manifest.ServerMetadata() {
		fields.Insert(paths.Path{paths.Field("metadata"), paths.Field(name)})
	}
	return fields
}
