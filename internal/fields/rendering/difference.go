package rendering

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Difference returns how two long values of a field differ; see [difference.Of]. It returns nil if one of them holds a
// secret.
func (r Renderer) Difference(path paths.Path, before, after any) []string {
	if r.holdsSecret(path, before) || r.holdsSecret(path, after) {
		return nil
	}
	return difference.Of(before, after)
}
