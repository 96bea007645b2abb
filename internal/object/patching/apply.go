// Package patching plans and applies the patches of users that are not server-side apply: JSON, merge and
// strategic merge patches. Package patches computes the result of a patch on an object.
//
// The API server records these writes as updates. They take fields from their owners without a conflict, and the answer
// does not list them. So a plan compares the object with the answer of a dry-run, and an apply is guarded by the
// resourceVersion of the object that its plan has read.
//
// A plan predicts no computed values, because they depend on the live object, which may differ in Terraform's second
// plan. It reports each value that other managers lose.
package patching

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Apply sends a patch to the object of prior: one PATCH, guarded by the resourceVersion that the plan has read. If
// other clients have written since, it reads the object, evaluates the patch and sends it again. The result has the
// fields that it took from other managers and that they wrote since the plan, and a warning if the server refuses the
// object without the fields that leave the patch: they keep their values. A renamed field manager costs two GETs and a
// PATCH more, and fields that leave the patch cost a PATCH more. If what follows the patch fails, the object is that
// which the patch has left.
func Apply(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (record.Observed, ssa.Result, error) {
	// rename reads the object again. To find later writes of other clients, compare with the object that the plan has
	// read.
	planned := prior.Live
	prior, err := rename(ctx, api, args, prior)
	if err != nil {
		return record.Observed{}, ssa.Result{}, err
	}
	a, err := send(ctx, api, args, prior, false)
	if err != nil {
		return record.Observed{}, ssa.Result{}, err
	}
	targets := a.targets()
	observed, warnings, err := a.finish(ctx, api, targets)
	observed.Snapshot.RepeatedConflicts = a.wanted.Prior.Snapshot.RepeatedConflicts.Next(
		prediction.Opponents(a.changes(targets)))
	return observed, ssa.Result{Overwritten: a.overwritten(planned), Warnings: warnings}, err
}

// rename moves our claims to the field manager of the arguments and to the API version of the object, and makes
// managedFields convertible: a GET, a PATCH and a GET if the last apply had another manager or version, or if the
// object is a custom resource that other managers wrote in another version.
func rename(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (record.Prior, error) {
	previous, id := prior.PreviousManager(args.FieldManager), prior.Object
	isCustom := !manifest.IsBuiltinGroup(id.Group())
	isElsewhere := slices.ContainsFunc(prior.Snapshot.Claims, func(c ownership.Claim) bool {
		return c.APIVersion != id.APIVersion && (isCustom || c.Name == previous || c.Name == args.FieldManager)
	})
	if previous == args.FieldManager && !isElsewhere {
		return prior, nil
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return prior, err
	}
	_, err = record.RewriteAndEdit(ctx, api, id, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite {
			own := claims.AsApplied(previous).Own(previous)
			rewrite := ownership.Rewrite{Manager: args.FieldManager, PreviousManager: previous, Updates: true}
			if isElsewhere {
				rewrite.Version = id.APIVersion
				// A field with another name in this version has no value under the old one, and its claim would be
				// stale.
				rewrite.Release = own.Difference(projection.WithValues(live.Object, own))
			}
			return rewrite
		},
		Edits: record.NoEdits, Probes: true,
	})
	if err != nil {
		return prior, err
	}
	return read(ctx, api, args, prior)
}

// leave removes the pruned fields from the object, without those that other managers have taken since the patch, and
// ends our claims on them and on the preserved ones.
func (a apply) leave(
	ctx context.Context, api cluster.Interface, pruned, preserved *paths.Set,
) (*unstructured.Unstructured, error) {
	own := a.wanted.FieldManager
	taken := func(claims ownership.Claims) *paths.Set {
		others := claims.AsApplied(own).Others(own).Fields()
		return paths.Filter(pruned, func(path paths.Path) bool { return ownership.Holds(others, path) })
	}
	return record.RewriteAndEdit(ctx, api, a.wanted.Prior.Object, a.answer.Object, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: own, Updates: true, Release: preserved.Union(taken(claims))}
		},
		Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			leave := pruned.Difference(taken(claims))
			return wanted.WithoutFields(live, paths.Outermost(projection.Exactly(live, leave)))
		},
	})
}

