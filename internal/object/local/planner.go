package local

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Planner is an engine whose plans do without the dry-runs that the user may not send. Such a plan knows no value after
// the apply, nor which patterns match what the server fills in. It is noted in the run.
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
		plan.ForgetAnswer()
	}
	return plan, err
}
