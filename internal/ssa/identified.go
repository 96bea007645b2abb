package ssa

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"

// identified adds the object's identity to body and returns it.
func identified(body map[string]any, id manifest.Identity) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = id.Name
	if id.Namespace != "" {
		metadata["namespace"] = id.Namespace
	}
	body["metadata"], body["apiVersion"], body["kind"] = metadata, id.APIVersion, id.Kind
	return body
}
