package ssa

import (
	"context"
	"errors"
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/creating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
)

// CreateObject makes a new object: one PATCH, and one more to release ignored fields, which are sent
// once, as initial values. It waits until ctx ends for a kind or namespace that does not exist yet.
// planned is the plan of the same apply. If it has no state, a dry-run finds out first whether the
// object is new. CreateObject adopts an existing object if the intent says so, and returns an
// *AlreadyExistsError otherwise. An object that another client has created since the plan is not changed; see taken. Once the PATCH has
// succeeded, CreateObject returns warnings and no error, because an object that exists belongs into the state. An *OutcomeUnknownError
// says that nobody knows whether the object exists.
func CreateObject(ctx context.Context, api cluster.Interface, intent intents.Intent, planned Plan, run *registry.Run) (record.Observed, Result, error) {
	var answer cluster.Applied
	var existing bool
	id := planned.Object
	err := registry.AwaitSettled(ctx, &run.Waits, func() error {
		var err error
		if planned.State == nil && (intent.Existing != intents.Refuse || !run.IsNew(api, id)) {
			id, existing, err = isExisting(ctx, api, intent, run)
			if err != nil || existing {
				return err
			}
		}
		answer, err = creating.Apply(ctx, api, id, intent.Manifest.Object, intent.FieldManager)
		return err
	})
	found, isTaken := errors.AsType[*creating.TakenError](err)
	switch {
	case isTaken:
		return taken(ctx, api, intent, found, run)
	case err != nil:
		return record.Observed{}, Result{}, err
	case existing:
		return adopt(ctx, api, intent, id, run)
	}
	var warnings []Warning
	pins := pinning{id: id, intent: intent, answer: answer}
	if err := pins.claim(ctx, api, func(pinned intents.Intent) map[string]any { return pinned.Manifest.Object }); err != nil {
		warnings = append(warnings, unpinned(err))
	}
	intent, answer = pins.intent, pins.answer
	live, err := record.RewriteClaims(ctx, api, id, answer.Object, intent.AfterApply)
	if err != nil {
		warnings = append(warnings, Warning(fmt.Sprintf(
			"The object was created, but its ignored fields are still owned by %q: %s. The next apply releases them.",
			intent.FieldManager, err)))
	}
	observed, err := observeApplied(live, answer.Object, intent, id, record.Prior{})
	if err != nil {
		uid := string(live.GetUID())
		observed = record.Observed{Object: id, UID: uid, Snapshot: record.Snapshot{Object: id, UID: uid}}
		warnings = append(warnings, Warning("The object was created, but its attributes cannot be shown: "+err.Error()))
	}
	return observed, Result{Warnings: warnings}, nil
}

// isExisting reports whether the object exists and the intent adopts it: one dry-run. It returns an
// *AlreadyExistsError if the object exists and the intent does not adopt it, and an error if an ignore pattern
// does not fit the result.
func isExisting(ctx context.Context, api cluster.Interface, intent intents.Intent, run *registry.Run) (manifest.Identity, bool, error) {
	id, err := cluster.Locate(ctx, api, intent.Manifest.Identity)
	if err != nil {
		return id, false, err
	}
	dry, err := dryRunCreate(ctx, api, id, intent)
	switch reason := cluster.ReasonOf(err); {
	case intent.Existing == intents.Adopt && (reason == cluster.ReasonInvalid || reason == cluster.ReasonConflict):
		// The server may have refused the change of an object that exists.
		_, missing := api.Get(ctx, id)
		if missing == nil {
			return id, true, nil
		}
		return id, false, err
	case err != nil:
		return id, false, err
	}
	claims, err := record.ClaimsOf(id, dry.Object)
	switch {
	case err != nil:
		return id, false, err
	case dry.Outcome == cluster.Updated && run.Stands(string(dry.Object.GetUID())):
		return id, false, &NameInUseError{Object: id}
	case dry.Outcome == cluster.Updated && intent.Existing == intents.Adopt:
		return id, true, nil
	case dry.Outcome == cluster.Updated:
		return id, false, &registry.AlreadyExistsError{Object: id, Orphan: isOrphan(claims, intent.FieldManager)}
	}
	return id, false, intent.CheckSeparable(claims.Own(intent.FieldManager))
}

// dryRunCreate returns the dry-run of an object that may be new.
func dryRunCreate(ctx context.Context, api cluster.Interface, id manifest.Identity, intent intents.Intent) (cluster.Applied, error) {
	return api.Apply(ctx, id, intent.Manifest.Object, cluster.ApplyOptions{
		FieldManager: intent.FieldManager, DryRun: true, Force: true,
	})
}
