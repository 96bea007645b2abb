package engine

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/withdrawal"
)

// part applies fields of an object that another client created, with server-side apply.
type part struct{ guest }

func targetOfPart(ctx context.Context, api cluster.Interface, args arguments.Arguments) (record.Prior, error) {
	id, err := cluster.Locate(ctx, api, args.Manifest.Identity)
	if err != nil {
		return record.Prior{Object: id}, err
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return record.Prior{Object: id}, err
	}
	return record.PriorOf(live, record.Observation{ID: id, IsPart: true})
}

// planPart plans no replacement: the object is not ours.
func planPart(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (ssa.Plan, record.Prior, error) {
	plan, err := ssa.PlanUpdate(ctx, api, args, prior)
	if err == nil && plan.Action == ssa.Replace {
		err = &ssa.UnreplaceableError{Object: prior.Object, IsPart: true, Fields: plan.Immutable.Fields}
	}
	return plan, prior, err
}

func (p part) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	plan, _, err := planPart(ctx, p.API, p.Args, prior)
	return plan, err
}

func (p part) Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	prior, err := p.first(ctx, planned)
	if err != nil {
		return record.Observed{}, ssa.Result{}, err
	}
	return p.noted(p.whole.Apply(ctx, prior, ssa.Plan{Object: prior.Object}))
}

// Apply reads the object first, which costs one GET, if a destroy is to restore the fields that the apply takes, or if
// it contains several items of a list, whose order is not ours alone.
func (p part) Apply(ctx context.Context, prior record.Prior, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	if p.Args.Restores || prior.Live == nil && wanted.HasOrder(p.Args.Manifest.Object) {
		live, err := cluster.Get(ctx, p.API, prior.Object)
		if err != nil {
			return record.Observed{}, ssa.Result{}, err
		}
		prior.Live = live.Object
	}
	return p.whole.Apply(ctx, prior, planned)
}

func (p part) End(ctx context.Context, prior record.Prior, how Policy) (Ended, error) {
	return p.end(ctx, prior, how, func(
		ctx context.Context, args arguments.Arguments, prior record.Prior, releases bool,
	) (done deletion.Deletion, live *unstructured.Unstructured, err error) {
		if releases {
			done, err := p.leave(ctx, prior, how)
			return done, nil, err
		}
		err = p.write(prior, func(prior record.Prior) (err error) {
			live, err = withdrawal.TakeBackPart(ctx, p.API, args, prior)
			return err
		})
		return deletion.Released, live, err
	})
}
