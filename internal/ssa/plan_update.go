package ssa

import (
	"context"
	"errors"
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. Whether one is needed is Pending's to
// say. A plan with conflicts that the intent does not want is a *ConflictsError.
func PlanUpdate(ctx context.Context, cluster Cluster, intent Intent, prior Prior) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object, Ignored: texts(intent.Ignore)}
	prior, err := prior.unmasked(intent)
	if err != nil {
		return plan, err
	}
	claims, err := prior.claims()
	if err != nil {
		return plan, err
	}
	previousManager := prior.previousManager(intent)
	intent = intent.withIgnoredManagers(claims, previousManager, prior.Snapshot.Values)
	rewrite := intent.beforeApply(claims, previousManager)
	kept, err := prior.keptFields(rewrite)
	if err != nil {
		return plan, err
	}
	known := claims.Fields().Union(kept)
	body := intent.body(known, prior.Snapshot.UID)
	asked := intent.dryRun(prior, claims, rewrite, body, kept)
	dry, err := asked.send(ctx, cluster, prior.Object)
	removal := intent.whenPruneRefused(claims, previousManager, err)
	switch remains := removal.Changes(rewrite.Claims(claims)); {
	case ReasonOf(err) != ReasonInvalid || immutable(err) != nil:
	case remains || asked.isUnderAnotherName && len(emptiedFields(err, claims.Own(previousManager))) == 0:
		if afresh, refusal := dryRunAsNew(ctx, cluster, intent, prior.Object, known); refusal == nil {
			dry, err, asked, rewrite = afresh, nil, intent.dryRunUnderAnotherName(body), removal
			asked.isOfNewObject = true
		}
	case len(emptiedFields(err, claims.Own(previousManager))) > 0:
		asked = intent.dryRunUnderAnotherName(body)
		dry, err = asked.send(ctx, cluster, prior.Object)
	case asked.keeps:
		// What was kept cannot be without what leaves, so it goes, too.
		asked = intent.dryRun(prior, claims, rewrite, body, paths.NewSet())
		dry, err = asked.send(ctx, cluster, prior.Object)
	}
	if immutable(err) != nil {
		plan.Action, plan.Immutable = Replace, prior.immutableFields(err, intent, claims, body)
		return plan, nil
	}
	if err != nil {
		// If a field cannot be released alone, that explains the server's refusal better.
		if whole := intent.checkIgnorable(ctx, cluster, prior, prior.nonEmpty(claims, intent.FieldManager)); whole != nil {
			return plan, whole
		}
		return plan, prior.explainDuplicate(err, claims, body)
	}
	answered, err := claimsOf(prior.Object, dry.Object)
	if err != nil {
		return plan, err
	}
	applied, becameAtomic := asked.applied(answered, body), intent.becameAtomic(claims, previousManager, answered, asked.manager, body, dry.Object.Object)
	becameAtomic = becameAtomic.Union(intent.becameAtomicBeside(ctx, cluster, prior, claims, answered, asked, dry.Object.Object))
	if err := intent.checkIgnorable(ctx, cluster, prior, prior.nonEmpty(claims.ReconcileWithSchema(becameAtomic), intent.FieldManager).Union(applied)); err != nil {
		return plan, err
	}
	if err := checkNumbers(prior.Object, body, dry.Object.Object, applied); err != nil {
		return plan, err
	}
	plan.tell(intent, dry)
	plan.Unmatched = intent.explainUnmatched(intent.Ignore, dry.Object.Object, known.Union(applied))
	plan.UnmatchedSensitive = intent.explainUnmatched(intent.Sensitive, dry.Object.Object, known.Union(applied))
	predicted := prediction{
		intent: intent, prior: prior, claims: claims, known: known, rewrite: rewrite,
		body: body, result: dry.Object.Object, applied: applied, becameAtomic: becameAtomic,
	}
	if err := predicted.tryRemovals(ctx, cluster, asked); err != nil {
		if immutable(err) != nil {
			return Plan{Action: Replace, Object: plan.Object, Ignored: plan.Ignored, Immutable: prior.immutableFields(err, intent, claims, body)}, nil
		}
		removal := intent.whenPruneRefused(claims, previousManager, err)
		if !removal.Changes(rewrite.Claims(claims)) {
			return plan, err
		}
		predicted.rewrite = removal
	}
	planned, changes, err := predicted.plannedState()
	if err != nil {
		return plan, err
	}
	plan.State = &planned
	plan.Changes = predicted.withUnshown(planned, changes, asked, predicted.lostElsewhere(answered))
	if intent.OnConflict == Fail && len(plan.Conflicts()) > 0 {
		return plan, &ConflictsError{Plan: plan}
	}
	return plan, nil
}

