package operations

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// JobSecrets returns the values of a Job that no message may have. sensitive are patterns that parse.
func JobSecrets(body map[string]any, sensitive []string) rendering.Secrets {
	metadata, _ := body["metadata"].(map[string]any)
	id := manifest.Identity{APIVersion: JobAPIVersion, Kind: JobKind}
	id.Namespace, _ = metadata["namespace"].(string)
	id.Name, _ = metadata["name"].(string)
	return rendering.Renderer{Sensitive: paths.PatternsOf(sensitive)}.Secrets(id.String(), body)
}
