package ssa

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// ListsError says that lists of an object are too short, or cannot be counted.
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

// count fills in the lists of a plan. It returns a *ListsError if lists are too short.
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
