package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// definition is an engine for a CustomResourceDefinition. It notes when an apply ends.
type definition struct {
	Engine
	work Work
}

func (d definition) Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	observed, result, err := d.Engine.Create(ctx, planned)
	d.note(err)
	return observed, result, err
}

func (d definition) Apply(
	ctx context.Context, prior record.Prior, planned ssa.Plan,
) (record.Observed, ssa.Result, error) {
	observed, result, err := d.Engine.Apply(ctx, prior, planned)
	d.note(err)
	return observed, result, err
}

func (d definition) note(err error) {
	of := run.Definition{Cluster: d.work.API, Name: d.work.Args.Manifest.Name}
	d.work.Run.Definitions.EndChange(of, d.work.Args.FieldManager, err)
}

// ChangesSpec reports whether the spec of an object, such as a CustomResourceDefinition, changes between what its state
// and its plan show.
func ChangesSpec(before, after record.Shown) bool {
	return !maps.Equal(ofSpec(before.ManagedState), ofSpec(after.ManagedState)) || len(ofSpec(before.Unwanted)) > 0
}

func ofSpec(values map[string]string) map[string]string {
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(field, _ string) bool { return field != "spec" && !strings.HasPrefix(field, "spec.") })
	return values
}

// redefined is an engine for an object of a kind that a CustomResourceDefinition defines, and that another resource of
// the run may redefine. The plan leaves the values unknown if that may change them, or lift a refusal. The apply waits
// for the change, and until the API server uses it.
type redefined struct {
	Engine
	work Work
}

// retryRefused is the time between two attempts while the API server may not use a changed definition yet.
const retryRefused = 500 * time.Millisecond

func (r redefined) PlanFirst(
	ctx context.Context, replaced record.Snapshot,
) (plan ssa.Plan, prior record.Prior, err error) {
	plan, err = r.plan(ctx, func(ctx context.Context) (ssa.Plan, error) {
		plan, prior, err = r.Engine.PlanFirst(ctx, replaced)
		return plan, err
	})
	return plan, prior, err
}

func (r redefined) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	return r.plan(ctx, func(ctx context.Context) (ssa.Plan, error) { return r.Engine.Plan(ctx, prior) })
}

// plan calls try, and again while a changed definition may not be in use yet.
func (r redefined) plan(ctx context.Context, try func(context.Context) (ssa.Plan, error)) (ssa.Plan, error) {
	current := r.work.Run
	r.settle(ctx)
	for {
		plan, err := try(ctx)
		refusal := refusalIn(plan, err)
		// A plan without values promises nothing that another schema could change.
		if refusal == nil && (err != nil || plan.State == nil) {
			return plan, err
		}
		of, isKnown := r.definition(ctx)
		switch {
		case !isKnown:
			return plan, err
		case refusal == nil && current.Rounds.Current() != run.SecondRound:
			if current.AwaitRedefinition(ctx, of, run.MayBeRedefined) == run.ToBeRedefined {
				plan.State = nil // The new schema may have other defaults, or other merge rules.
			}
			return plan, nil
		case refusal == nil && !r.awaitChange(ctx, of):
			return plan, nil
		// The attempt has noted its object. Noted still, it would count as a second resource for that object.
		case refusal == nil:
			current.Objects.ForgetCreate(r.work.API, plan.Object)
			continue
		}
		now := current.AwaitRedefinition(ctx, of, run.NotRedefined, run.MayBeRedefined)
		switch {
		case !r.mayLift(of, refusal):
			return plan, err
		case now == run.ToBeRedefined && errors.As(refusal, &plan.Awaited.Err):
			plan, err = withoutSchema(ctx, plan, try)
			plan.Action, plan.Awaited.Redefined = awaiting(plan.Action), of.Name
			return plan, err
		case now == run.Redefining && cluster.Pause(ctx, retryRefused):
			current.Objects.ForgetCreate(r.work.API, plan.Object)
		default:
			return plan, still(now, of, err)
		}
	}
}

// schemaKey marks the context of a plan without the schema.
type schemaKey struct{}

// withoutSchema returns the plan of try for an existing object whose schema the run changes, made without the schema.
// It contains the fields that the apply takes from other managers, and no value after the apply. If try fails, or plans
// a replacement, withoutSchema returns the refused plan.
func withoutSchema(
	ctx context.Context, refused ssa.Plan, try func(context.Context) (ssa.Plan, error),
) (ssa.Plan, error) {
	if refused.State = nil; refused.Action == ssa.Create {
		return refused, nil
	}
	plan, err := try(context.WithValue(ctx, schemaKey{}, true))
	_, isConflict := errors.AsType[*ssa.ConflictsError](err)
	if !isConflict && (err != nil || plan.Action == ssa.Replace) {
		return refused, nil //nolint:nilerr // The refused plan says why there is no other.
	}
	plan.ClearPredicted()
	plan.Awaited = refused.Awaited
	return plan, err
}

