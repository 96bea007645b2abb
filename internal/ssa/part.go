package ssa

import (
	"context"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
)

// PlanPart plans the first apply of a part to an object that somebody else created: a GET and a dry-run. The prior that
// it returns is what the apply starts from. A plan whose object is missing has no state, and says what it awaits.
func PlanPart(ctx context.Context, api cluster.Interface, intent intents.Intent) (Plan, record.Prior, error) {
	plan := Plan{Action: Create, Object: intent.Manifest.Identity}
	id, prior, err := target(ctx, api, intent)
	plan.Object = id
	if err != nil {
		return plan, prior, plan.missing(err)
	}
	plan, err = PlanUpdate(ctx, api, intent, prior)
	plan.Located = true
	if err == nil && plan.Action == Replace {
		err = &UnpatchableError{Object: id, Immutable: plan.Immutable}
	}
	return plan, prior, err
}

// missing forgives that the object, its kind or its namespace is not there yet.
func (p *Plan) missing(err error) error {
	if cluster.ReasonOf(err) == cluster.ReasonNotFound && errors.As(err, &p.Awaited) {
		return nil
	}
	return p.notReady(err)
}

// target reads the object of a part, of which we have applied nothing.
func target(ctx context.Context, api cluster.Interface, intent intents.Intent) (manifest.Identity, record.Prior, error) {
	id, err := cluster.Locate(ctx, api, intent.Manifest.Identity)
	if err != nil {
		return id, record.Prior{}, err
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return id, record.Prior{}, err
	}
	prior, err := priorOf(live, record.Observation{ID: id, IsPart: true})
	return id, prior, err
}

// CreatePart applies a part to an object that somebody else created: one PATCH. It starts from prior, which is what the
// plan has read; where that is empty, it waits for the object until ctx ends, and reads it.
func CreatePart(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, run *registry.Run) (observed record.Observed, warnings []Warning, err error) {
	if !prior.Snapshot.Known() {
		err = registry.AwaitObject(ctx, &run.Waits, func() (err error) {
			_, prior, err = target(ctx, api, intent)
			return err
		})
	}
	if err != nil {
		return record.Observed{}, nil, err
	}
	var result UpdateResult
	err = registry.AwaitWebhook(ctx, &run.Waits, func() error {
		observed, result, err = UpdateObject(ctx, api, intent, prior, Plan{Object: prior.Object})
		return err
	})
	return observed, result.Warnings, err
}

// Fate is what becomes of a field of a part that is taken back.
type Fate struct {
	Field string
	// Removed says that the field goes; otherwise it keeps its value.
	Removed bool
}

// FatesOf returns what taking back a part does to each of its fields, in order of their paths. release says that nothing
// is removed.
func FatesOf(prior record.Prior, release bool) []Fate {
	snapshot := prior.Snapshot
	own, others := snapshot.Claims.Own(prior.Settings.FieldManager), snapshot.Claims.Others(prior.Settings.FieldManager).Fields()
	names := snapshot.Renderer().Names(snapshot.Claims.Formatter())
	var fates []Fate
	paths.Walk(own.Leaves(), func(path paths.Path, _ bool) {
		if paths.IsKeyField(path) {
			return
		}
		removed := !release && paths.OrEmpty(snapshot.Fields.Added).Has(path) && !others.Has(path)
		fates = append(fates, Fate{Field: names.Format(path), Removed: removed})
	})
	return fates
}

// TakeBack takes a part back from the object of prior, whose snapshot is of the last read: what we added and nobody else
// owns goes, everything else keeps its value. It is a GET and a PATCH, and a GET and a PATCH more where values that were
// there before us stay.
func TakeBack(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) error {
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return err
	}
	if uid := string(live.GetUID()); uid != prior.Snapshot.UID {
		return recreated(prior.Object, prior.Snapshot.UID, live)
	}
	now, err := record.Describe(live, record.Observation{
		ID: prior.Object, FieldManager: intent.FieldManager, Fields: prior.Snapshot.Fields, Shown: prior.View, Carried: prior.Snapshot, IsPart: true,
	})
	if err != nil {
		return err
	}
	prior.Snapshot, prior.View, prior.Live = now.Snapshot, now.View, now.Live
	if prior.Snapshot.Claims.Own(intent.FieldManager).Empty() {
		return nil
	}
	_, _, err = UpdateObject(ctx, api, intent, prior, Plan{Object: prior.Object})
	return err
}

// UnpatchableError is an object that cannot have the fields of a part, because it cannot change them.
type UnpatchableError struct {
	Object manifest.Identity
	// Immutable are the fields, as Plan.Immutable has them.
	Immutable []string
}

func (e *UnpatchableError) Error() string {
	return e.Object.String() + " has fields that cannot be changed"
}
