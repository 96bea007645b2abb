package ssa

import (
	"context"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/removals"
)

// Result is what an apply met that its plan did not know.
type Result struct {
	// Overwritten is what the apply took from others who wrote since the plan was made.
	Overwritten []Overwritten
	Warnings    []Warning
}

// UpdateObject applies to the object of prior: one PATCH that carries its uid. If the object was
// recreated, it returns a *cluster.Error with ReasonConflict. A rewrite of claims before the apply costs
// a GET and a PATCH more, a take-over of managers a PATCH, and writes of others since the plan another PATCH; see Overwritten.
func UpdateObject(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, planned Plan) (record.Observed, Result, error) {
	u := newUpdate(intent, prior)
	u.planned, u.version = planned, u.Prior.Snapshot.ResourceVersion
	if err := u.prepareLive(ctx, api); err != nil {
		return record.Observed{}, Result{}, err
	}
	answer, err := u.apply(ctx, api)
	if err != nil {
		return record.Observed{}, Result{}, refusals.Explain(u.Attempt, u.meets, err)
	}
	return u.finish(ctx, api, answer)
}

// apply applies the body, and once more if a repair helps.
func (u *update) apply(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	if u.done != nil {
		return cluster.Applied{Object: u.done, Outcome: cluster.Updated}, nil
	}
	answer, overwritten, err := u.applyNoticing(ctx, api)
	for _, step := range repairs {
		if !step.recognizes(u, err) {
			continue
		}
		u.overwritten = overwritten
		if err := step.mend(ctx, api, u, err); err != nil {
			return answer, err
		}
		answer, overwritten, err = u.applyNoticing(ctx, api)
	}
	u.overwritten = overwritten
	return answer, err
}

// finish does what is left to do once the object is applied, and reads it.
func (u *update) finish(ctx context.Context, api cluster.Interface, answer cluster.Applied) (record.Observed, Result, error) {
	intent, prior := u.Intent, u.Prior
	result := Result{Overwritten: u.overwritten}
	answer, err := removals.OrphanedParts(ctx, api, u.Attempt, answer)
	if err != nil {
		return record.Observed{}, result, err
	}
	if u.planned.State == nil || u.planned.State.PinsUnknown {
		pins := pinning{id: prior.Object, intent: intent, answer: answer}
		if err := pins.claim(ctx, api, func(pinned intents.Intent) map[string]any { return pinned.Split(u.Known()) }); err != nil {
			result.Warnings = append(result.Warnings, unpinned(err))
		}
		intent, answer = pins.intent, pins.answer
	}
	left, err := record.ClaimsOf(prior.Object, answer.Object)
	if err != nil {
		return record.Observed{}, result, err
	}
	foreseen := u.predicted(answer.Object.Object, left.Own(intent.FieldManager), u.BecameAtomic(left, intent.FieldManager, answer.Object.Object))
	if answer, err = removals.Fields(ctx, api, u.Attempt, answer, foreseen.Removes.Union(record.Unwanted(answer.Object.Object, intent.Remove, left))); err != nil {
		result.Warnings = append(result.Warnings, Warning("The object was applied, but fields of others that it must not have could not be removed: "+err.Error()+". The next apply removes them."))
	}
	live, err := record.RewriteClaims(ctx, api, prior.Object, answer.Object, intent.AfterApply)
	if err != nil {
		result.Warnings = append(result.Warnings, Warning("The object was applied, but its claims could not be rewritten: "+err.Error()+
			". Until the next apply does that, the fields that it takes over or leaves to others keep their owners."))
	}
	observed, failed := observeApplied(live, answer.Object, intent, prior.Object, prior)
	if failed != nil {
		return record.Observed{}, result, failed
	}
	if err != nil {
		observed.Snapshot.Moved, observed.Snapshot.MovedFrom = prior.Snapshot.Moved, prior.Snapshot.MovedFrom
	}
	_, changes := foreseen.PlannedState()
	observed.Snapshot.RepeatedConflicts = prior.Snapshot.RepeatedConflicts.Next(opponentsOf(changes, u.overwritten))
	return observed, result, nil
}

// prepareLive rewrites claims on the live object before the apply. It also removes the fields that leave the body, if
// the apply would remove more than these. If the server refuses what would then be left of a map, the apply removes
// the whole map, as its plan says. prepareLive sends nothing if there is nothing to prepare.
func (u *update) prepareLive(ctx context.Context, api cluster.Interface) error {
	endangered := u.Intent.Endangered(u.meets, u.Body, u.Kept)
	if !u.Rewrite.Changes(u.Claims) && len(endangered) == 0 {
		u.meets = u.Claims
		return nil
	}
	edits := func(live map[string]any, claims ownership.Claims) []cluster.Edit {
		return u.Intent.Stripped(live, claims, u.Intent.Endangered(claims, u.Body, projection.WithValues(live, u.Kept)))
	}
	before := func(claims ownership.Claims, previousManager string) ownership.Rewrite {
		return u.Intent.BeforeApply(claims, previousManager)
	}
	live, err := u.rewriteLive(ctx, api, before, edits)
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		live, err = u.rewriteLive(ctx, api, before, record.NoEdits)
	}
	if err != nil {
		return err
	}
	if u.meets, err = record.ClaimsOf(u.Prior.Object, live); err != nil {
		return err
	}
	u.Body, u.version = u.Intent.Body(u.meets.Fields().Union(u.Kept), u.Prior.Snapshot.UID), live.GetResourceVersion()
	u.overwritten = u.writtenSince(live, u.meets)
	if len(endangered) > 0 && u.meets.Fields().Empty() && intents.IsBare(u.Body) {
		u.done = live
	}
	return nil
}

// Divergence lists, sorted, the declared fields that an apply left with another value than its plan
// showed, or without an owner that it showed, because others wrote in between. An owner that was
// added in between shares our value, and is not listed.
func Divergence(planned prediction.PlannedState, observed record.Observed) []string {
	var fields []string
	for field, value := range planned.ManagedState {
		if observed.ManagedState[field] != value && value != rendering.Redacted {
			fields = append(fields, field)
			continue
		}
		if len(planned.View.Lost(observed.View, field)) > 0 {
			fields = append(fields, field)
		}
	}
	for field := range observed.ManagedState {
		if _, was := planned.ManagedState[field]; was {
			continue
		}
		undisclosed := slices.Contains(planned.UnknownValues, field)
		if !undisclosed || len(planned.View.Lost(observed.View, field)) > 0 {
			fields = append(fields, field)
		}
	}
	cluster.SortUnique(&fields)
	return fields
}

// Warning is a sentence about an object that was applied: something else failed or did not go as
// planned, and the user should know.
type Warning string
