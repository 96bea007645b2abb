package engine

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/withdrawal"
)

// patch sends a JSON, merge or strategic merge patch of an object that another client created. An apply sends it to the
// object as the plan of the same process has read it.
type patch struct{ guest }

func (p patch) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	plan, read, err := patching.Plan(ctx, p.API, p.Args, p.promising(prior))
	if err == nil {
		p.Run.Objects.HoldTarget(p.API, p.Args.FieldManager, read)
	}
	return plan, err
}

func (patch) PlanNothing(record.Prior) (plan ssa.Plan, unsent []string, err error) {
	return plan, nil, nil
}

func (p patch) Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	prior, err := p.first(ctx, planned)
	if err != nil {
		return record.Observed{}, ssa.Result{}, err
	}
	return p.noted(p.send(ctx, prior))
}

func (p patch) Apply(ctx context.Context, prior record.Prior, _ ssa.Plan) (record.Observed, ssa.Result, error) {
	prior = p.promising(prior)
	read := p.Run.Objects.TakeTarget(p.API, p.Args.FieldManager, prior.Object)
	if read.Snapshot.UID == prior.Snapshot.UID {
		prior.Snapshot, prior.Live = read.Snapshot, read.Live // It promises the same.
	}
	return p.send(ctx, prior)
}

// promising returns prior with the fields to keep if they leave the patch: those that other managers owned too at the
// last refresh. Both plans and the apply have this snapshot, also without a refresh, when a plan reads the object.
func (p patch) promising(prior record.Prior) record.Prior {
	prior.Snapshot.Fields.Kept = prior.Snapshot.CoOwned(prior.PreviousManager(p.Args.FieldManager))
	return prior
}

func (p patch) send(ctx context.Context, prior record.Prior) (observed record.Observed, result ssa.Result, err error) {
	err = run.AwaitWebhook(ctx, &p.Run.Waits, func() error {
		return p.write(prior, func(record.Prior) (err error) {
			failed := result
			observed, result, err = patching.Apply(ctx, p.API, p.Args, prior)
			result = result.After(failed)
			return err
		})
	})
	return observed, result, err
}

func (p patch) End(ctx context.Context, prior record.Prior, how Policy) (Ended, error) {
	return p.end(ctx, prior, how, func(
		ctx context.Context, args arguments.Arguments, prior record.Prior, releases bool,
	) (done deletion.Deletion, live *unstructured.Unstructured, err error) {
		if how.Successor != "" {
			done, err := p.leave(ctx, prior, how)
			return done, nil, err
		}
		err = p.write(prior, func(record.Prior) (err error) {
			live, err = withdrawal.TakeBack(ctx, p.API, args, prior, releases)
			return err
		})
		return deletion.Released, live, err
	})
}
