package ssa

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// ListsError reports that lists of an object are too short, or cannot be counted.
type ListsError struct {
	Object manifest.Identity
	Lists  []wanted.CountedList
}

func (e *ListsError) Error() string {
	return fmt.Sprintf("%s: %d lists are too short, or cannot be counted", e.Object, len(e.Lists))
}

// PlanNothing returns the plan of an object that needs no apply, with its lists. It sends nothing.
func PlanNothing(args arguments.Arguments, prior record.Prior) (Plan, error) {
	plan := Plan{Action: NoChange, Object: prior.Object, Lines: linesOf(args)}
	if len(args.Lengths) == 0 && len(prior.Additions) == 0 {
		return plan, nil
	}
	w := wanted.For(args, prior)
	plan.Additions = additionsOf(args.OnAddition, prediction.Additions(w))
	if err := plan.refusal(args); err != nil {
		return plan, err
	}
	if err := refuse(plan.Object, w.Uncountable(prior.Live, w.Claims())); err != nil {
		return plan, err
	}
	return plan, plan.count(w.Count(w.Claims(), w.Claims().Own(w.FieldManager)))
}

// count fills in the lists of a plan. It returns a *ListsError if lists are too short.
func (p *Plan) count(lists []wanted.CountedList) error {
	p.Items.Counted = lists
	return refuse(p.Object, slices.DeleteFunc(slices.Clone(lists), func(list wanted.CountedList) bool {
		return list.Lacks() == 0
	}))
}

// refuse returns the *ListsError of lists; nil without lists.
func refuse(id manifest.Identity, lists []wanted.CountedList) error {
	if len(lists) == 0 {
		return nil
	}
	return &ListsError{Object: id, Lists: lists}
}
