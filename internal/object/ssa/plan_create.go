package ssa

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// PlanCreate plans a new object: one dry-run, a GET if the server refuses it, and another dry-run if an object of the
// name is being deleted. If the old object of a replacement still has the name, that is not a conflict, but the new
// object cannot be predicted.
func PlanCreate(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, replacement run.Replacement,
) (Plan, error) {
	plan := Plan{Action: Create, Object: args.Manifest.Identity}
	id, err := cluster.Locate(ctx, api, args.Manifest.Identity)
	if err != nil {
		return PlanUnserved(args.Manifest.Identity, err, replacement.Run)
	}
	plan.Object = id
	// The dry-runs of two resources for one new object both answer 201. Only the run knows that there are two.
	if err := replacement.Run.Objects.PlanCreate(api, id,
		run.NewResourceOf(args.FieldManager, args.Manifest.Text)); err != nil {
		return plan, err
	}
	dry, err := dryRunCreate(ctx, api, id, args)
	err = run.OrNeeding(&replacement.Run.Objects, err)
	switch cluster.ReasonOf(err) {
	case cluster.ReasonNamespaceNotFound, cluster.ReasonNamespaceTerminating, cluster.ReasonNotYetAdmitted:
		plan.Awaited.IsPlanned = replacement.Run.Objects.IsToBeCreated(api, run.MissingFor(id, err))
		return plan, plan.Awaited.notReady(err)
	case cluster.ReasonKindNotServed, cluster.ReasonAPIUnavailable:
		plan.Awaited.IsPlanned = replacement.Run.Objects.DefinesGroup(id.Group())
		return plan, plan.Awaited.notReady(err)
	case cluster.ReasonWebhookUnreachable:
		// The plan is made again when the webhook answers, and must not meet itself as another resource.
		replacement.Run.Objects.ForgetCreate(api, id)
		return plan, err
	// If the object exists, the dry-run is a change of it. The refusal of a change does not report that one exists.
	case cluster.ReasonInvalid, cluster.ReasonConflict, cluster.ReasonUnconvertible:
		if live, unread := api.Get(ctx, id); unread == nil {
			replacement.Refusal = err
			err = plan.checkExisting(ctx, api, replacement, live)
		}
		if err = plan.orExisting(ctx, api, args, replacement, err); !args.IsUndecided() || !cluster.IsRefusal(err) {
			return plan, err
		}
	}
	if args.IsUndecided() && cluster.IsRefusal(err) {
		replacement.Run.Objects.NoteNew(api, id)
		return plan, nil // The server may refuse a stand-in. The plan of the apply knows the values.
	}
	if err != nil {
		return plan, err
	}
	plan.Remarks = dry.Remarks
	if dry.Outcome == cluster.Updated {
		err = plan.checkExisting(ctx, api, replacement, dry.Object)
		return plan, plan.orExisting(ctx, api, args, replacement, err)
	}
	replacement.Run.Objects.NoteNew(api, id)
	return plan, plan.foresee(wanted.For(args, record.Prior{}), dry)
}

// checkExisting returns [run.Replacement.Check] of a live object, and [record.Leaving] of one that is being deleted and
// belongs to no resource.
func (p *Plan) checkExisting(
	ctx context.Context, api cluster.Interface, replacement run.Replacement, live *unstructured.Unstructured,
) error {
	id, uid := manifest.IdentityOf(live), string(live.GetUID())
	isPlanned := replacement.Run.Objects.Of(uid).IsReplaced
	err := replacement.Check(ctx, id, live)
	if err == nil && !isPlanned {
		p.Replaces = uid
	}
	if exists, is := errors.AsType[*run.AlreadyExistsError](err); is {
		return cmp.Or(record.Leaving(ctx, api, id, live), error(exists))
	}
	return err
}

// PlanUnserved plans a new object whose kind is not served yet according to err: the apply waits for the kind. It
// returns any other err.
func PlanUnserved(object manifest.Identity, err error, current *run.Run) (Plan, error) {
	plan := Plan{Action: Create, Object: object}
	plan.Awaited.IsPrerequisite, plan.Awaited.IsPlanned = true, current.Objects.DefinesGroup(object.Group())
	return plan, plan.Awaited.notReady(err)
}

