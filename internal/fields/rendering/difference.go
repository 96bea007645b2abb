package rendering

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/difference"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Difference returns how two long values of a field differ; see [difference.Of]. It returns nil if one of them holds a
// secret.
func (r Renderer) Difference(path paths.Path, before, after any) []string {
	return r.unlessSecret(path, before, after, difference.Of)
}

// Parts is [Renderer.Difference] of maps and lists of any length; nil for other values.
func (r Renderer) Parts(path paths.Path, before, after any) []string {
	return r.unlessSecret(path, before, after, difference.Parts)
}

func (r Renderer) unlessSecret(path paths.Path, before, after any, of func(before, after any) []string) []string {
	if r.holdsSecret(path, before) || r.holdsSecret(path, after) {
		return nil
	}
	return of(before, after)
}
