package ssa

import (
	"context"
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
)

// Incident is a sentence about an object that was applied all the same: something went otherwise than
// planned, and the user should know.
type Incident string

// CreateObject makes a new object: one PATCH, and one more to release ignored fields, which are sent
// once, as initial values. It waits until ctx ends for a kind or namespace that is still to come.
// planned is the plan of the same apply: where it has no forecast, a dry-run finds out first whether the
// object is new; one that is not is adopted, if the intent says so, or an *AlreadyExistsError. Once the
// PATCH has succeeded there is no error any more, only incidents: an object that exists belongs into the
// state. An *UnclearError is an object of which nobody knows whether it exists.
func CreateObject(ctx context.Context, cluster Cluster, intent Intent, planned Plan, ledger *Ledger) (Observed, []Incident, error) {
	var answer Applied
	var existing bool
	id := planned.Object
	err := awaitSettled(ctx, &ledger.Waits, func() error {
		var err error
		if planned.Forecast == nil {
			id, existing, err = isExisting(ctx, cluster, intent, ledger)
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
		return adopt(ctx, cluster, intent, id, ledger)
	}
	var incidents []Incident
	if answer.Outcome == Updated {
		incidents = append(incidents, "The object came into being between the plan and the apply; the apply adopted it.")
	}
	live, err := rewriteClaims(ctx, cluster, id, answer.Object, intent.afterApply)
	if err != nil {
		incidents = append(incidents, Incident(fmt.Sprintf(
			"The object was created, but its ignored fields are still owned by %q: %s. The next apply releases them.",
			intent.FieldManager, err)))
	}
	observed, err := observeApplied(live, answer.Object, intent, id, Prior{})
	if err != nil {
		uid := string(live.GetUID())
		observed = Observed{Object: id, UID: uid, Snapshot: Snapshot{Object: id, UID: uid}}
		incidents = append(incidents, Incident("The object was created, but cannot be shown: "+err.Error()))
	}
	return observed, incidents, nil
}

// isExisting is one dry-run, whose result an ignore pattern must fit. An existing object is an
// *AlreadyExistsError, unless the intent adopts it.
func isExisting(ctx context.Context, cluster Cluster, intent Intent, ledger *Ledger) (manifest.Identity, bool, error) {
	id, err := Locate(ctx, cluster, intent.Manifest)
	if err != nil {
		return id, false, err
	}
	dry, err := rehearseNew(ctx, cluster, id, intent)
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
	claims, err := ownership.Parse(dry.Object.GetManagedFields())
	switch {
	case err != nil:
		return id, false, unreadable(id, err)
	case dry.Outcome == Updated && ledger.stands(string(dry.Object.GetUID())):
		return id, false, &InTheWayError{Object: id}
	case dry.Outcome == Updated && intent.Existing == Adopt:
		return id, true, nil
	case dry.Outcome == Updated:
		return id, false, &AlreadyExistsError{Object: id, Orphan: isOrphan(claims, intent.FieldManager)}
	}
	return id, false, intent.checkSeparable(claims.Own(intent.FieldManager))
}

// rehearseNew is the dry-run of an object that may be new.
func rehearseNew(ctx context.Context, cluster Cluster, id manifest.Identity, intent Intent) (Applied, error) {
	return cluster.Apply(ctx, id, intent.Manifest.Object, ApplyOptions{
		FieldManager: intent.FieldManager, DryRun: true, Force: true,
	})
}