// orExisting does what orAdopt does. In the plan that an apply makes, it leaves it to the create to refuse an object
// that exists. It may be the one that the resource replaces: with create_before_destroy, Terraform has deposed it by
// then, and makes it the current one again only if the apply fails, not if this plan does.
func (p *Plan) orExisting(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, replacement run.Replacement, err error,
) error {
	exists, is := errors.AsType[*run.AlreadyExistsError](err)
	refusal := p.orAdopt(ctx, api, args, replacement, err)
	if !is || refusal == nil || !replacement.Run.Rounds.Applies() {
		return refusal
	}
	_, isFixed := errors.AsType[*UnreplaceableError](refusal)
	_, isConflict := errors.AsType[*ConflictsError](refusal)
	_, isManaged := errors.AsType[*run.AlreadyManagedError](refusal)
	if _, is = errors.AsType[*run.AlreadyExistsError](refusal); is && len(exists.Updaters) > 0 {
		return refusal // It is no object of a resource.
	}
	switch {
	case is || isFixed:
		refusal = &run.NameInUseError{Object: exists.Object}
	case !isConflict && !isManaged:
		return refusal // It may pass, as that of a kind whose definition changes.
	}
	run.RefuseCreate(&replacement.Run.Objects, api, p.Object, refusal)
	return p.foreseeAfter(ctx, api, args)
}

// orAdopt plans an adoption if err shows that the object exists, and the arguments want one or the object was handed
// over. Otherwise it returns err.
func (p *Plan) orAdopt(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, replacement run.Replacement, err error,
) error {
	var exists *run.AlreadyExistsError
	if args.Existing != arguments.Adopt || !errors.As(err, &exists) {
		err = run.Explain(ctx, api, err, args.FieldManager)
		if exists, _ = errors.AsType[*run.AlreadyExistsError](err); exists == nil || !resumes(args, exists) {
			if err = p.Awaited.notReady(err); err == nil && p.Awaited.Err != nil {
				return p.foreseeAfter(ctx, api, args)
			}
			return err
		}
	}
	return p.planAdoption(ctx, api, args, replacement.Run)
}

// foreseeAfter fills in the planned state of a new object whose name another one has that is about to go: one dry-run
// under another name. The plan that the CLI has shown may have found the name free, and its values must not become
// unknown. They stay unknown if the server refuses the other name, as for a CustomResourceDefinition.
func (p *Plan) foreseeAfter(ctx context.Context, api cluster.Interface, args arguments.Arguments) error {
	if args.Existing == arguments.Adopt {
		return nil // The values are unknown in any case.
	}
	id := p.Object
	id.Name = cluster.DryRunName(id.Name)
	elsewhere := args
	elsewhere.Manifest.Object = manifest.Identified(args.Manifest.Object, id)
	dry, err := dryRunCreate(ctx, api, id, elsewhere)
	if err != nil {
		return nil //nolint:nilerr // It may be about the name. The create reports it.
	}
	return p.foresee(wanted.For(args, record.Prior{}), dry)
}

// foresee fills in the planned state of a new object. Ignored fields are sent as initial values and released
// in the same apply, so they end up without an owner.
func (p *Plan) foresee(w wanted.Wanted, dry cluster.Applied) error {
	claims, err := record.ClaimsOf(p.Object, dry.Object)
	if err != nil {
		return err
	}
	if err := refuse(p.Object, w.Uncountable(dry.Object.Object, claims)); err != nil {
		return err
	}
	own := claims.Own(w.FieldManager)
	if err := w.CheckSeparable(own); err != nil {
		return err
	}
	if err := refusals.CutNumbers(p.Object, w.Manifest.Object, dry.Object.Object, own); err != nil {
		return err
	}
	declared := own.Difference(w.Released(own))
	claims = claims.WithOwn(w.FieldManager, declared)
	p.Applies = declared.Difference(projection.EmptyCollections(w.Manifest.Object, declared))
	renderer := w.Renderer(p.Object, record.Snapshot{})
	formatter := claims.Formatter()
	names := renderer.Names(formatter)
	p.State = &prediction.PlannedState{
		Shown: record.Shown{
			Owners:       claims.CoOwners(names).Flatten(ownership.View{}),
			ManagedState: renderer.State(dry.Object.Object, p.Applies, formatter),
		},
		Unknown: prediction.Unknown{UnknownOwners: prediction.UnknownOwners(claims, declared, w, names)},
	}
	maps.Copy(p.State.ManagedState, renderer.Orders(dry.Object.Object, w.Stored().Object, p.Applies, formatter))
	p.State.PinsUnknown = len(w.Pin) > 0
	p.State.UnknownValues = prediction.UnknownValues(p.State.ManagedState, declared, w, names)
	p.State.FieldsUnknown = prediction.FieldsUnknown(w, w.Manifest.Object, dry.Object.Object, declared)
	p.Unmatched = w.Unmatched(dry.Object.Object, own, claims)
	return nil
}
