package ssa

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// UpdateResult is what an update met that its plan did not know.
type UpdateResult struct {
	// Overwritten is what the apply took from others who wrote since the plan was made.
	Overwritten []Overwritten
	Warnings    []Warning
}

// UpdateObject applies to the object of prior: one PATCH that carries its uid, so that an object which
// was recreated is an *Error with ReasonConflict. Claims that have to be rewritten before cost a GET
// and a PATCH, those of managers that are taken over a PATCH, and writes of others since the plan another
// PATCH; see Overwritten.
func UpdateObject(ctx context.Context, cluster Cluster, intent Intent, prior Prior, planned Plan) (Observed, UpdateResult, error) {
	var result UpdateResult
	prior, err := prior.unmasked(intent)
	if err != nil {
		return Observed{}, result, err
	}
	claims, err := prior.claims()
	if err != nil {
		return Observed{}, result, err
	}
	previousManager := prior.previousManager(intent)
	intent = intent.withIgnoredManagers(claims, previousManager, prior.Snapshot.Values)
	rewrite := intent.beforeApply(claims, previousManager)
	kept, err := prior.keptFields(rewrite)
	if err != nil {
		return Observed{}, result, err
	}
	body := intent.body(claims.Fields().Union(kept), prior.Snapshot.UID)
	update := update{
		intent: intent, prior: prior, planned: planned, claims: claims, rewrite: rewrite, body: body,
		version: prior.Snapshot.ResourceVersion,
	}
	known := claims
	endangered := intent.endangered(rewrite.Claims(claims), body, kept)
	if rewrite.Changes(claims) || len(endangered) > 0 {
		live, err := prepareLive(ctx, cluster, intent, prior, body, kept)
		if err != nil {
			return Observed{}, result, err
		}
		if known, err = claimsOf(prior.Object, live); err != nil {
			return Observed{}, result, err
		}
		body = intent.body(known.Fields().Union(kept), prior.Snapshot.UID)
		update.body, update.version = body, live.GetResourceVersion()
		if update.overwritten, err = update.writtenSince(live); err != nil {
			return Observed{}, result, err
		}
		if len(endangered) > 0 && known.Fields().Empty() && isBare(body) {
			update.done = live
		}
	}
	answer, overwritten, err := update.apply(ctx, cluster, known)
	if err != nil {
		return Observed{}, result, prior.explainDuplicate(err, claims, body)
	}
	result.Overwritten = overwritten
	if answer, err = removeOrphanedParts(ctx, cluster, intent, prior, claims, answer, body); err != nil {
		return Observed{}, result, err
	}
	live, err := rewriteClaims(ctx, cluster, prior.Object, answer.Object, intent.afterApply)
	if err != nil {
		result.Warnings = append(result.Warnings, Warning(fmt.Sprintf(
			"The object was applied, but %s still own fields that %q declares: %s. The next apply takes them over.",
			strings.Join(intent.TakeOver, ", "), intent.FieldManager, err)))
	}
	observed, err := observeApplied(live, answer.Object, intent, prior.Object, prior)
	if err != nil {
		return Observed{}, result, err
	}
	left, err := claimsOf(prior.Object, answer.Object)
	if err != nil {
		return observed, result, err
	}
	_, changes, err := prediction{
		intent: intent, prior: prior, claims: claims, known: claims.Fields().Union(kept), rewrite: update.rewrite, body: body, result: answer.Object.Object,
		applied: left.Own(intent.FieldManager), becameAtomic: intent.becameAtomic(claims, previousManager, left, intent.FieldManager, body, answer.Object.Object),
	}.plannedState()
	observed.Snapshot.RepeatedConflicts = prior.Snapshot.RepeatedConflicts.next(changes, overwritten)
	return observed, result, err
}

// update is an apply in the making.
type update struct {
	intent  Intent
	prior   Prior
	planned Plan
	// claims are those of the snapshot, rewrite is what was made of them before the apply.
	claims  ownership.Claims
	rewrite ownership.Rewrite
	body    map[string]any
	// version is the resourceVersion of the object that the plan knows, or that was looked at since; "" where it
	// is not known. overwritten is what others wrote in between.
	version     string
	overwritten []Overwritten
	// done is the object where nothing is left to apply, and nobody owns anything of it: the server would make up a
	// manager for it. It is nil otherwise.
	done *unstructured.Unstructured
}

