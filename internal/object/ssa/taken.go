package ssa

import (
	"context"
	"errors"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/creating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
)

// UnplannedError reports an object that another client created after the plan. An adoption would change values that no plan has shown, or
// share the field manager of the other client, so the object was not touched.
type UnplannedError struct {
	// Plan is that of the adoption.
	Plan Plan
}

func (e *UnplannedError) Error() string {
	return e.Plan.Object.String() + " was created by another client after the plan"
}

// taken ends a create that found an object of another client: it adopts the object if the intent says so, and returns an
// *AlreadyExistsError otherwise. It returns a *NameInUseError for the object that this resource is to replace.
func taken(ctx context.Context, api cluster.Interface, intent intents.Intent, found *creating.TakenError, run *registry.Run) (record.Observed, Result, error) {
	prior, err := record.PriorOf(found.Live, record.Observation{ID: found.Object})
	switch {
	case err != nil:
		return record.Observed{}, Result{}, err
	case run.Stands(prior.Snapshot.UID):
		return record.Observed{}, Result{}, &NameInUseError{Object: found.Object}
	case intent.Existing == intents.Adopt:
		return adoptUnplanned(ctx, api, intent, prior, run)
	}
	claims := prior.Snapshot.Claims
	return record.Observed{}, Result{}, &registry.AlreadyExistsError{
		Object: found.Object, Orphan: isOrphan(claims, intent.FieldManager), Since: true, Managers: claims.Names(),
	}
}

// adoptUnplanned adopts an object that another client created after the plan, if that changes no value: a GET, a dry-run and what an
// update costs. Otherwise it returns an *UnplannedError.
func adoptUnplanned(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, run *registry.Run) (record.Observed, Result, error) {
	intent.OnConflict = intents.Fail
	plan, err := PlanUpdate(ctx, api, intent, prior)
	conflicts, contested := errors.AsType[*ConflictsError](err)
	unplanned := &UnplannedError{Plan: plan}
	switch {
	case contested:
		unplanned.Plan = conflicts.Plan
		err = unplanned
	case err != nil:
	case plan.Action == Replace:
		err = &UnadoptableError{Object: prior.Object, Immutable: plan.Immutable}
	case adoptedFrom(prior, intent.FieldManager).BySameManager || slices.ContainsFunc(plan.Changes, changesValue):
		err = unplanned
	default:
		err = run.Adopt(prior.Object, prior.Snapshot.UID)
	}
	if err != nil {
		return record.Observed{}, Result{}, err
	}
	observed, result, err := UpdateObject(ctx, api, intent, prior, plan)
	switch reason := cluster.ReasonOf(err); {
	case reason == cluster.ReasonConflict || reason == cluster.ReasonFieldManagerConflict:
		return observed, result, unplanned
	case err != nil:
		return observed, result, err
	}
	result.Warnings = append(result.Warnings, "Another client created the object after the plan. The apply adopted it, and changed none of its values.")
	return observed, result, nil
}

// changesValue reports whether a change gives a field another value, or removes it.
func changesValue(change prediction.Change) bool {
	return change.Transition.IsConflict() || change.Transition == ownership.Unclaimed
}