// notRemoved returns the warning about fields that have left the patch, and without which the server refuses the
// object.
func (a apply) notRemoved(fields *paths.Set, refusal error) ssa.Warning {
	text := "The patch was applied. These fields have left it and keep their values, because the API server does not " +
		"accept the object without them: " + refusal.Error() + "\n"
	paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) { text += "\n  " + a.names.Format(path) })
	return ssa.Warning(text + "\n\nThis resource no longer owns them. Remove them with kubectl, together with the " +
		"fields that need them.")
}

// finish removes or releases the fields that leave the patch, and returns the object as it is then, also if that fails.
func (a apply) finish(
	ctx context.Context, api cluster.Interface, targets *paths.Set,
) (observed record.Observed, warnings []ssa.Warning, err error) {
	w, id := a.wanted, a.wanted.Prior.Object
	pruned, preserved := a.leaving(targets)
	live, err := a.leave(ctx, api, pruned, preserved)
	if cluster.ReasonOf(err) == cluster.ReasonInvalid && !pruned.Empty() {
		live, err = a.leave(ctx, api, pruned, preserved) // Of a passing refusal, such as that of a rule, one more try.
	}
	if refusal := err; cluster.ReasonOf(refusal) == cluster.ReasonInvalid && !pruned.Empty() {
		warnings = append(warnings, a.notRemoved(pruned, refusal))
		preserved = preserved.Union(pruned)
		live, err = a.leave(ctx, api, paths.NewSet(), preserved)
	}
	failure := err
	claims, err := a.claimsOn(live, paths.OrEmpty(w.Prior.Snapshot.Fields.Declared).Difference(preserved))
	if err != nil {
		return record.Observed{}, nil, err
	}
	own := claims.Own(w.FieldManager)
	declared := own.Union(targets)
	carried := a.wanted.Prior.Snapshot
	carried.Sensitive = paths.Texts(w.Sensitive)
	carried.Before = wanted.ValuesBefore(w.Arguments, w.Prior, declared)
	// An update also owns the maps and lists that it creates around its fields. Other managers may add fields there.
	targeted := targets.Union(paths.Filter(own, func(path paths.Path) bool {
		isAround := path[len(path)-1].FieldName != nil && ownership.HasParts(own, path)
		return !isAround && paths.Touches(targets, path)
	}))
	if failure != nil {
		targeted = targeted.Union(pruned)
	}
	observed, err = record.Describe(live, record.Observation{
		ID: id, FieldManager: w.FieldManager, Owners: a.wanted.Prior.Owners, Carried: carried, IsPart: true,
		Patch:  w.Patch,
		Fields: record.KnownFields{Declared: declared, Added: wanted.AddedBy(w.Arguments, w.Prior, targeted)},
	})
	observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	observed.Snapshot.Patched = observed.Snapshot.Patched.Applied()
	return observed, warnings, cmp.Or(failure, err)
}

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
	if plan.Becomes, a.cannotLeave, err = a.tryLeaving(ctx, api); err != nil {
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

// tryLeaving returns the object as the apply leaves it, and whether the server refuses it without the fields that leave
// the patch: one dry-run if there are any.
func (a apply) tryLeaving(
	ctx context.Context, api cluster.Interface,
) (becomes map[string]any, refused bool, err error) {
	pruned, _ := a.leaving(a.targets())
	if pruned.Empty() {
		return a.answer.Object.Object, false, nil
	}
	id := a.wanted.Prior.Object
	unsent := record.ServerFields(id)
	before, _ := projection.Strip(a.wanted.Prior.Live, unsent).(map[string]any)
	after, _ := projection.Strip(a.answer.Object.Object, unsent.Union(
		paths.Outermost(projection.Exactly(a.answer.Object.Object, pruned)))).(map[string]any)
	becomes, err = api.TryMerge(ctx, id, a.wanted.FieldManager, projection.MergePatch(before, after))
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		return a.answer.Object.Object, true, nil
	}
	return becomes, false, err
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
