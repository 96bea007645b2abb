package ssa

import (
	"context"
	"errors"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// UnplannedError reports an object that another client created after the plan. An adoption would change values that no
// plan has shown, or share the field manager of the other client, so the object was not touched.
type UnplannedError struct {
	// Plan is that of the adoption.
	Plan Plan
}

func (e *UnplannedError) Error() string {
	return e.Plan.Object.String() + " was created by another client after the plan"
}

// taken ends a create that found an object of another client: it adopts the object if the arguments say so, and returns
// an *AlreadyExistsError otherwise. It returns a [*run.NameInUseError] for the object that this resource is to replace.
func taken(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, found *cluster.TakenError, current *run.Run,
) (record.Observed, Result, error) {
	// A server that does not compare resourceVersions has applied the create to the object of the other client.
	live := record.GiveBack(ctx, api, found, args.FieldManager)
	prior, err := record.PriorOf(live, record.Observation{ID: found.Object})
	switch {
	case err != nil:
		return record.Observed{}, Result{}, err
	case current.Objects.Of(prior.Snapshot.UID).IsManaged():
		return record.Observed{}, Result{}, &run.NameInUseError{Object: found.Object}
	case args.Existing == arguments.Adopt:
		return adoptUnplanned(ctx, api, args, prior, current)
	}
	claims := prior.Snapshot.Claims
	exists := &run.AlreadyExistsError{Object: found.Object, Since: true, Managers: claims.Names()}
	exists.NoteOwners(claims, args.FieldManager)
	return record.Observed{}, Result{}, exists
}

// adoptUnplanned adopts an object that another client created after the plan, if that changes no value: a GET, a
// dry-run and what an update costs. Otherwise it returns an *UnplannedError.
func adoptUnplanned(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, current *run.Run,
) (record.Observed, Result, error) {
	args.OnConflict = arguments.Fail
	plan, err := PlanUpdate(ctx, api, args, prior)
	conflicts, contested := errors.AsType[*ConflictsError](err)
	unplanned := &UnplannedError{Plan: plan}
	switch {
	case contested:
		unplanned.Plan = conflicts.Plan
		err = unplanned
	case err != nil:
	case plan.Action == Replace:
		err = &UnreplaceableError{Object: prior.Object, Fields: plan.Immutable.Fields}
	case prior.Adopted(args.FieldManager).BySameManager || slices.ContainsFunc(plan.Changes, changesValue):
		err = unplanned
	default:
		err = current.Objects.Adopt(prior.Object, prior.Snapshot.UID, args.FieldManager)
	}
	if err != nil {
		return record.Observed{}, Result{}, err
	}
	observed, result, err := UpdateObject(ctx, api, args, prior, plan)
	switch reason := cluster.ReasonOf(err); {
	case reason == cluster.ReasonConflict || reason == cluster.ReasonFieldManagerConflict:
		return observed, result, unplanned
	case err != nil:
		return observed, result, err
	}
	result.Warnings = append(result.Warnings, "Another client created the object after the plan. The apply adopted "+
		"it, and changed none of its values.")
	return observed, result, nil
}

// changesValue reports whether a change gives a field another value, or removes it.
func changesValue(change ownership.Change) bool {
	return change.What.IsConflict() || change.What == ownership.Unclaimed
}
