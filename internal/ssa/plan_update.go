package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. Whether one is needed is Pending's to
// say. A plan with conflicts that the intent does not want is a *ConflictsError.
func PlanUpdate(ctx context.Context, api cluster.Interface, intent Intent, prior record.Prior) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object, Ignored: record.Texts(intent.Ignore)}
	u := newUpdate(intent, prior)
	dry, err := u.try(ctx, api)
	if err != nil {
		return plan, plan.refused(ctx, api, u, err)
	}
	plan.tell(u.intent, dry)
	predicted, answered, err := u.predict(ctx, api, dry)
	if err != nil {
		return plan, err
	}
	if refusal := predicted.tryRemovals(ctx, api); refusal != nil {
		if !pruneRefused.recognizes(u, refusal) {
			return plan, plan.refused(ctx, api, u, refusal)
		}
		predicted.rewrite = u.whenPruneRefused(refusal)
	}
	plan.Unmatched = u.intent.explainUnmatched(u.intent.Ignore, dry.Object.Object, u.known().Union(predicted.applied))
	plan.UnmatchedSensitive = u.intent.explainUnmatched(u.intent.Sensitive, dry.Object.Object, u.known().Union(predicted.applied))
	planned, changes := predicted.plannedState()
	plan.State = &planned
	plan.Changes = predicted.withUnshown(planned, changes, predicted.lostElsewhere(answered))
	if intent.OnConflict == Fail && len(plan.Conflicts()) > 0 {
		return plan, &ConflictsError{Plan: plan}
	}
	return plan, nil
}

// refused makes a replacement of a plan whose change the server refuses as one that an object cannot have. It returns
// any other refusal, explained. What cannot be let go of alone is the better explanation.
func (p *Plan) refused(ctx context.Context, api cluster.Interface, u *update, refusal error) error {
	if immutable(refusal) != nil {
		p.Action, p.Immutable = Replace, u.immutableFields(refusal)
		return nil
	}
	if whole := u.checkIgnorable(ctx, api, u.prior.NonEmpty(u.claims, u.intent.FieldManager)); whole != nil {
		return whole
	}
	return u.explainDuplicate(refusal)
}

// checkIgnorable returns checkSeparable towards an object that exists. Claims alone do not tell what is atomic: an
// entry may hold a map by itself, and none of its parts. So before the error there is a dry-run of the whole
// manifest, and the fields that it applies count.
func (u *update) checkIgnorable(ctx context.Context, api cluster.Interface, known *paths.Set) error {
	refusal := u.intent.checkSeparable(known)
	if refusal == nil {
		return nil
	}
	asked := u.dryRunUnderAnotherName(withUID(u.intent.Manifest.Object, u.prior.Snapshot.UID))
	dry, err := asked.send(ctx, api, u.prior.Object)
	if err != nil {
		return refusal
	}
	answered, err := record.ClaimsOf(u.prior.Object, dry.Object)
	if err != nil {
		return err
	}
	return u.intent.checkSeparable(answered.Own(asked.manager))
}

// predict returns what the answer of a dry-run says about the apply, and the claims in the answer.
func (u *update) predict(ctx context.Context, api cluster.Interface, dry cluster.Applied) (Prediction, ownership.Claims, error) {
	intent, prior, result := u.intent, u.prior, dry.Object.Object
	answered, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return Prediction{}, nil, err
	}
	applied := u.asked.applied(answered, u.body)
	becameAtomic := u.becameAtomic(answered, u.asked.manager, result)
	becameAtomic = becameAtomic.Union(u.becameAtomicBeside(ctx, api, answered, result))
	whole := prior.NonEmpty(u.claims.ReconcileWithSchema(becameAtomic), intent.FieldManager).Union(applied)
	if err := u.checkIgnorable(ctx, api, whole); err != nil {
		return Prediction{}, nil, err
	}
	return u.predicted(result, applied, becameAtomic), answered, checkNumbers(prior.Object, u.body, result, applied)
}

// predicted returns the inputs of the planned state, by the server's result of the apply.
func (u *update) predicted(result map[string]any, applied, becameAtomic *paths.Set) Prediction {
	return Prediction{Attempt: u.Attempt, asked: u.asked, result: result, applied: applied, becameAtomic: becameAtomic}
}
