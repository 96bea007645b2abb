package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// ServerFields returns what the server and controllers write into each object by themselves: the status, and the fields
// of metadata that no one else may write.
func ServerFields() *paths.Set {
	fields := paths.NewSet(paths.Path{paths.Field("status")})
	for _, name := range manifest.ServerMetadata() {
		fields.Insert(paths.Path{paths.Field("metadata"), paths.Field(name)})
	}
	return fields
}
