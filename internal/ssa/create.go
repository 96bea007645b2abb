package ssa

import (
	"context"
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Warning is a sentence about an object that was applied: something else failed or did not go as
// planned, and the user should know.
type Warning string

// CreateObject makes a new object: one PATCH, and one more to release ignored fields, which are sent
// once, as initial values. It waits until ctx ends for a kind or namespace that is still to come.
// planned is the plan of the same apply: where it has no state, a dry-run finds out first whether the
// object is new; one that is not is adopted, if the intent says so, or an *AlreadyExistsError. Once the
// PATCH has succeeded there is no error any more, only warnings: an object that exists belongs into the
// state. An *OutcomeUnknownError is an object of which nobody knows whether it exists.
func CreateObject(ctx context.Context, cluster Cluster, intent Intent, planned Plan, registry *RunRegistry) (Observed, []Warning, error) {
	var answer Applied
	var existing bool
	id := planned.Object
	err := awaitSettled(ctx, &registry.Waits, func() error {
		var err error
		if planned.State == nil {
			id, existing, err = isExisting(ctx, cluster, intent, registry)
			if err != nil || existing {
				return err
			}
		}
		answer, err = applyNew(ctx, cluster, id, intent)
		return err
	})
	switch {
	case err != nil:
		return Observed{}, nil, err
	case existing:
		return adopt(ctx, cluster, intent, id, registry)
	}
	var warnings []Warning
	if answer.Outcome == Updated {
		warnings = append(warnings, "Somebody created the object between the plan and the apply. The apply adopted it.")
	}
	live, err := rewriteClaims(ctx, cluster, id, answer.Object, intent.afterApply)
	if err != nil {
		warnings = append(warnings, Warning(fmt.Sprintf(
			"The object was created, but its ignored fields are still owned by %q: %s. The next apply releases them.",
			intent.FieldManager, err)))
	}
	observed, err := observeApplied(live, answer.Object, intent, id, Prior{})
	if err != nil {
		uid := string(live.GetUID())
		observed = Observed{Object: id, UID: uid, Snapshot: Snapshot{Object: id, UID: uid}}
		warnings = append(warnings, Warning("The object was created, but its attributes cannot be shown: "+err.Error()))
	}
	return observed, warnings, nil
}

// isExisting sends one dry-run, whose result an ignore pattern must fit. An existing object is an
// *AlreadyExistsError, unless the intent adopts it.
func isExisting(ctx context.Context, cluster Cluster, intent Intent, registry *RunRegistry) (manifest.Identity, bool, error) {
	id, err := Locate(ctx, cluster, intent.Manifest)
	if err != nil {
		return id, false, err
	}
	dry, err := dryRunCreate(ctx, cluster, id, intent)
	switch reason := ReasonOf(err); {
	case intent.Existing == Adopt && (reason == ReasonInvalid || reason == ReasonConflict):
		// The refusal may be one of a change, to an object that exists.
		_, missing := cluster.Get(ctx, id)
		if missing == nil {
			return id, true, nil
		}
		return id, false, err
	case err != nil:
		return id, false, err
	}
	claims, err := claimsOf(id, dry.Object)
	switch {
	case err != nil:
		return id, false, err
	case dry.Outcome == Updated && registry.stands(string(dry.Object.GetUID())):
		return id, false, &InTheWayError{Object: id}
	case dry.Outcome == Updated && intent.Existing == Adopt:
		return id, true, nil
	case dry.Outcome == Updated:
		return id, false, &AlreadyExistsError{Object: id, Orphan: isOrphan(claims, intent.FieldManager)}
	}
	return id, false, intent.checkSeparable(claims.Own(intent.FieldManager))
}

// dryRunCreate returns the dry-run of an object that may be new.
func dryRunCreate(ctx context.Context, cluster Cluster, id manifest.Identity, intent Intent) (Applied, error) {
	return cluster.Apply(ctx, id, intent.Manifest.Object, ApplyOptions{
		FieldManager: intent.FieldManager, DryRun: true, Force: true,
	})
}
