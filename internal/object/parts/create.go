package parts

import (
	"context"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Plan plans the first apply of a part to an object that another client created: a GET and a dry-run. The prior that it
// returns is the one to pass to [Create]. A plan whose object is missing has no state, and ssa.Plan.Awaited is set.
func Plan(ctx context.Context, api cluster.Interface, intent intents.Intent) (ssa.Plan, record.Prior, error) {
	plan := ssa.Plan{Action: ssa.Create, Object: intent.Manifest.Identity}
	id, prior, err := target(ctx, api, intent)
	plan.Object = id
	if err != nil {
		return plan, prior, Awaited(&plan, err)
	}
	plan, err = ssa.PlanUpdate(ctx, api, intent, prior)
	plan.Located = true
	if err == nil && plan.Action == ssa.Replace {
		err = &UnpatchableError{Object: id, Immutable: plan.Immutable}
	}
	return plan, prior, err
}

// Awaited returns nil if the object, its kind or its namespace does not exist yet according to err, and then sets
// plan.Awaited to err.
func Awaited(plan *ssa.Plan, err error) error {
	if cluster.ReasonOf(err) == cluster.ReasonNotFound && errors.As(err, &plan.Awaited) {
		return nil
	}
	return plan.NotReady(err)
}

// target reads the object of a part, to which we have applied nothing.
func target(ctx context.Context, api cluster.Interface, intent intents.Intent) (manifest.Identity, record.Prior, error) {
	id, err := cluster.Locate(ctx, api, intent.Manifest.Identity)
	if err != nil {
		return id, record.Prior{}, err
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return id, record.Prior{}, err
	}
	prior, err := record.PriorOf(live, record.Observation{ID: id, IsPart: true})
	return id, prior, err
}

// Create applies a part to an object that another client created: one PATCH. It starts from prior, which the plan has
// read. If prior is empty, it waits for the object until ctx ends, and reads it.
func Create(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, run *registry.Run) (observed record.Observed, result ssa.Result, err error) {
	if !prior.Snapshot.Known() {
		err = registry.AwaitObject(ctx, &run.Waits, func() (err error) {
			_, prior, err = target(ctx, api, intent)
			return err
		})
	}
	if err != nil {
		return record.Observed{}, result, err
	}
	err = registry.AwaitWebhook(ctx, &run.Waits, func() error {
		observed, result, err = ssa.UpdateObject(ctx, api, intent, prior, ssa.Plan{Object: prior.Object})
		return err
	})
	return observed, result, err
}

// UnpatchableError reports that an object cannot have the fields of a part, because they are immutable.
type UnpatchableError struct {
	Object manifest.Identity
	// Immutable are the fields, as in [ssa.Plan].
	Immutable []string
}

func (e *UnpatchableError) Error() string {
	return e.Object.String() + " has fields that cannot be changed"
}
