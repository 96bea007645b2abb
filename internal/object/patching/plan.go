package patching

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Target reads the object of a patch that was never sent: a GET. The prior names the object even with an error.
func Target(ctx context.Context, api cluster.Interface, args arguments.Arguments) (record.Prior, error) {
	id, err := cluster.Locate(ctx, api, args.Manifest.Identity)
	if err != nil {
		return record.Prior{Object: id}, err
	}
	return read(ctx, api, args, record.Prior{Object: id})
}

// Plan plans a patch of the object of prior: one dry-run, and a GET before it if the object was not read or other
// clients have written since. It sends no dry-run if the patch is in effect, one more if fields leave the patch, and
// some more for a custom resource with claims in other versions. The prior that it returns is the one to pass to
// [Apply]. It returns an *ssa.ConflictsError for conflicts that the arguments refuse.
func Plan(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (ssa.Plan, record.Prior, error) {
	plan := ssa.Plan{Action: ssa.Update, Object: prior.Object}
	a, err := send(ctx, api, args, prior, true)
	if err != nil {
		return plan, a.wanted.Prior, err
	}
	plan.Remarks = a.answer.Remarks
	if a.cannotLeave, err = a.tryLeaving(ctx, api); err != nil {
		return plan, a.wanted.Prior, err
	}
	live := &unstructured.Unstructured{Object: a.wanted.Prior.Live}
	versions, err := record.Unusable(ctx, api, plan.Object, live, args.FieldManager)
	if err != nil {
		return plan, a.wanted.Prior, err
	}
	plan.Managers.Converted = a.wanted.Claims().InVersions(versions)
	plan, err = a.report(plan)
	return plan, a.wanted.Prior, err
}

// tryLeaving reports whether the server refuses the object without the fields that leave the patch: one dry-run if
// there are any.
func (a apply) tryLeaving(ctx context.Context, api cluster.Interface) (refused bool, err error) {
	pruned, _ := a.leaving(a.targets())
	if pruned.Empty() {
		return false, nil
	}
	id := a.wanted.Prior.Object
	unsent := record.ServerFields(id)
	before, _ := projection.Strip(a.wanted.Prior.Live, unsent).(map[string]any)
	after, _ := projection.Strip(a.answer.Object.Object, unsent.Union(
		paths.Outermost(projection.Exactly(a.answer.Object.Object, pruned)))).(map[string]any)
	_, err = api.TryMerge(ctx, id, a.wanted.FieldManager, projection.MergePatch(before, after))
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		return true, nil
	}
	return false, err
}

// report adds the changes of the attempt to a plan. It returns an *ssa.ConflictsError if the plan then has conflicts
// that the arguments refuse.
func (a apply) report(plan ssa.Plan) (ssa.Plan, error) {
	targets := a.targets()
	plan.Changes, plan.Items.New, plan.Applies = a.changes(targets), a.newItems(), targets
	if a.wanted.OnConflict == arguments.Fail && len(plan.Conflicts()) > 0 {
		return plan, &ssa.ConflictsError{Plan: plan}
	}
	return plan, nil
}

// names returns a formatter of the paths of the object, before and after.
func (a apply) names() rendering.Formatter {
	return a.wanted.LiveRenderer().Names(a.wanted.Claims().Formatter(a.left.Fields()))
}
