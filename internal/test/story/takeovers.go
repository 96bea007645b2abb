package story

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// takeOver returns the managers that the configuration takes over.
func (p Planned) takeOver() []string {
	listed, written := p.After["take_over_managers"].([]any)
	if !written {
		return []string{"kubectl-client-side-apply", "kubectl-create", "before-first-apply"}
	}
	managers := make([]string, len(listed))
	for i, name := range listed {
		managers[i] = fmt.Sprint(name)
	}
	return managers
}

// takenOver returns the claims after the take-over: managers that are taken over lose the fields that we own, and the
// maps, lists and items in which they own nothing any more. Claims through a subresource stay.
func (p Planned) takenOver(claims ownership.Claims) ownership.Claims {
	manager := fmt.Sprint(p.After["field_manager"])
	own := claims.Own(manager)
	left := slices.Clone(claims)
	for i, claim := range left {
		if !claim.IsOwn(manager) && claim.Subresource == "" && slices.Contains(p.takeOver(), claim.Name) {
			left[i].Fields = FullOf(claim.Fields, claim.Fields.Difference(own))
		}
	}
	return left
}

// FullOf returns kept without the members that had parts in held and no longer have any.
func FullOf(held, kept *paths.Set) *paths.Set {
	for {
		emptied := paths.NewSet()
		paths.Walk(kept.Leaves(), func(path paths.Path, _ bool) {
			if !kept.Equals(held) && ownership.HasParts(held, path) {
				emptied.Insert(path)
			}
		})
		if emptied.Empty() {
			return kept
		}
		kept = kept.Difference(emptied)
	}
}
