package ssa

import (
	"context"
	"errors"
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. Whether one is needed is Pending's to
// say. A plan with conflicts that the intent does not want is a *ConflictsError.
func PlanUpdate(ctx context.Context, api cluster.Interface, intent Intent, prior record.Prior) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object, Ignored: record.Texts(intent.Ignore)}
	u := newUpdate(intent, prior)
	dry, err := u.dryRun(ctx, api)
	if err != nil {
		return plan, plan.refused(ctx, api, u, err)
	}
	plan.tell(u.intent, dry)
	predicted, answered, err := u.predict(ctx, api, dry)
	if err != nil {
		return plan, err
	}
	if refusal := predicted.tryRemovals(ctx, api, u.asked); refusal != nil {
		if !pruneRefused.recognizes(u, refusal) {
			return plan, plan.refused(ctx, api, u, refusal)
		}
		predicted.rewrite = u.whenPruneRefused(refusal)
	}
	plan.Unmatched = u.intent.explainUnmatched(u.intent.Ignore, dry.Object.Object, u.known().Union(predicted.applied))
	plan.UnmatchedSensitive = u.intent.explainUnmatched(u.intent.Sensitive, dry.Object.Object, u.known().Union(predicted.applied))
	planned, changes := predicted.plannedState()
	plan.State = &planned
	plan.Changes = predicted.withUnshown(planned, changes, u.asked, predicted.lostElsewhere(answered))
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
	if whole := u.intent.checkIgnorable(ctx, api, u.prior, u.prior.NonEmpty(u.claims, u.intent.FieldManager)); whole != nil {
		return whole
	}
	return u.explainDuplicate(refusal)
}

// predict returns what the answer of a dry-run says about the apply, and the claims in the answer.
func (u *update) predict(ctx context.Context, api cluster.Interface, dry cluster.Applied) (prediction, ownership.Claims, error) {
	intent, prior, result := u.intent, u.prior, dry.Object.Object
	answered, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return prediction{}, nil, err
	}
	applied := u.asked.applied(answered, u.body)
	becameAtomic := u.becameAtomic(answered, u.asked.manager, result)
	becameAtomic = becameAtomic.Union(u.becameAtomicBeside(ctx, api, answered, result))
	whole := prior.NonEmpty(u.claims.ReconcileWithSchema(becameAtomic), intent.FieldManager).Union(applied)
	if err := intent.checkIgnorable(ctx, api, prior, whole); err != nil {
		return prediction{}, nil, err
	}
	return u.prediction(result, applied, becameAtomic), answered, checkNumbers(prior.Object, u.body, result, applied)
}

// prediction returns the inputs of the planned state, by the server's result of the apply.
func (u *update) prediction(result map[string]any, applied, becameAtomic *paths.Set) prediction {
	return prediction{
		intent: u.intent, prior: u.prior, claims: u.claims, known: u.known(), rewrite: u.rewrite,
		body: u.body, result: result, applied: applied, becameAtomic: becameAtomic,
	}
}

// prediction holds the inputs of a planned state. The live object is not one of them.
type prediction struct {
	intent Intent
	prior  record.Prior
	claims ownership.Claims
	// known are all fields that the object was seen to have an owner of, or to have had.
	known *paths.Set
	// rewrite is made of the claims before the apply.
	rewrite ownership.Rewrite
	body    map[string]any
	result  map[string]any
	applied *paths.Set
	// joined are fields that the schema has made atomic since the claims were recorded.
	becameAtomic *paths.Set
}

