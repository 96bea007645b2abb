package kube

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/similar"
)

// nearest returns the served kinds that look most like asked, "apps/v1 Deployment", best first: the same kind
// in another version or group, then kinds that differ by a few letters. Case does not count.
func nearest(asked schema.GroupVersionKind, served []schema.GroupVersionKind) []string {
	// elsewhere is 0 in the same group and version, 1 in the same group, 2 in another group.
	elsewhere := func(kind schema.GroupVersionKind) int {
		switch {
		case kind.GroupVersion() == asked.GroupVersion():
			return 0
		case kind.Group == asked.Group:
			return 1
		default:
			return 2
		}
	}
	text := func(kind schema.GroupVersionKind) string { return kind.GroupVersion().String() + " " + kind.Kind }
	ordered := slices.SortedFunc(slices.Values(served), func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(elsewhere(a), elsewhere(b)), cmp.Compare(text(a), text(b)))
	})
	var names []string
	for _, kind := range similar.Nearest(asked.Kind, ordered, func(kind schema.GroupVersionKind) string { return kind.Kind }) {
		names = append(names, text(kind))
	}
	return names
}
