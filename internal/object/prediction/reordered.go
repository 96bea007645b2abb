package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// reordered returns the lists of which the apply sends several items, and to which it gives another order of these
// items than they have. fields are those that it gives values. No manager owns an order, so that the API server reports
// no conflict, and does not say who has changed it. So a change concerns the managers that own one of the items, too.
func (in Inputs) reordered(fields *paths.Set, formatter *paths.Formatter) []Change {
	prior, renderer := in.Wanted.Prior, in.Wanted.LiveRenderer()
	names, priorNames := renderer.Names(formatter), prior.Snapshot.Renderer().Names(formatter)
	adopted := map[string]string{}
	if prior.Arguments.Manifest.Object == nil || in.Wanted.IsPart { // The state of a part has no orders.
		adopted = renderer.Orders(prior.Live, in.Result, fields, formatter)
	}
	var changes []Change
	for _, order := range projection.Orders(in.Result, fields) {
		change := Change{Field: names.Format(order.Path), Transition: ownership.Retaking, IsOrder: true}
		was, shown := prior.ManagedState[priorNames.Format(order.Path)]
		if !shown {
			if was, shown = adopted[change.Field]; shown {
				change.Transition = ownership.Taking
			}
		}
		becomes, isPublic := renderer.Order(order)
		if !shown || !isPublic || !rendering.IsReordered(was, becomes) {
			continue
		}
		change.Was, change.Becomes, change.Owned = was, becomes, change.Transition == ownership.Retaking
		change.Others = in.ownersOfItems(order)
		switch {
		case change.Transition == ownership.Retaking:
			change.Again = prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
		case len(change.Others) == 0:
			change.Transition = ownership.Unclaimed
		}
		changes = append(changes, change)
	}
	return changes
}

// ownersOfItems returns the other managers that own one of the items whose order is given.
func (in Inputs) ownersOfItems(order projection.Order) []ownership.Holder {
	var owners []ownership.Holder
	for _, claim := range in.Wanted.Claims().Others(in.Wanted.FieldManager) {
		for _, item := range order.Items {
			if claim.Fields.Has(paths.Below(order.Path, item)) {
				owners = append(owners, claim.Holder())
				break
			}
		}
	}
	return owners
}
