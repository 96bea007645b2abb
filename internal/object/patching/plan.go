package patching

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/parts"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// PlanFirst plans the first apply of a patch: a GET and a dry-run. The prior that it returns is the one to pass to
// [Create]. A plan whose object is missing has ssa.Plan.Awaited set.
func PlanFirst(ctx context.Context, api cluster.Interface, intent intents.Intent) (ssa.Plan, record.Prior, error) {
	plan := ssa.Plan{Action: ssa.Create, Object: intent.Manifest.Identity}
	id, err := cluster.Locate(ctx, api, intent.Manifest.Identity)
	prior := record.Prior{Object: id}
	if plan.Object = id; err == nil {
		prior, err = read(ctx, api, intent, prior)
	}
	if err != nil {
		return plan, record.Prior{}, parts.Awaited(&plan, err)
	}
	return Plan(ctx, api, intent, prior)
}

// Plan plans a patch of the object of prior: one dry-run, and a GET before it if the object was not read or other
// clients have written since. It sends no dry-run if the patch is in effect. The prior that it returns is the one to
// pass to [Apply]. It returns an *ssa.ConflictsError for conflicts that the intent refuses.
func Plan(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (ssa.Plan, record.Prior, error) {
	plan := ssa.Plan{Action: ssa.Update, Object: prior.Object, Located: true}
	a, err := send(ctx, api, intent, prior, true)
	if err != nil {
		return plan, a.prior, err
	}
	plan.Warnings, plan.Bytes = a.answer.Warnings, a.answer.Bytes
	plan, err = a.report(plan)
	return plan, a.prior, err
}

// report adds the changes of the attempt to a plan. It returns an *ssa.ConflictsError if the plan then has conflicts
// that the intent refuses.
func (a attempt) report(plan ssa.Plan) (ssa.Plan, error) {
	targets := a.targets()
	plan.Changes, plan.NewItems, plan.Targets = a.changes(targets), a.newItems(), record.Outermost(targets, a.names())
	if a.intent.OnConflict == intents.Fail && len(plan.Conflicts()) > 0 {
		return plan, &ssa.ConflictsError{Plan: plan}
	}
	return plan, nil
}

// names returns a formatter of the paths of the object, before and after.
func (a attempt) names() rendering.Formatter {
	return a.intent.Renderer(a.prior.Object, a.prior.Snapshot).Names(a.claims.Formatter(a.left.Fields()))
}
