package ssa

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
)

func adoptedFrom(prior record.Prior, fieldManager string) Adopted {
	claims := prior.Snapshot.Claims
	references, _, _ := unstructured.NestedSlice(prior.Live, "metadata", "ownerReferences")
	return Adopted{
		BySameManager: !claims.Own(fieldManager).Empty(),
		ByControllers: len(references) > 0 || len(claims) > 0 && claims.Authored().Empty(),
	}
}

// planAdoption plans the apply to an object that exists and has no state: a GET, and what an update costs.
// The planned state, the changes and the transfers are those for the object as it is now, because there is no state
// to predict them from.
func (p *Plan) planAdoption(ctx context.Context, api cluster.Interface, intent intents.Intent, run *registry.Run) error {
	prior, err := existing(ctx, api, p.Object)
	if err != nil {
		return err
	}
	if err := run.Adopt(p.Object, prior.Snapshot.UID); err != nil {
		return err
	}
	update, err := PlanUpdate(ctx, api, intent, prior)
	switch {
	case err != nil:
		return err
	case update.Action == Replace:
		return &UnadoptableError{Object: p.Object, Immutable: update.Immutable}
	}
	p.Adopted = adoptedFrom(prior, intent.FieldManager)
	p.Adopts, p.State = true, update.State
	p.Changes, p.Ignored, p.Warnings = update.Changes, update.Ignored, update.Warnings
	p.Unmatched, p.UnmatchedSensitive, p.UnseenPins = update.Unmatched, update.UnmatchedSensitive, update.UnseenPins
	p.Dropped, p.Bytes, p.Lists = update.Dropped, update.Bytes, update.Lists
	if update.State != nil && update.State.Owners == prediction.Foreseen {
		p.Transfers = transfers(prior.View, update.State.View)
	}
	return nil
}

// transfers returns the fields whose shown owner changes, in order of their paths.
func transfers(before, after ownership.View) []Transfer {
	var all []Transfer
	for _, field := range slices.Sorted(maps.Keys(after.FieldOwnership)) {
		from, to := before.FieldOwnership[field], after.FieldOwnership[field]
		if from != to {
			all = append(all, Transfer{Field: field, From: from, To: to})
		}
	}
	return all
}

// existing reads an object without a state, and returns it as a Prior to which we have applied nothing.
func existing(ctx context.Context, api cluster.Interface, id manifest.Identity) (record.Prior, error) {
	live, err := api.Get(ctx, id)
	if err != nil {
		return record.Prior{}, err
	}
	return record.PriorOf(live, record.Observation{ID: id})
}

// adopt applies to an object that exists and has no state. It returns a *NameInUseError for the object that
// this resource is to replace, which still exists because of create_before_destroy.
func adopt(ctx context.Context, api cluster.Interface, intent intents.Intent, id manifest.Identity, run *registry.Run) (record.Observed, Result, error) {
	prior, err := existing(ctx, api, id)
	if err != nil {
		return record.Observed{}, Result{}, err
	}
	if run.Stands(prior.Snapshot.UID) {
		return record.Observed{}, Result{}, &NameInUseError{Object: id}
	}
	if run.IsNew(api, id) {
		return adoptUnplanned(ctx, api, intent, prior, run)
	}
	if err := run.Adopt(id, prior.Snapshot.UID); err != nil {
		return record.Observed{}, Result{}, err
	}
	return UpdateObject(ctx, api, intent, prior, Plan{Object: id})
}

// UnadoptableError says that the manifest differs from an existing object in fields which cannot be changed.
type UnadoptableError struct {
	Object manifest.Identity
	// Immutable are the fields, as Plan.Immutable has them.
	Immutable []string
}

func (e *UnadoptableError) Error() string {
	return e.Object.String() + " exists, and differs in fields that cannot be changed"
}
