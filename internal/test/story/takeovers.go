package story

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// takeOver names the managers that are taken over, as the configuration says.
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

// takenOver returns what the take-over leaves of claims: managers that are taken over lose what we own, and the maps,
// lists and items in which nothing is left to them, unless they apply or write through a subresource.
func (p Planned) takenOver(claims ownership.Claims) ownership.Claims {
	const updated = metav1.ManagedFieldsOperationUpdate
	own := claims.Own(fmt.Sprint(p.After["field_manager"]))
	left := slices.Clone(claims)
	for i, claim := range left {
		if claim.Operation == updated && claim.Subresource == "" && slices.Contains(p.takeOver(), claim.Name) {
			left[i].Fields = FullOf(claim.Fields, claim.Fields.Difference(own))
		}
	}
	return left
}

// FullOf returns kept without members that had parts in held and have none any more.
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
