package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// orphanedStringData returns the data that our entry claims as stringData and that leave the manifest. The server would keep
// them: it removes what an entry claims by its own name.
func (i Intent) orphanedStringData(own *paths.Set) *paths.Set {
	if !i.Manifest.IsSecret() {
		return paths.NewSet()
	}
	left := missing(i.Manifest.Object, record.DataOf(own))
	ignored, _ := projection.Covered(left, i.ignored(), i.Manifest.Object)
	return left.Difference(ignored)
}
