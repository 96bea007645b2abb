package ssa

import (
	"context"
	"errors"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
)

// PlanCreate plans a new object: one dry-run, and a GET where the server refuses it. If the old object of
// a replacement still has the name, that is not a conflict, but the new object cannot be predicted.
func PlanCreate(ctx context.Context, api cluster.Interface, intent intents.Intent, replacement Replacement) (Plan, error) {
	plan := Plan{Action: Create, Object: intent.Manifest.Identity}
	id, err := cluster.Locate(ctx, api, intent.Manifest.Identity)
	if err != nil {
		return plan, plan.NotReady(err)
	}
	plan.Object, plan.Located = id, true
	if err := replacement.Run.Create(api, id, registry.NewResourceOf(intent.FieldManager, intent.Manifest.Text)); err != nil {
		return plan, err
	}
	dry, err := dryRunCreate(ctx, api, id, intent)
	switch cluster.ReasonOf(err) {
	case cluster.ReasonNamespaceNotFound, cluster.ReasonNamespaceTerminating:
		namespace := manifest.Identity{APIVersion: "v1", Kind: "Namespace", Name: id.Namespace}
		plan.AwaitsOwn = replacement.Run.Creates(api, namespace)
		return plan, plan.NotReady(err)
	case cluster.ReasonKindNotServed:
		return plan, plan.NotReady(err)
	case cluster.ReasonWebhookUnreachable:
		replacement.Run.Forget(api, id)
		return plan, err
	case cluster.ReasonInvalid, cluster.ReasonConflict:
		err = explainRefusal(ctx, api, id, replacement, err)
		if err = plan.orAdopt(ctx, api, intent, replacement, err); !intent.IsUndecided() || !isRefusal(err) {
			return plan, err
		}
	}
	if intent.IsUndecided() && isRefusal(err) {
		replacement.Run.FindNew(api, id)
		return plan, nil // The server may refuse a stand-in. The plan of the apply knows the values.
	}
	if err != nil {
		return plan, err
	}
	plan.addDryRun(intent, dry)
	if dry.Outcome == cluster.Updated {
		err = replacement.check(id, dry.Object, intent.FieldManager)
		return plan, plan.orAdopt(ctx, api, intent, replacement, err)
	}
	replacement.Run.FindNew(api, id)
	return plan, plan.foresee(intent, dry)
}

// isRefusal reports whether an error is a judgement of the server, or of a webhook, about a body.
func isRefusal(err error) bool {
	switch cluster.ReasonOf(err) {
	case cluster.ReasonInvalid, cluster.ReasonBadRequest, cluster.ReasonForbidden, cluster.ReasonSchemaMismatch, cluster.ReasonTooLarge:
		return true
	}
	return false
}

// orAdopt plans an adoption if the intent wants one and err says that the object exists. Otherwise it returns err.
func (p *Plan) orAdopt(ctx context.Context, api cluster.Interface, intent intents.Intent, replacement Replacement, err error) error {
	var exists *registry.AlreadyExistsError
	if intent.Existing != intents.Adopt || !errors.As(err, &exists) {
		return err
	}
	return p.planAdoption(ctx, api, intent, replacement.Run)
}

// explainRefusal returns refusal for a new object. For an object that exists, it returns what Replacement.check says of it.
func explainRefusal(ctx context.Context, api cluster.Interface, id manifest.Identity, replacement Replacement, refusal error) error {
	live, err := api.Get(ctx, id)
	if err != nil {
		return refusal
	}
	return replacement.check(id, live, "")
}

// foresee fills in the planned state of a new object. Ignored fields are sent as initial values and released
// in the same apply, so they end up without an owner.
func (p *Plan) foresee(intent intents.Intent, dry cluster.Applied) error {
	claims, err := record.ClaimsOf(p.Object, dry.Object)
	if err != nil {
		return err
	}
	if err := refuse(p.Object, intent.Uncountable(dry.Object.Object, claims)); err != nil {
		return err
	}
	own := claims.Own(intent.FieldManager)
	if err := intent.CheckSeparable(own); err != nil {
		return err
	}
	if err := prediction.CheckNumbers(p.Object, intent.Manifest.Object, dry.Object.Object, own); err != nil {
		return err
	}
	declared := own.Difference(intent.Released(own))
	claims = replaceOwn(claims, intent.FieldManager, declared)
	renderer := intent.Renderer(p.Object, record.Snapshot{})
	formatter := claims.Formatter()
	names := renderer.Names(formatter)
	p.State = &prediction.PlannedState{
		View:          claims.CoOwners(names).Flatten(ownership.View{}),
		ManagedState:  renderer.State(dry.Object.Object, declared.Difference(projection.EmptyCollections(intent.Manifest.Object, declared)), formatter),
		UnknownOwners: prediction.UnknownOwners(claims, declared, intent, names),
	}
	p.State.PinsUnknown, p.UnseenPins = len(intent.Pin) > 0, intent.UnseenPins(dry.Object.Object, claims)
	p.State.UnknownValues = prediction.UnknownValues(p.State.ManagedState, declared, intent, record.Prior{}, names)
	_, p.State.FieldsUnknown = intent.UndecidedFields(projection.WithValues(dry.Object.Object, declared))
	p.Unmatched = intent.ExplainUnmatched(intent.Ignore, dry.Object.Object, own)
	p.UnmatchedSensitive = intent.ExplainUnmatched(intent.Sensitive, dry.Object.Object, own)
	return nil
}

func replaceOwn(claims ownership.Claims, fieldManager string, fields *paths.Set) ownership.Claims {
	replaced := slices.Clone(claims)
	for i, claim := range replaced {
		if claim.IsOwn(fieldManager) {
			replaced[i].Fields = fields
		}
	}
	return slices.DeleteFunc(replaced, func(c ownership.Claim) bool { return c.Fields.Empty() })
}

// NotReady returns registry.NotReady of an error. If that is nil, p.Awaited keeps the error.
func (p *Plan) NotReady(err error) error {
	if errors.As(err, &p.Awaited) && registry.NotReady(err) == nil {
		return nil
	}
	p.Awaited = nil
	return err
}

// ForgiveWebhook takes the error of a plan whose dry-run met a webhook that could not be reached. In the first
// round it returns nil, the plan says what it awaits, and the computed values are unknown. Otherwise it
// returns the error: values that the first plan knew must not become unknown.
func (p *Plan) ForgiveWebhook(err error, round registry.Round) error {
	if round != registry.FirstRound || cluster.ReasonOf(err) != cluster.ReasonWebhookUnreachable {
		return err
	}
	p.State = nil
	return p.NotReady(err)
}
