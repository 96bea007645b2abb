package arguments

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Sends returns the fields that are sent, as part of an object. It returns nil for a JSON patch.
func (a Arguments) Sends() map[string]any {
	if a.Patch == nil {
		return a.Manifest.Object
	}
	body := a.Patch.Body()
	if a.Manifest.IsSecret() {
		body = manifest.StringDataAsData(body)
	}
	return body
}

// Removes covers the fields that are removed from the object.
func (a Arguments) Removes() paths.Patterns {
	if a.Patch == nil {
		return a.Remove
	}
	return slices.Concat(a.Remove, a.Patch.Removes())
}