// apply applies the body, and once more where the server refuses what is left of a field that leaves it or
// that it empties, after that has been mended. known are the claims as they are.
func (u *update) apply(ctx context.Context, cluster Cluster, known ownership.Claims) (Applied, []Overwritten, error) {
	if u.done != nil {
		return Applied{Object: u.done, Outcome: Updated}, u.overwritten, nil
	}
	answer, overwritten, err := u.applyNoticing(ctx, cluster)
	removal := u.intent.whenPruneRefused(u.claims, u.prior.previousManager(u.intent), err)
	if removal.Changes(known) && !removal.Removed.Empty() {
		refusal := err
		u.rewrite, u.version = removal, ""
		_, err = rewriteLive(ctx, cluster, u.intent, u.prior, func(live ownership.Claims, previousManager string) ownership.Rewrite {
			return u.intent.whenPruneRefused(live, previousManager, refusal)
		}, noEdits)
		if err != nil {
			return answer, nil, err
		}
		answer, overwritten, err = u.applyNoticing(ctx, cluster)
	}
	fields := emptiedFields(err, u.claims.Own(u.prior.previousManager(u.intent)))
	if len(fields) == 0 {
		return answer, overwritten, err
	}
	if err := empty(ctx, cluster, u.intent, u.prior, err, fields); err != nil {
		return answer, nil, err
	}
	u.version = ""
	return u.applyNoticing(ctx, cluster)
}

// prepareLive rewrites claims on the live object before body is applied. If the apply would remove more than the fields
// that leave the body, it removes these fields first. It returns the resulting object. If the server refuses what would
// remain of a map, the apply removes the map as a whole, as its plan says.
func prepareLive(ctx context.Context, cluster Cluster, intent Intent, prior Prior, body map[string]any, kept *paths.Set) (*unstructured.Unstructured, error) {
	edits := func(live map[string]any, claims ownership.Claims) []Edit {
		return intent.stripped(live, claims, intent.endangered(claims, body, present(live, kept)))
	}
	live, err := rewriteLive(ctx, cluster, intent, prior, intent.beforeApply, edits)
	if ReasonOf(err) == ReasonInvalid {
		return rewriteLive(ctx, cluster, intent, prior, intent.beforeApply, noEdits)
	}
	return live, err
}

// rewriteLive rewrites claims on the object as it is now, makes edits, and returns the object.
func rewriteLive(ctx context.Context, cluster Cluster, intent Intent, prior Prior, wanted func(ownership.Claims, string) ownership.Rewrite, edits editing) (*unstructured.Unstructured, error) {
	live, err := cluster.Get(ctx, prior.Object)
	if err != nil {
		return nil, err
	}
	if uid := string(live.GetUID()); uid != prior.Snapshot.UID {
		return nil, recreated(prior.Object, prior.Snapshot.UID, live)
	}
	return rewriteAndEdit(ctx, cluster, prior.Object, live, func(claims ownership.Claims) ownership.Rewrite {
		return wanted(claims, prior.previousManager(intent))
	}, edits)
}

func recreated(id manifest.Identity, uid string, live *unstructured.Unstructured) *Error {
	return &Error{
		Reason:  ReasonConflict,
		Object:  id,
		Message: fmt.Sprintf("the object was deleted and created again since the plan: its uid was %s and is now %s", uid, live.GetUID()),
	}
}

// Divergence lists, sorted, the declared fields that an apply left with another value than its plan
// showed, or without an owner that it showed, because others wrote in between. An owner that was added in
// between shares our value, so it needs no warning.
func Divergence(planned PlannedState, observed Observed) []string {
	var fields []string
	for field, value := range planned.ManagedState {
		if observed.ManagedState[field] != value && value != projection.Redacted {
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
	sortUnique(&fields)
	return fields
}