// awaitChange waits for a planned change of the definition, and reports whether it has ended. The plan that an apply
// makes is made again then: the shown plan may have had values, and they must not become unknown.
func (r redefined) awaitChange(ctx context.Context, of run.Definition) bool {
	if r.work.Run.Definitions.Of(of) != run.ToBeRedefined ||
		r.work.Run.AwaitRedefinition(ctx, of, run.ToBeRedefined) == run.ToBeRedefined {
		return false
	}
	r.work.Run.Definitions.Settle(ctx, of)
	return true
}

// awaiting returns the action of a plan that was refused, if the refusal is lifted.
func awaiting(action ssa.Action) ssa.Action {
	if action == ssa.Replace {
		return ssa.Update
	}
	return action
}

func (r redefined) Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	return r.apply(ctx, func() (record.Observed, ssa.Result, error) { return r.Engine.Create(ctx, planned) })
}

func (r redefined) Apply(
	ctx context.Context, prior record.Prior, planned ssa.Plan,
) (record.Observed, ssa.Result, error) {
	return r.apply(ctx, func() (record.Observed, ssa.Result, error) { return r.Engine.Apply(ctx, prior, planned) })
}

// apply calls try after the planned changes of the definition, and again while they may not be in use yet.
func (r redefined) apply(
	ctx context.Context, try func() (record.Observed, ssa.Result, error),
) (observed record.Observed, result ssa.Result, err error) {
	of, isKnown := r.definition(ctx)
	if !isKnown {
		return try()
	}
	for {
		now := r.work.Run.AwaitRedefinition(ctx, of, run.ToBeRedefined)
		r.work.Run.Definitions.Settle(ctx, of)
		failed := result
		observed, result, err = try()
		if result = result.After(failed); !isOfSchema(err) {
			return observed, result, err
		}
		// The change may have ended while the request was under way.
		later := r.work.Run.Definitions.Of(of)
		if now != run.Redefining && later != run.Redefining || !cluster.Pause(ctx, retryRefused) {
			return observed, result, still(later, of, err)
		}
	}
}

// settle waits until a definition that was just changed is in use. It sends nothing if the run knows no definition.
func (r redefined) settle(ctx context.Context) {
	if r.work.Run.Definitions.IsEmpty() {
		return
	}
	if of, isKnown := r.definition(ctx); isKnown {
		r.work.Run.Definitions.Settle(ctx, of)
	}
}

// still returns err. If a resource of the run has changed the definition, it wraps err in a *run.StillRefusedError.
func still(now run.Redefinition, of run.Definition, err error) error {
	if err == nil || now == run.NotRedefined || now == run.MayBeRedefined {
		return err
	}
	return &run.StillRefusedError{Definition: of.Name, IsUnchanged: now == run.ToBeRedefined, Err: err}
}

// IsRedefined reports whether another resource of the run changes the definition of the object's kind.
func (w Work) IsRedefined(ctx context.Context) bool {
	if manifest.IsBuiltinGroup(w.Args.Manifest.Group()) || w.Run.Definitions.IsEmpty() {
		return false
	}
	of, isKnown := redefined{work: w}.definition(ctx)
	return isKnown && slices.Contains([]run.Redefinition{run.ToBeRedefined, run.Redefining}, w.Run.Definitions.Of(of))
}

// definition returns the definition of the kind. It returns false if no version of the kind is served.
func (r redefined) definition(ctx context.Context) (run.Definition, bool) {
	id := r.work.Args.Manifest.Identity
	kind, err := r.work.API.Kind(ctx, id.APIVersion, id.Kind)
	if elsewhere, is := cluster.ServedElsewhere(id, err); is {
		kind, err = r.work.API.Kind(ctx, elsewhere.APIVersion, elsewhere.Kind)
	}
	return run.Definition{Cluster: r.work.API, Name: kind.Plural + "." + id.Group()}, err == nil
}

// refusalIn returns the refusal of an object that a plan or its error describes, if another schema may lift it; nil
// otherwise.
func refusalIn(plan ssa.Plan, err error) error {
	switch {
	case err == nil && plan.Action == ssa.Replace:
		return plan.Immutable.Refusal
	case isOfSchema(err):
		return err
	}
	return nil
}

// isOfSchema reports whether an error may be due to the schema of a kind, or to the versions in which it is served.
func isOfSchema(err error) bool {
	switch cluster.ReasonOf(err) {
	case cluster.ReasonInvalid, cluster.ReasonBadRequest, cluster.ReasonSchemaMismatch, cluster.ReasonKindNotServed:
		return true
	}
	return false
}

// mayLift reports whether the change of a definition may lift a refusal. A field is immutable by a rule of the
// definition, which the change may keep, or by a webhook.
func (r redefined) mayLift(of run.Definition, refusal error) bool {
	if refusals.Immutable(refusal) == nil {
		return true
	}
	invalid, is := errors.AsType[*cluster.InvalidError](refusal)
	return is && slices.ContainsFunc(invalid.Rules, func(rule cluster.BrokenRule) bool {
		return !r.work.Run.Definitions.Keeps(of, rule.Rule)
	})
}
