package local

import (
	"context"
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Planner is an engine whose plans do without the dry-runs that the user may not send. These plans know no value after
// the apply, nor which patterns match fields that the server fills in. It is noted in the run.
type Planner struct {
	engine.Engine
	Work engine.Work
}

// PlanFirst implements engine.Engine.
func (p Planner) PlanFirst(
	ctx context.Context, replaced record.Snapshot,
) (plan ssa.Plan, prior record.Prior, err error) {
	plan, err = p.plan(ctx, func(ctx context.Context) (ssa.Plan, error) {
		plan, prior, err = p.Engine.PlanFirst(ctx, replaced)
		return plan, err
	})
	return plan, prior, err
}

// Plan implements engine.Engine.
func (p Planner) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	return p.plan(ctx, func(ctx context.Context) (ssa.Plan, error) { return p.Engine.Plan(ctx, prior) })
}

func (p Planner) plan(ctx context.Context, make func(context.Context) (ssa.Plan, error)) (ssa.Plan, error) {
	ctx, lacking := allow(ctx)
	plan, err := make(ctx)
	if rights := lacking.list(); len(rights) > 0 {
		p.Work.Run.WithoutDryRun.Note(p.Work.API, plan.Object, rights)
		plan.ClearPredicted()
	}
	return plan, err
}

// Explainer is an engine whose plans name the defaults of the server that a refused value does not fit; see
// [obstacles.OfDefaults]. After such a refusal, a plan sends at most one dry-run of a new object.
type Explainer struct {
	engine.Engine
	Work engine.Work
}

// PlanFirst implements engine.Engine.
func (e Explainer) PlanFirst(ctx context.Context, replaced record.Snapshot) (ssa.Plan, record.Prior, error) {
	plan, prior, err := e.Engine.PlanFirst(ctx, replaced)
	return plan, prior, e.explain(ctx, err)
}

// Plan implements engine.Engine.
func (e Explainer) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	plan, err := e.Engine.Plan(ctx, prior)
	return plan, e.explain(ctx, err)
}

func (e Explainer) explain(ctx context.Context, err error) error {
	args := e.Work.Args
	refusal, is := errors.AsType[*cluster.Error](err)
	if !is || args.IsPart {
		return err
	}
	return obstacles.OfDefaults(err, args.Manifest.Object, func(body map[string]any) (map[string]any, error) {
		id := refusal.Object
		id.Name = cluster.DryRunName(id.Name)
		tried, err := e.Work.API.Apply(ctx, id, manifest.Identified(body, id), cluster.ApplyOptions{
			FieldManager: wanted.DryRunManager(args.FieldManager), DryRun: true, Force: true,
		})
		if err != nil {
			return nil, err
		}
		return tried.Object.Object, nil
	})
}
