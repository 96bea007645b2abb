package ssa

import (
	"context"
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. Whether one is needed is Pending's to
// say. A plan with conflicts that the intent does not want is a *ConflictsError.
func PlanUpdate(ctx context.Context, cluster Cluster, intent Intent, prior Prior) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object, Ignored: texts(intent.Ignore)}
	prior, err := prior.recognizing(intent)
	if err != nil {
		return plan, err
	}
	claims, err := ownership.Parse(prior.Snapshot.Managers)
	if err != nil {
		return plan, unreadable(prior.Object, err)
	}
	known := claims.Fields()
	formerly := prior.formerly(intent)
	intent = intent.facing(claims, formerly, prior.Snapshot.Values)
	rewrite := intent.beforeApply(claims, formerly)
	body := intent.body(known, prior.Snapshot.UID)
	manager := intent.FieldManager
	if rewrite.Changes(claims) {
		manager = rehearsalManager(manager)
	}
	dry, err := cluster.Apply(ctx, prior.Object, body, ApplyOptions{FieldManager: manager, DryRun: true, Force: true})
	removal := intent.beforeRemoval(claims, formerly, err)
	switch remains := removal.Changes(rewrite.Claims(claims)); {
	case ReasonOf(err) != ReasonInvalid || immutable(err) != nil:
	case remains || rewrite.Changes(claims) && len(emptied(err)) == 0:
		if afresh, refusal := rehearseAfresh(ctx, cluster, intent, prior.Object, known); refusal == nil {
			dry, err, manager, rewrite = afresh, nil, rehearsalManager(intent.FieldManager), removal
		}
	case len(emptied(err)) > 0:
		manager = rehearsalManager(intent.FieldManager)
		dry, err = cluster.Apply(ctx, prior.Object, body, ApplyOptions{FieldManager: manager, DryRun: true, Force: true})
	}
	if fields := immutable(err); fields != nil {
		plan.Action, plan.Immutable = Replace, fields
		return plan, nil
	}
	if err != nil {
		// What cannot be let go of alone is the better explanation of a body that the server refuses.
		if whole := intent.checkSeparable(prior.filled(claims, intent.FieldManager)); whole != nil {
			return plan, whole
		}
		return plan, err
	}
	answered, err := ownership.Parse(dry.Object.GetManagedFields())
	if err != nil {
		return plan, unreadable(prior.Object, err)
	}
	applied, joined := answered.Own(manager), intent.joined(claims, formerly, answered, manager, body)
	if err := intent.checkSeparable(prior.filled(claims.Join(joined), intent.FieldManager).Union(applied)); err != nil {
		return plan, err
	}
	if err := checkNumbers(prior.Object, body, dry.Object.Object, applied); err != nil {
		return plan, err
	}
	plan.tell(intent, dry)
	plan.Unmatched = intent.unmatched(intent.Ignore, dry.Object.Object, known.Union(applied))
	plan.UnmatchedSensitive = intent.unmatched(intent.Sensitive, dry.Object.Object, known.Union(applied))
	forecast, changes, err := prediction{
		intent: intent, prior: prior, claims: claims, rewrite: rewrite,
		body: body, result: dry.Object.Object, applied: applied, joined: joined,
	}.forecast()
	if err != nil {
		return plan, err
	}
	plan.Forecast, plan.Changes = &forecast, changes
	if intent.OnConflict == Fail && len(plan.Conflicts()) > 0 {
		return plan, &ConflictsError{Plan: plan}
	}
	return plan, nil
}

// rehearsalManager is who the dry-run applies as where managedFields are to be rewritten first. In our own
// name it would remove the fields that are to be released, which the server refuses for a required one,
// and fall over what others still hold of a list item that is to go; a manager that owns nothing removes
// nothing, and what the server makes of the body is the same.
func rehearsalManager(fieldManager string) string {
	const suffix = "-plan"
	if len(fieldManager)+len(suffix) > validation.FieldManagerMaxLength {
		fieldManager = fieldManager[:validation.FieldManagerMaxLength-len(suffix)]
	}
	return fieldManager + suffix
}

// rehearseAfresh is a dry-run of the body as a new object under another name. It is for bodies that do not
// fit the live object as long as nothing is removed from it: another member of a union, for instance.
func rehearseAfresh(ctx context.Context, cluster Cluster, intent Intent, id manifest.Identity, known *paths.Set) (Applied, error) {
	id.Name += rehearsalSuffix
	body := identified(runtime.DeepCopyJSON(intent.split(known)), id)
	return cluster.Apply(ctx, id, body, ApplyOptions{FieldManager: rehearsalManager(intent.FieldManager), DryRun: true, Force: true})
}

