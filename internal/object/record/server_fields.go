package record

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ServerFields returns what the server and controllers write into an object by themselves with any change: the status,
// the fields of metadata that no one else may write, and the annotation in which the server counts the templates of a
// DaemonSet. For a resource that manages the status, the status is not among them.
func ServerFields(id manifest.Identity) *paths.Set {
	fields := paths.NewSet()
	if id.Subresource != manifest.Status {
		fields.Insert(paths.Path{paths.Field(manifest.Status)})
	}
	for _, name := range manifest.ServerMetadata() {
		fields.Insert(paths.Path{paths.Field("metadata"), paths.Field(name)})
	}
	if id.Group() == appsv1.GroupName && id.Kind == "DaemonSet" {
		fields.Insert(paths.Path{
			paths.Field("metadata"), paths.Field("annotations"), paths.Field(appsv1.DeprecatedTemplateGeneration),
		})
	}
	return fields
}
