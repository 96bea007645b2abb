package ssa

import (
	"context"
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// ListsError is an object with lists that are too short, or that cannot be counted.
type ListsError struct {
	Object manifest.Identity
	Lists  []intents.CountedList
}

func (e *ListsError) Error() string {
	return fmt.Sprintf("%s: %d lists are too short, or cannot be counted", e.Object, len(e.Lists))
}

// PlanNothing returns the plan of an object that needs no apply, with its lists. It sends nothing.
func PlanNothing(intent intents.Intent, prior record.Prior) (Plan, error) {
	plan := Plan{Action: NoChange, Object: prior.Object}
	if len(intent.Lengths) == 0 {
		return plan, nil
	}
	a := prediction.NewAttempt(intent, prior)
	if err := refuse(plan.Object, intent.Uncountable(prior.Live, a.Claims)); err != nil {
		return plan, err
	}
	return plan, plan.count(a.Intent.Count(a.Prior, a.Claims, a.Claims.Own(intent.FieldManager)))
}

// count fills in the lists of a plan. Those that are too short are a *ListsError.
func (p *Plan) count(lists []intents.CountedList) error {
	p.Lists = lists
	return refuse(p.Object, slices.DeleteFunc(slices.Clone(lists), func(list intents.CountedList) bool { return list.Lacks() == 0 }))
}

// refuse returns the *ListsError of lists; nil without lists.
func refuse(id manifest.Identity, lists []intents.CountedList) error {
	if len(lists) == 0 {
		return nil
	}
	return &ListsError{Object: id, Lists: lists}
}

// count returns the lists of an object after the apply that left own with us.
func (u *update) count(own *paths.Set) []intents.CountedList {
	return u.Intent.Count(u.Prior, u.Rewrite.Claims(u.Claims), own)
}

// removedItems returns the list items that the apply removes because their lists are too long.
func removedItems(lists []intents.CountedList) *paths.Set {
	items := paths.NewSet()
	for _, list := range lists {
		for _, item := range list.Removed {
			items.Insert(item)
		}
	}
	return items
}

// removeItems removes list items from an object that was just applied: one PATCH if it has any of them. Where it fails,
// the next plan removes them.
func (u *update) removeItems(ctx context.Context, api cluster.Interface, answer cluster.Applied, items *paths.Set) (cluster.Applied, error) {
	if items.Empty() {
		return answer, nil
	}
	live, err := record.RewriteAndEdit(ctx, api, u.Prior.Object, answer.Object, record.Rewriting{
		Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: u.Intent.FieldManager} },
		Edits:  func(live map[string]any, _ ownership.Claims) []cluster.Edit { return withoutItems(live, items) },
	})
	answer.Object = live
	return answer, err
}

// withoutItems returns the edits that set each list around items to what is left of it.
func withoutItems(live map[string]any, items *paths.Set) []cluster.Edit {
	var edits []cluster.Edit
	done := map[string]bool{}
	rest, _ := projection.Strip(live, items).(map[string]any)
	paths.Walk(projection.WithValues(live, items), func(item paths.Path, _ bool) {
		list := item[:len(item)-1]
		pointer, has := projection.Pointer(live, list)
		if !has || done[paths.ID(list)] {
			return
		}
		done[paths.ID(list)] = true
		value, _ := projection.Lookup(rest, list)
		if value == nil {
			value = []any{} // Strip leaves out what is empty.
		}
		edits = append(edits, cluster.Edit{Pointer: pointer, Value: value})
	})
	return edits
}
