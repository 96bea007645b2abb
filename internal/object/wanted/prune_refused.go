package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// WhenPruneRefused returns BeforeApply for the case that the server refuses what would remain of a field that leaves
// the body: managers to take over then lose all of the outermost map or list that leaves with it. For example, kubectl
// owns a probe itself, the fields that it set in the probe, and the server's defaults in it. Fields that refusal does
// not name keep the parts that kubectl set.
func (w Wanted) WhenPruneRefused(claims ownership.Claims, previousManager string, refusal error) ownership.Rewrite {
	return pruning(w, claims, previousManager, func(path paths.Path) bool { return refusals.Refuses(refusal, path) })
}

// MayPruneMore reports whether managers to take over own parts of fields that leave the body, which they lose only if
// the server refuses these parts alone.
func MayPruneMore(w Wanted) bool {
	claims, previous := w.Claims(), w.PreviousManager()
	all := pruning(w, claims, previous, func(paths.Path) bool { return true })
	return all.Changes(w.BeforeApply(claims, previous).Claims(claims))
}

// pruning returns BeforeApply, with which managers to take over also lose all of the outermost maps and lists that
// leave the body and that are refused.
func pruning(
	w Wanted, claims ownership.Claims, previousManager string, isRefused func(paths.Path) bool,
) ownership.Rewrite {
	rewrite := w.BeforeApply(claims, previousManager)
	rewrite.Removed = paths.NewSet()
	body := projection.NewReader(w.Manifest.Object)
	paths.Walk(rewrite.Declared, func(path paths.Path, _ bool) {
		for length := 1; length <= len(path); length++ {
			if _, presence := body.Lookup(path[:length]); presence == projection.Present {
				continue
			}
			if isRefused(path[:length]) {
				rewrite.Removed.Insert(path[:length].Copy())
			}
			return
		}
	})
	return rewrite
}
