package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/removals"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. intents.Pending says whether an apply
// is needed. PlanUpdate returns a *ConflictsError if the plan has conflicts that the intent does not want.
func PlanUpdate(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object, Ignored: record.Texts(intent.Ignore)}
	u := newUpdate(intent, prior)
	dry, err := u.try(ctx, api)
	if err != nil && u.Guesses && isRefusal(err) {
		return plan, nil // The server may refuse a stand-in. The plan of the apply knows the values.
	}
	if err != nil {
		return plan, plan.refused(ctx, api, u, err)
	}
	plan.addDryRun(u.Intent, dry)
	predicted, answered, err := u.predict(ctx, api, dry)
	if err != nil {
		return plan, err
	}
	if err := refuse(plan.Object, u.Intent.Uncountable(dry.Object.Object, answered)); err != nil {
		return plan, err
	}
	if err := plan.count(u.count(predicted.Applied)); err != nil {
		return plan, err
	}
	if refusal := removals.Try(ctx, api, predicted); refusal != nil {
		if !pruneRefused.recognizes(u, refusal) {
			return plan, plan.refused(ctx, api, u, refusal)
		}
		predicted.Rewrite = u.WhenPruneRefused(refusal)
	}
	plan.Unmatched = u.Intent.ExplainUnmatched(u.Intent.Ignore, dry.Object.Object, u.Known().Union(predicted.Applied))
	plan.UnmatchedSensitive = u.Intent.ExplainUnmatched(u.Intent.Sensitive, dry.Object.Object, u.Known().Union(predicted.Applied))
	planned, changes := predicted.PlannedState()
	planned.PinsUnknown = u.Intent.AddsPins(u.Prior.Settings) || len(intent.Pin) > 0 && u.Claims.Fields().Empty() || u.gainsPins(dry.Object, answered)
	plan.State, plan.UnseenPins = &planned, u.Intent.UnseenPins(dry.Object.Object, answered)
	plan.NewItems = newItems(predicted)
	plan.Changes = predicted.WithUnshown(planned, changes, predicted.LostElsewhere(answered))
	if intent.OnConflict == intents.Fail && len(plan.Conflicts()) > 0 {
		return plan, &ConflictsError{Plan: plan}
	}
	return plan, nil
}

// refused turns the plan into a replacement if the server refuses the change as immutable. It returns any other
// refusal, explained. If an ignored field cannot be released alone, that is the better explanation.
func (p *Plan) refused(ctx context.Context, api cluster.Interface, u *update, refusal error) error {
	if refusals.Immutable(refusal) != nil {
		p.Action, p.Immutable = Replace, refusals.ImmutableFields(u.Attempt, refusal)
		return nil
	}
	if whole := u.checkIgnorable(ctx, api, u.Prior.NonEmpty(u.Claims, u.Intent.FieldManager)); whole != nil {
		return whole
	}
	if pins := refusals.OfPins(ctx, api, u.Attempt, refusal); pins != nil {
		return pins
	}
	return refusals.Explain(u.Attempt, u.meets, refusal)
}

// checkIgnorable returns Intent.CheckSeparable for an object that exists. Claims alone do not tell what is atomic:
// an entry may hold a map by itself, and none of its parts. So before it returns the error, it sends a dry-run of
// the whole manifest, and checks the fields that the dry-run applies.
func (u *update) checkIgnorable(ctx context.Context, api cluster.Interface, known *paths.Set) error {
	refusal := u.Intent.CheckSeparable(known)
	if refusal == nil {
		return nil
	}
	asked := u.DryRunUnderAnotherName(intents.WithUID(u.Intent.Manifest.Object, u.Prior.Snapshot.UID))
	dry, err := asked.Send(ctx, api, u.Prior.Object)
	if err != nil {
		return refusal
	}
	answered, err := record.ClaimsOf(u.Prior.Object, dry.Object)
	if err != nil {
		return err
	}
	return u.Intent.CheckSeparable(answered.Own(asked.Manager))
}

// predict returns what the answer of a dry-run says about the apply, and the claims in the answer.
func (u *update) predict(ctx context.Context, api cluster.Interface, dry cluster.Applied) (prediction.Prediction, ownership.Claims, error) {
	intent, prior, result := u.Intent, u.Prior, dry.Object.Object
	answered, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return prediction.Prediction{}, nil, err
	}
	applied := u.asked.Applied(answered, u.Body)
	if lost := u.lostMeanwhile(ctx, api, dry.Object); !lost.Empty() {
		result, applied = projection.Graft(result, u.Body, lost), applied.Union(lost)
	}
	becameAtomic := u.BecameAtomic(answered, u.asked.Manager, result)
	becameAtomic = becameAtomic.Union(u.becameAtomicBeside(ctx, api, answered, result))
	whole := prior.NonEmpty(u.Claims.ReconcileWithSchema(becameAtomic), intent.FieldManager).Union(applied)
	if err := u.checkIgnorable(ctx, api, whole); err != nil {
		return prediction.Prediction{}, nil, err
	}
	return u.predicted(result, applied, becameAtomic), answered, prediction.CheckNumbers(prior.Object, u.Body, result, applied)
}

// predicted returns the inputs of the planned state, by the server's result of the apply.
func (u *update) predicted(result map[string]any, applied, becameAtomic *paths.Set) prediction.Prediction {
	return prediction.Prediction{
		Attempt: u.Attempt, Asked: u.asked, Result: result, Applied: applied, BecameAtomic: becameAtomic,
		Removes: removedItems(u.count(applied)).Union(u.Intent.Unwanted(u.Prior)),
	}
}

// becameAtomicBeside returns the fields that the schema has made atomic, and of which only others hold parts, in addition
// to the map or list itself. The answer would show the same claims if those parts had just been removed. So, if there are
// such fields, a dry-run of the live values finds out. If the server refuses it, the claims count as they were recorded.
func (u *update) becameAtomicBeside(ctx context.Context, api cluster.Interface, answered ownership.Claims, result map[string]any) *paths.Set {
	manager := u.asked.Manager
	maybe := paths.Filter(u.Claims.MayHaveBecomeAtomic(prediction.Unwritten(u.Claims, answered, manager), manager), func(path paths.Path) bool {
		value, presence := projection.Lookup(result, path)
		return presence == projection.Present && value != nil && !projection.IsEmptyCollection(value)
	})
	if maybe.Empty() {
		return maybe
	}
	dry, err := u.DryRunUnderAnotherName(projection.Graft(u.asked.Body, result, maybe)).Send(ctx, api, u.Prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	claims, err := record.ClaimsOf(u.Prior.Object, dry.Object)
	if err != nil {
		return paths.NewSet()
	}
	fields := claims.Own(prediction.DryRunManager(u.Intent.FieldManager))
	return paths.Filter(maybe, func(path paths.Path) bool { return fields.Has(path) && !ownership.HasParts(fields, path) })
}
