package kube

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// maxNearest is how many kinds an error about an unserved kind names.
const maxNearest = 3

// suggestion orders the kinds by their similarity to the requested one: the smaller, the more similar.
type suggestion struct {
	distance int
	// elsewhere is 0 in the same group and version, 1 in the same group, 2 in another group.
	elsewhere int
	text      string
}

// nearest returns the served kinds that look most like asked, "apps/v1 Deployment", best first: the same kind
// in another version or group, then kinds that differ by a few letters. Case does not count.
func nearest(asked schema.GroupVersionKind, served []schema.GroupVersionKind) []string {
	var found []suggestion
	for _, kind := range served {
		distance := paths.Distance(strings.ToLower(asked.Kind), strings.ToLower(kind.Kind))
		if !paths.IsSimilar(asked.Kind, distance) {
			continue
		}
		elsewhere := 2
		switch {
		case kind.GroupVersion() == asked.GroupVersion():
			elsewhere = 0
		case kind.Group == asked.Group:
			elsewhere = 1
		}
		found = append(found, suggestion{distance, elsewhere, kind.GroupVersion().String() + " " + kind.Kind})
	}
	slices.SortFunc(found, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.elsewhere, b.elsewhere), cmp.Compare(a.text, b.text))
	})
	var names []string
	for _, kind := range found[:min(len(found), maxNearest)] {
		names = append(names, kind.text)
	}
	return names
}