// prediction holds the inputs of a planned state. The live object is not one of them.
type prediction struct {
	intent Intent
	prior  Prior
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

func (in prediction) plannedState() (PlannedState, []Change, error) {
	snapshot := in.prior.Snapshot
	written := snapshot.renderer().Fingerprints(in.body, in.applied)
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
		IsWhole:  snapshot.isWhole(held),
		IsAbsent: snapshot.isAbsent(held),
		Replaces: func(leaf paths.Path) bool { return replaces(held, leaf, body) },
	})
	foreseen.After = in.intent.afterApply(foreseen.After).Claims(foreseen.After)
	formatter := foreseen.After.Formatter(in.claims.Fields(), in.applied)
	renderer := in.intent.renderer(in.prior.Object, snapshot.DigestKey)
	names, shown := renderer.Names(formatter), in.applied.Difference(emptyIn(in.body, in.applied))
	planned := PlannedState{
		View:          foreseen.After.CoOwners(names).Flatten(in.prior.View),
		ManagedState:  renderer.State(in.result, shown, formatter),
		UnknownOwners: unknownOwners(before, in.intent, names),
	}
	changes, err := in.changes(foreseen, snapshot.renderer().State(in.result, shown, formatter), formatter)
	planned.UnknownValues = unknownValues(planned.ManagedState, in.applied, in.intent, names)
	// An object without any manager gets one from the server, with all that the object has by then. Claims on
	// another version of the kind change with values that only the server can convert.
	foreign := in.claims.InOtherVersions(in.intent.Manifest.APIVersion)
	if held.Empty() || in.leavesNobody(before) || len(foreign) > 0 && !maps.Equal(planned.ManagedState, in.prior.ManagedState) {
		planned.View, planned.Owners = ownership.View{}, Unforeseen
	}
	return planned, changes, err
}

func isEmpty(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(value) == 0
	case []any:
		return len(value) == 0
	default:
		return false
	}
}

// merges reports whether the body gives a map or list that is empty and that the server merges into what is
// there, which takes nothing from anybody: it has parts with owners of their own, or keeps its content. An
// empty atomic one replaces it instead.
func merges(held *paths.Set, leaf paths.Path, body, result *projection.Reader) bool {
	written, _ := body.Lookup(leaf)
	if !isEmpty(written) {
		return false
	}
	if ownership.HasParts(held, leaf) {
		return !replaces(held, leaf, body)
	}
	merged, presence := result.Lookup(leaf)
	return presence == projection.Present && !isEmpty(merged)
}

// noValue is the text of a field without a value.
const noValue = "(none)"

// valueBefore returns the live value of a field: from managed_state where we declared it, else from its
// fingerprint where that is the value itself.
func valueBefore(prior Prior, field string, renderer projection.Renderer, path paths.Path) string {
	if value, declared := prior.ManagedState[field]; declared {
		if renderer.IsSecret(path) && !prior.Snapshot.renderer().IsSecret(path) {
			return projection.Redacted
		}
		return value
	}
	if value, presence := projection.Lookup(prior.Live, path); presence == projection.Present && value != nil {
		return shownValue(path, value, renderer, prior.Snapshot.renderer())
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
	var e *Error
	if !errors.As(err, &e) || e.Reason != ReasonInvalid || len(e.Causes) == 0 {
		return nil
	}
	var fields []string
	for _, cause := range e.Causes {
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
