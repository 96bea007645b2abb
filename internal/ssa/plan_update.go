package ssa

import (
	"context"
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. Whether one is needed is Pending's to
// say.
func PlanUpdate(ctx context.Context, cluster Cluster, intent Intent, prior Prior) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object}
	claims, err := ownership.Parse(prior.Snapshot.Managers)
	if err != nil {
		return plan, unreadable(prior.Object, err)
	}
	known := claims.Fields()
	if err := intent.checkSeparable(prior.filled(claims, intent.FieldManager)); err != nil {
		return plan, err
	}
	released, _ := projection.Covered(claims.Own(intent.FieldManager), intent.Ignore, intent.Manifest.Object)
	body := intent.body(known, prior.Snapshot.UID)
	manager := rehearsalManager(intent.FieldManager, released)
	dry, err := cluster.Apply(ctx, prior.Object, body, ApplyOptions{FieldManager: manager, DryRun: true, Force: true})
	if fields := immutable(err); fields != nil {
		plan.Action, plan.Immutable = Replace, fields
		return plan, nil
	}
	if err != nil {
		return plan, err
	}
	answered, err := ownership.Parse(dry.Object.GetManagedFields())
	if err != nil {
		return plan, unreadable(prior.Object, err)
	}
	applied := answered.Own(manager)
	if err := intent.checkSeparable(prior.filled(claims, intent.FieldManager).Union(applied)); err != nil {
		return plan, err
	}
	plan.Warnings = dry.Warnings
	plan.Unmatched = intent.unmatched(dry.Object.Object, known.Union(applied))
	plan.predict(prediction{
		intent: intent, prior: prior, claims: claims, released: released,
		body: body, result: dry.Object.Object, applied: applied,
	})
	return plan, nil
}

// rehearsalManager is who the dry-run applies as. Where fields are to be released first, a dry-run in
// our own name would remove them, which the server refuses for a required field; a manager that owns
// nothing removes nothing, and what the server makes of the body is the same.
func rehearsalManager(fieldManager string, released *paths.Set) string {
	const suffix = "-plan"
	if released.Empty() {
		return fieldManager
	}
	if len(fieldManager)+len(suffix) > validation.FieldManagerMaxLength {
		fieldManager = fieldManager[:validation.FieldManagerMaxLength-len(suffix)]
	}
	return fieldManager + suffix
}

// prediction are the inputs of a forecast, of which none is the live object.
type prediction struct {
	intent Intent
	prior  Prior
	claims ownership.Claims
	// released are the fields that our entry loses before the apply.
	released *paths.Set
	body     map[string]any
	result   map[string]any
	applied  *paths.Set
}

// owners are unforeseen where the apply meets an object without any manager.
func (in prediction) owners() Foresight {
	left := replaceOwn(in.claims, in.intent.FieldManager, in.claims.Own(in.intent.FieldManager).Difference(in.released))
	if len(left) == 0 {
		return Unforeseen
	}
	return Foreseen
}

func (p *Plan) predict(in prediction) {
	snapshot := in.prior.Snapshot
	renderer := rendererFor(p.Object, snapshot.DigestKey)
	written := renderer.Fingerprints(in.body, in.applied)
	forecast := in.claims.Predict(ownership.Apply{
		Manager: in.intent.manager(),
		Fields:  in.applied,
		Differs: func(leaf paths.Path) bool {
			id := paths.ID(leaf)
			return written[id] != snapshot.Values[id] && !merges(in.body, in.result, leaf)
		},
	})
	formatter := forecast.After.Formatter(in.claims.Fields(), in.applied)
	p.Forecast = &Forecast{
		View:         forecast.After.CoOwners(formatter).Flatten(in.prior.View),
		ManagedState: renderer.State(in.result, in.applied, formatter),
	}
	if in.owners() == Unforeseen {
		p.Forecast.View, p.Forecast.Owners = ownership.View{}, Unforeseen
	}
	for _, taken := range forecast.Taken {
		field := formatter.Format(taken.Path)
		value, _ := projection.Lookup(in.body, taken.Path)
		p.Transfers = append(p.Transfers, Transfer{
			Field:   field,
			Was:     valueBefore(in.prior, field, renderer, taken.Path),
			Becomes: renderer.Text(taken.Path, value),
			From:    taken.Managers,
		})
	}
}

// merges says whether the body gives a map or list that is empty and that the server merges into what is
// there, which changes nothing. An empty atomic one replaces it instead.
func merges(body, result map[string]any, leaf paths.Path) bool {
	written, _ := projection.Lookup(body, leaf)
	switch written := written.(type) {
	case map[string]any:
		if len(written) > 0 {
			return false
		}
	case []any:
		if len(written) > 0 {
			return false
		}
	default:
		return false
	}
	merged, presence := projection.Lookup(result, leaf)
	return presence == projection.Present && projection.Fingerprint(merged) != projection.Fingerprint(written)
}

// valueBefore is the live value of a field: from managed_state where we declared it, else from its
// fingerprint where that is the value itself.
func valueBefore(prior Prior, field string, renderer projection.Renderer, path paths.Path) string {
	if value, declared := prior.ManagedState[field]; declared {
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