// prediction are the inputs of a forecast, of which none is the live object.
type prediction struct {
	intent Intent
	prior  Prior
	claims ownership.Claims
	// rewrite is made of the claims before the apply.
	rewrite ownership.Rewrite
	body    map[string]any
	result  map[string]any
	applied *paths.Set
	// joined are fields that the schema has made atomic since the claims were recorded.
	joined *paths.Set
}

func (in prediction) forecast() (Forecast, []Change, error) {
	snapshot := in.prior.Snapshot
	written := snapshot.renderer().Fingerprints(in.body, in.applied)
	before := in.rewrite.Claims(in.claims).Join(in.joined)
	held := before.Fields()
	body, answer := projection.NewReader(in.body), projection.NewReader(in.result)
	foreseen := before.Predict(ownership.Apply{
		Manager: in.intent.manager(),
		Fields:  in.applied,
		Differs: func(leaf paths.Path) bool {
			id := paths.ID(leaf)
			return written[id] != snapshot.Values[id] && !merges(held, leaf, body, answer)
		},
	})
	foreseen.After = in.intent.afterApply(foreseen.After).Claims(foreseen.After)
	formatter := foreseen.After.Formatter(in.claims.Fields(), in.applied)
	renderer := in.intent.renderer(in.prior.Object, snapshot.DigestKey)
	names, result := renderer.Names(formatter), in.pruned(before)
	forecast := Forecast{
		View:         foreseen.After.CoOwners(names).Flatten(in.prior.View),
		ManagedState: renderer.State(result, in.applied, formatter),
		Contingent:   contingent(before, in.intent, names),
	}
	changes, err := in.changes(foreseen, snapshot.renderer().State(result, in.applied, formatter), formatter)
	forecast.Undisclosed = undisclosed(forecast.ManagedState, in.applied, in.intent, names)
	// An object without any manager gets one from the server, with all that the object has by then.
	if held.Empty() {
		forecast.View, forecast.Owners = ownership.View{}, Unforeseen
	}
	return forecast, changes, err
}

// joined are the fields that the schema has made atomic since the claims were recorded, by an answer of the
// server. formerly and manager are the names under which we own claims in the two.
func (i Intent) joined(claims ownership.Claims, formerly string, answered ownership.Claims, manager string, body map[string]any) *paths.Set {
	as := func(name string) ownership.Rewrite { return ownership.Rewrite{Manager: i.FieldManager, Formerly: name} }
	return as(formerly).Claims(claims).Joined(as(manager).Claims(answered), emptyIn(body))
}

// emptyIn says which fields a body gives as a map or list without content.
func emptyIn(body map[string]any) func(paths.Path) bool {
	reader := projection.NewReader(body)
	return func(path paths.Path) bool {
		value, _ := reader.Lookup(path)
		return isEmpty(value)
	}
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

// merges says whether the body gives a map or list that is empty and that the server merges into what is
// there, which takes nothing from anybody: it has parts with owners of their own, or keeps its content. An
// empty atomic one replaces it instead.
func merges(held *paths.Set, leaf paths.Path, body, result *projection.Reader) bool {
	written, _ := body.Lookup(leaf)
	if !isEmpty(written) {
		return false
	}
	merged, presence := result.Lookup(leaf)
	return ownership.HasParts(held, leaf) || presence == projection.Present && !isEmpty(merged)
}

// valueBefore is the live value of a field: from managed_state where we declared it, else from its
// fingerprint where that is the value itself.
func valueBefore(prior Prior, field string, renderer projection.Renderer, path paths.Path) string {
	if value, declared := prior.ManagedState[field]; declared {
		if renderer.IsSecret(path) && !prior.Snapshot.renderer().IsSecret(path) {
			return projection.Undisclosed
		}
		return value
	}
	print, has := prior.Snapshot.Values[paths.ID(path)]
	if !has {
		return "(none)"
	}
	var value any
	if err := utiljson.Unmarshal([]byte(print), &value); err != nil {
		return "(another value)"
	}
	return renderer.Text(path, value)
}

// immutable are the fields that an error says cannot be changed, nil when the error is of another kind
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
