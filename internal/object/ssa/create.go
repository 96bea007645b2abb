package ssa

import (
	"context"
	"errors"
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// CreateObject makes a new object: one PATCH, and one more to release ignored fields, which are sent once, as initial
// values. It waits until ctx ends for a kind or namespace that does not exist yet, and for the end of an object of the
// name that is being deleted. planned is the plan of the same apply. If it has no state, a dry-run finds out first
// whether the object is new. CreateObject adopts an existing object if the arguments say so, and returns an
// *AlreadyExistsError otherwise. An object that another client has created since the plan is not changed; see taken.
// Once the PATCH has succeeded, CreateObject returns warnings and no error, because an object that exists belongs in
// the state. An *OutcomeUnknownError reports that it is not known whether the object exists.
func CreateObject(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, planned Plan, current *run.Run,
) (record.Observed, Result, error) {
	var answer cluster.Applied
	var existing bool
	id := planned.Object
	err := run.AwaitSettled(ctx, &current.Waits, func() (err error) {
		defer func() { err = run.OrNeeding(&current.Objects, err) }()
		// A plan with values has seen the server create the object. Without values, it may not have reached the
		// object, or has found one to adopt.
		if planned.State == nil && (args.Existing != arguments.Refuse || !current.Objects.IsNew(api, id)) {
			id, existing, err = isExisting(ctx, api, args, current)
			if err != nil || existing {
				return err
			}
		}
		answer, err = cluster.Create(ctx, api, id, args.Manifest.Object, args.FieldManager)
		return orLeaving(ctx, api, args, err, current)
	})
	found, isTaken := errors.AsType[*cluster.TakenError](err)
	switch {
	case isTaken:
		return taken(ctx, api, args, found, current)
	case err != nil:
		return record.Observed{}, Result{}, err
	case existing:
		return adopt(ctx, api, args, id, current)
	}
	var warnings []Warning
	pins := pinning{id: id, wanted: wanted.For(args, record.Prior{}), answer: answer}
	if err := pins.claim(
		ctx, api, func(pinned wanted.Wanted) map[string]any { return pinned.Manifest.Object }); err != nil {
		warnings = append(warnings, unpinned(err))
	}
	w, answer := pins.wanted, pins.answer
	live, err := record.RewriteApplied(ctx, api, id, answer.Object, w.AfterApply)
	switch {
	case err == nil:
	case len(live.GetManagedFields()) == 0:
		warnings = append(warnings, Warning("The object was created, but the API server records no owners of what "+
			"others add to it: "+err.Error()+". Declare a label, so that it does."))
	default:
		warnings = append(warnings, Warning(fmt.Sprintf(
			"The object was created, but its ignored fields are still owned by %q: %s. The next apply releases them.",
			w.FieldManager, err)))
	}
	observed, err := wanted.Observe(w, id, answer.Object, live)
	if err != nil {
		// The object exists, so it has to be in the state. By the uid, a refresh and a destroy find the same object.
		uid := string(live.GetUID())
		observed = record.Observed{Object: id, UID: uid}
		observed.Snapshot.Object, observed.Snapshot.UID = id, uid
		warnings = append(warnings, Warning("The object was created, but its attributes cannot be shown: "+err.Error()))
	}
	return observed, Result{Warnings: warnings}, nil
}

// orLeaving returns err, the error of a create; if it is about an object that is being deleted and belongs to no
// resource, [record.Leaving] of that object.
func orLeaving(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, err error, current *run.Run,
) error {
	found, is := errors.AsType[*cluster.TakenError](err)
	if !is || found.Live.GetDeletionTimestamp() == nil || current.Objects.Of(string(found.Live.GetUID())).IsManaged() {
		return err
	}
	return record.Leaving(ctx, api, found.Object, record.GiveBack(ctx, api, found, args.FieldManager))
}

// isExisting reports whether the object exists and the arguments adopt it, or it was handed over: one dry-run. It
// returns an *AlreadyExistsError if the object exists and they do not adopt it, and an error if an ignore pattern does
// not fit the result.
func isExisting(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, current *run.Run,
) (manifest.Identity, bool, error) {
	id, err := cluster.Locate(ctx, api, args.Manifest.Identity)
	if err != nil {
		return id, false, err
	}
	dry, err := dryRunCreate(ctx, api, id, args)
	switch reason := cluster.ReasonOf(err); {
	case reason == cluster.ReasonInvalid, reason == cluster.ReasonConflict, reason == cluster.ReasonUnconvertible:
		// The server may have refused the change of an object that exists.
		live, missing := api.Get(ctx, id)
		switch {
		case cluster.IsGone(missing):
			return id, false, err
		case missing != nil:
			return id, false, missing
		}
		if leaving := record.Leaving(ctx, api, id, live); leaving != nil || args.Existing == arguments.Adopt {
			return id, leaving == nil, leaving
		}
		return id, false, err
	case err != nil:
		return id, false, err
	}
	claims, err := record.ClaimsOf(id, dry.Object)
	switch {
	case err != nil:
		return id, false, err
	case dry.Outcome == cluster.Updated && current.Objects.Of(string(dry.Object.GetUID())).IsManaged():
		return id, false, &run.NameInUseError{Object: id}
	case dry.Outcome == cluster.Updated && dry.Object.GetDeletionTimestamp() != nil:
		return id, false, record.Leaving(ctx, api, id, dry.Object)
	case dry.Outcome == cluster.Updated && args.Existing == arguments.Adopt:
		return id, true, nil
	case dry.Outcome == cluster.Updated:
		exists := &run.AlreadyExistsError{Object: id}
		if err := run.Explain(ctx, api, exists, args.FieldManager); !resumes(args, exists) {
			return id, false, err
		}
		return id, true, nil
	}
	return id, false, wanted.For(args, record.Prior{}).CheckSeparable(claims.Own(args.FieldManager))
}

// dryRunCreate returns the dry-run of an object that may be new.
func dryRunCreate(
	ctx context.Context, api cluster.Interface, id manifest.Identity, args arguments.Arguments,
) (cluster.Applied, error) {
	return api.Apply(ctx, id, args.Manifest.Object, cluster.ApplyOptions{
		FieldManager: args.FieldManager, DryRun: true, Force: true,
	})
}
