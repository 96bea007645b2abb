package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// planAdoption plans the apply to an object that exists and has no state: a GET, and what an update costs.
// The planned state, the changes and the transfers are those for the object as it is now, because there is no state
// to predict them from.
func (p *Plan) planAdoption(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, current *run.Run,
) error {
	prior, err := existing(ctx, api, args, p.Object)
	if err != nil {
		return err
	}
	if err := current.Objects.Adopt(p.Object, prior.Snapshot.UID, args.FieldManager); err != nil {
		return err
	}
	update, err := PlanUpdate(ctx, api, args, prior)
	giver := current.Objects.Of(prior.Snapshot.UID).Giver
	if _, is := errors.AsType[*ConflictsError](err); is {
		// Fields that only the giver owns do not conflict. The giver may be planned later.
		if giver = current.AwaitGiver(ctx, prior.Snapshot.UID); giver != "" {
			ofOthers := update
			ofOthers.Changes = prediction.NotOnlyOf(giver, update.Changes)
			err = ofOthers.refusal(args)
		}
	}
	isOwn := args.Existing == arguments.AdoptOwn && !prior.Adopted(args.FieldManager).HandedOver
	switch {
	case isOwn && (cluster.IsRefusal(err) || err == nil && !update.keepsValues(prior)):
		exists := &run.AlreadyExistsError{Object: p.Object}
		exists.NoteOwners(prior.Snapshot.Claims, args.FieldManager)
		return exists
	case err != nil:
		return err
	case update.Action == Replace:
		return &UnreplaceableError{Object: p.Object, Fields: update.Immutable.Fields}
	}
	update.Action = Create
	adoption := &update.Adoption
	adoption.UID, adoption.Adopted = prior.Snapshot.UID, prior.Adopted(args.FieldManager)
	if prior.Snapshot.AppliedState == "" {
		update.Managers.OfTerraform = record.OfTerraform(prior.Snapshot.Claims.WithoutKubectl(), args.FieldManager)
	}
	if giver != "" {
		adoption.Adopted, update.Managers.OfTerraform = record.Adopted{Giver: giver}, nil
		update.Changes = prediction.WithoutGiven(update.Changes, giver, update.State)
	} else if isOwn {
		adoption.Adopted = record.Adopted{Resumed: &prior}
	}
	if update.State != nil && !adoption.HandedOver && adoption.Resumed == nil {
		adoption.Transfers = prediction.Transfers(prior.Owners, update.State.Owners)
	}
	*p = update
	return nil
}

// keepsValues reports whether an update is known to change no value of an object.
func (p *Plan) keepsValues(of record.Prior) bool {
	return p.Action != Replace && p.State != nil && maps.Equal(p.State.ManagedState, of.ManagedState) &&
		!slices.ContainsFunc(p.Changes, changesValue)
}

// resumes reports whether a create takes over what an apply of ours that ended early has left.
func resumes(args arguments.Arguments, exists *run.AlreadyExistsError) bool {
	return exists.HandedOver || exists.Owned && args.Existing == arguments.AdoptOwn
}

// existing reads an object without a state, and returns it as a Prior to which we have applied nothing. An object that
// an apply which ended early has left costs a second GET, and is returned as one that we have applied.
func existing(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, id manifest.Identity,
) (record.Prior, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return record.Prior{}, err
	}
	prior, err := record.PriorOf(live, record.Observation{ID: id})
	claims := prior.Snapshot.Claims
	switch {
	case err != nil:
	case record.IsHandedOver(claims, args.FieldManager):
		return record.ObserveAs(ctx, api, id, record.HandedOver(args.FieldManager))
	case args.Existing == arguments.AdoptOwn && !claims.Own(args.FieldManager).Empty():
		return record.ObserveAs(ctx, api, id, args.FieldManager)
	}
	return prior, err
}

// adopt applies to an object that exists and has no state. It returns a [*run.NameInUseError] for the object that
// this resource is to replace, which still exists because of create_before_destroy.
func adopt(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, id manifest.Identity, current *run.Run,
) (record.Observed, Result, error) {
	prior, err := existing(ctx, api, args, id)
	if err != nil {
		return record.Observed{}, Result{}, err
	}
	if current.Objects.Of(prior.Snapshot.UID).IsManaged() {
		return record.Observed{}, Result{}, &run.NameInUseError{Object: id}
	}
	// The plan has found no object, so it has shown no adoption. Only one that changes no value may follow.
	if current.Objects.IsNew(api, id) {
		return adoptUnplanned(ctx, api, args, prior, current)
	}
	if err := current.Objects.Adopt(id, prior.Snapshot.UID, args.FieldManager); err != nil {
		return record.Observed{}, Result{}, err
	}
	planned := Plan{Object: id}
	planned.Adoption.Giver = current.Objects.Of(prior.Snapshot.UID).Giver
	return UpdateObject(ctx, api, args, prior, planned)
}

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
