package ssa

import (
	"context"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Result is what an apply met that its plan did not know.
type Result struct {
	// Overwritten is what the apply took from other managers who wrote since the plan was made.
	Overwritten []ownership.Change
	Warnings    []Warning
}

// After returns the result of an apply that was sent again, after one that had this result and failed.
func (r Result) After(failed Result) Result {
	r.Overwritten = withLater(failed.Overwritten, r.Overwritten)
	return r
}

// UpdateObject applies to the object of prior: one PATCH that carries its uid. If the object was recreated, it returns
// a *cluster.Error with ReasonConflict. A rewrite of claims before the apply costs a GET and a PATCH more, a take-over
// of managers a PATCH, and writes of other clients since the plan another PATCH; see Overwritten. The result counts
// with an error, too: a request after the apply may have failed.
func UpdateObject(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, planned Plan,
) (record.Observed, Result, error) {
	if planned.Filled == nil {
		planned.Filled, _ = filled(ctx, api, args, prior, maybeFilled(args, prior)) // Known ones, after an error.
	}
	prior.Snapshot.Fields.Filled = planned.Filled
	a := newApply(args, prior)
	a.wanted, a.planned, a.version = wanted.Promising(a.wanted), planned, a.wanted.Prior.Snapshot.ResourceVersion
	if a.unwanted.wanted = a.wanted; prior.Snapshot.AppliedState == "" && prior.Live != nil {
		a.unwanted.read = projection.NewReader(prior.Live)
	}
	if err := a.prepareLive(ctx, api); err != nil {
		return record.Observed{}, Result{}, err
	}
	answer, err := a.send(ctx, api)
	if err != nil {
		return record.Observed{}, Result{}, a.refused().Explain(err)
	}
	return a.finish(ctx, api, answer)
}

// send applies the body, and once more if a repair helps.
func (a *apply) send(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	if a.done != nil {
		return cluster.Applied{Object: a.done, Outcome: cluster.Updated}, nil
	}
	answer, overwritten, err := a.applyNoticing(ctx, api)
	for _, step := range repairs {
		if step.mend == nil || !step.recognizes(a, err) {
			continue
		}
		a.overwritten = overwritten
		if err := step.mend(ctx, api, a, err); err != nil {
			return answer, err
		}
		answer, overwritten, err = a.applyNoticing(ctx, api)
	}
	a.overwritten = overwritten
	return answer, err
}

// finish does what is left to do once the object is applied, and reads it.
func (a *apply) finish(
	ctx context.Context, api cluster.Interface, answer cluster.Applied,
) (record.Observed, Result, error) {
	w, id, before := a.wanted, a.wanted.Prior.Object, a.wanted.Prior.Snapshot
	result := Result{Overwritten: a.overwritten}
	answer, err := a.removeOrphans(ctx, api, answer)
	if err != nil {
		return record.Observed{}, result, err
	}
	if answer, err = removeForgotten(ctx, api, a, answer); err != nil {
		return record.Observed{}, result, err
	}
	if a.planned.State == nil || a.planned.State.PinsUnknown {
		pins := pinning{id: id, wanted: w, answer: answer}
		if err := pins.claim(
			ctx, api, func(pinned wanted.Wanted) map[string]any { return pinned.Split(a.known()) }); err != nil {
			result.Warnings = append(result.Warnings, unpinned(err))
		}
		w, answer = pins.wanted, pins.answer
	}
	left, err := record.ClaimsOf(id, answer.Object)
	if err != nil {
		return record.Observed{}, result, err
	}
	object := answer.Object.Object
	becameAtomic := prediction.BecameAtomic(a.wanted, a.body, left, w.FieldManager, object)
	foreseen := a.predicted(object, left.Own(w.FieldManager), becameAtomic)
	leaving, refilled := &unwantedRemoval{unwanted: a.unwanted}, paths.NewSet()
	removed := foreseen.Removes.Union(a.unwanted.on(object, left))
	if answer, err = a.removeFields(ctx, api, answer, removed, leaving.choose); err != nil {
		result.Warnings = append(result.Warnings, Warning("The object was applied, but fields of others that it "+
			"must not have could not be removed: "+err.Error()+". The next apply removes them."))
	} else if leaving.chosen != nil {
		refilled, err = a.unwanted.refilled(answer.Object, leaving.chosen)
		if err != nil {
			return record.Observed{}, result, err
		}
		w.Prior.Snapshot.Refilled = before.Refilled.With(refilled, answer.Object.Object, before.Renderer())
	}
	result.Overwritten = withLater(result.Overwritten, leaving.writtenSince)
	if spared := leaving.warning(); spared != "" {
		result.Warnings = append(result.Warnings, Warning(spared))
	}
	noteUpdated(a, left)
	live, err := record.RewriteApplied(ctx, api, id, answer.Object, afterApply(w, a.updated, refilled))
	if err != nil {
		result.Warnings = append(result.Warnings, Warning("The object was applied, but its claims could not be "+
			"rewritten: "+err.Error()+
			". Until the next apply does that, the fields that it takes over or leaves to others keep their owners."))
	}
	observed, failed := wanted.Observe(w, id, answer.Object, live)
	if failed != nil {
		return record.Observed{}, result, failed
	}
	if err != nil {
		observed.Snapshot.Move = before.Move
	}
	observed.Snapshot.Obstacles = wanted.ObstaclesBefore(w, a.removes, observed.Snapshot.Fields.Declared)
	_, changes := foreseen.PlannedState()
	observed.Snapshot.RepeatedConflicts = before.RepeatedConflicts.Next(opponentsOf(changes, a.overwritten))
	return observed, result, nil
}

// afterApply returns the rewrite of claims after the apply. It also ends what our manager has come to own by updates,
// which was not in before: the API server gives us the values that it fills in when a request of ours removes others.
// The owners of a value that it has filled in again keep their claims, if the value is the same as before. These claims
// end, too.
func afterApply(w wanted.Wanted, before, refilled *paths.Set) func(ownership.Claims) ownership.Rewrite {
	return func(claims ownership.Claims) ownership.Rewrite {
		rewrite := w.AfterApply(claims)
		rewrite.Refilled = refilled
		if gained := claims.Updated(w.FieldManager).Difference(before); !gained.Empty() {
			rewrite.TakeOver, rewrite.Removed = append(slices.Clone(w.TakeOver), w.FieldManager), gained
		}
		return rewrite
	}
}

// Warning is a sentence about an object that was applied: something else failed or did not go as
// planned, and the user should know.
type Warning string