func (in prediction) plannedState() (PlannedState, []Change) {
	snapshot := in.prior.Snapshot
	written := snapshot.Renderer().Fingerprints(in.body, in.applied)
	before := in.rewrite.Claims(in.claims).ReconcileWithSchema(in.becameAtomic)
	held := before.Fields()
	body, answer := projection.NewReader(in.body), projection.NewReader(in.result)
	foreseen := before.Predict(ownership.Apply{
		Manager: in.intent.manager(),
		Fields:  in.applied,
		Differs: func(leaf paths.Path) bool {
			id := paths.ID(leaf)
			return written[id] != snapshot.Values[id] && !merges(held, leaf, body, answer)
		},
		IsWhole:  snapshot.IsWhole(held),
		IsAbsent: snapshot.IsAbsent(held),
		Replaces: func(leaf paths.Path) bool { return replaces(held, leaf, body) },
	})
	foreseen.After = in.intent.afterApply(foreseen.After).Claims(foreseen.After)
	formatter := foreseen.After.Formatter(in.claims.Fields(), in.applied)
	renderer := in.intent.renderer(in.prior.Object, snapshot.DigestKey)
	names, shown := renderer.Names(formatter), in.applied.Difference(projection.EmptyCollections(in.body, in.applied))
	planned := PlannedState{
		View:          foreseen.After.CoOwners(names).Flatten(in.prior.View),
		ManagedState:  renderer.State(in.result, shown, formatter),
		UnknownOwners: unknownOwners(before, in.intent, names),
	}
	changes := in.changes(foreseen, snapshot.Renderer().State(in.result, shown, formatter), formatter)
	planned.UnknownValues = unknownValues(planned.ManagedState, in.applied, in.intent, names)
	// An object without any manager gets one from the server, with all that the object has by then. Claims on
	// another version of the kind change with values that only the server can convert.
	foreign := in.claims.InOtherVersions(in.intent.Manifest.APIVersion)
	if held.Empty() || in.leavesNobody(before) || len(foreign) > 0 && !maps.Equal(planned.ManagedState, in.prior.ManagedState) {
		planned.View, planned.Owners = ownership.View{}, Unforeseen
	}
	return planned, changes
}

// merges reports whether the body gives a map or list that is empty and that the server merges into what is
// there, which takes nothing from anybody: it has parts with owners of their own, or keeps its content. An
// empty atomic one replaces it instead.
func merges(held *paths.Set, leaf paths.Path, body, result *projection.Reader) bool {
	written, _ := body.Lookup(leaf)
	if !projection.IsEmptyCollection(written) {
		return false
	}
	if ownership.HasParts(held, leaf) {
		return !replaces(held, leaf, body)
	}
	merged, presence := result.Lookup(leaf)
	return presence == projection.Present && !projection.IsEmptyCollection(merged)
}

// noValue is the text of a field without a value.
const noValue = "(none)"

// valueBefore returns the live value of a field: from managed_state where we declared it, else from its
// fingerprint where that is the value itself.
func valueBefore(prior record.Prior, field string, renderer projection.Renderer, path paths.Path) string {
	if value, declared := prior.ManagedState[field]; declared {
		if renderer.IsSecret(path) && !prior.Snapshot.Renderer().IsSecret(path) {
			return projection.Redacted
		}
		return value
	}
	if value, presence := projection.Lookup(prior.Live, path); presence == projection.Present && value != nil {
		return shownValue(path, value, renderer, prior.Snapshot.Renderer())
	}
	print, has := prior.Snapshot.Values[paths.ID(path)]
	if !has {
		return noValue
	}
	var value any
	if err := utiljson.Unmarshal([]byte(print), &value); err != nil {
		return "(another value)"
	}
	return renderer.Text(path, value)
}

// immutable returns the fields that an error says cannot be changed, nil when the error is of another kind
// or names a fault besides. Kubernetes has no status reason for it: validation says "field is
// immutable" or forbids updates, and the rules of CustomResourceDefinitions follow the same words.
func immutable(err error) []string {
	var invalid *cluster.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Causes) == 0 {
		return nil
	}
	var fields []string
	for _, cause := range invalid.Causes {
		message := strings.ToLower(cause.Message)
		refused := strings.Contains(message, "immutable") ||
			cause.Type == metav1.CauseTypeForbidden && strings.Contains(message, "updates to")
		if !refused {
			return nil
		}
		fields = append(fields, cause.Field)
	}
	return fields
}
