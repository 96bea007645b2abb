package ssa

import (
	"context"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/registry"
)

// NameInUseError is an object that is in the state, and that has the name of the object to create: Terraform creates the
// replacement before it destroys the old object.
type NameInUseError struct {
	Object manifest.Identity
}

func (e *NameInUseError) Error() string {
	return e.Object.String() + " is already managed in this state, so it cannot be created"
}

// ProtectedError is an object that a plan would delete and its state forbids to.
type ProtectedError struct {
	Object manifest.Identity
}

func (e *ProtectedError) Error() string { return e.Object.String() + " is protected" }

// Replacement tells the object that a new one replaces, and that still stands in its way, from the objects
// of others.
type Replacement struct {
	// Replaced is the snapshot of the replaced object; empty where Terraform keeps it back, or where there
	// is no such object.
	Replaced record.Snapshot
	// RunRegistry knows the objects of resources whose state Terraform keeps back, and of all others.
	Run *registry.Run
}

// check returns an *AlreadyExistsError or an *AlreadyManagedError where a live object is not the one that the
// plan replaces, and a *ProtectedError where it is and may not be deleted.
func (s Replacement) check(id manifest.Identity, live *unstructured.Unstructured, fieldManager string) error {
	uid := string(live.GetUID())
	if uid != s.Replaced.UID {
		if err := s.Run.Replace(id, uid); err != nil {
			return explainExisting(err, live, fieldManager)
		}
	}
	if s.Run.IsProtected(uid) {
		return &ProtectedError{Object: id}
	}
	return nil
}

// explainExisting says of an object that exists whether it may be our own.
func explainExisting(err error, live *unstructured.Unstructured, fieldManager string) error {
	var exists *registry.AlreadyExistsError
	if errors.As(err, &exists) {
		claims, unreadable := record.ClaimsOf(exists.Object, live)
		exists.Orphan = unreadable == nil && isOrphan(claims, fieldManager)
	}
	return err
}

// isOrphan reports whether nobody but a field manager owns anything.
func isOrphan(claims ownership.Claims, fieldManager string) bool {
	return !claims.Own(fieldManager).Empty() && claims.Others(fieldManager).Fields().Empty()
}

// PlanCreate plans a new object: one dry-run, and a GET where the server refuses it. An object that still
// stands in its own way is no conflict, but cannot be predicted.
func PlanCreate(ctx context.Context, api cluster.Interface, intent Intent, replacement Replacement) (Plan, error) {
	plan := Plan{Action: Create, Object: intent.Manifest.Identity}
	id, err := cluster.Locate(ctx, api, intent.Manifest.Identity)
	if err != nil {
		return plan, plan.notReady(err)
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
		return plan, plan.notReady(err)
	case cluster.ReasonKindNotServed:
		return plan, plan.notReady(err)
	case cluster.ReasonWebhookUnreachable:
		replacement.Run.Forget(api, id)
		return plan, err
	case cluster.ReasonInvalid, cluster.ReasonConflict:
		err = explainRefusal(ctx, api, id, replacement, err)
		return plan, plan.orAdopt(ctx, api, intent, replacement, err)
	}
	if err != nil {
		return plan, err
	}
	plan.tell(intent, dry)
	if dry.Outcome == cluster.Updated {
		err = replacement.check(id, dry.Object, intent.FieldManager)
		return plan, plan.orAdopt(ctx, api, intent, replacement, err)
	}
	return plan, plan.foresee(intent, dry)
}

// orAdopt plans an adoption where the intent wants one and err is that the object exists. Any other error
// stays.
func (p *Plan) orAdopt(ctx context.Context, api cluster.Interface, intent Intent, replacement Replacement, err error) error {
	var exists *registry.AlreadyExistsError
	if intent.Existing != Adopt || !errors.As(err, &exists) {
		return err
	}
	return p.planAdoption(ctx, api, intent, replacement.Run)
}

// notReady is notReady that keeps what it forgives.
func (p *Plan) notReady(err error) error {
	if errors.As(err, &p.Awaited) && registry.NotReady(err) == nil {
		return nil
	}
	p.Awaited = nil
	return err
}

// explainRefusal tells a new object that the server refuses from an existing one that it will not
// change that way.
func explainRefusal(ctx context.Context, api cluster.Interface, id manifest.Identity, replacement Replacement, refusal error) error {
	live, err := api.Get(ctx, id)
	if err != nil {
		return refusal
	}
	return replacement.check(id, live, "")
}

// foresee fills in the planned state of a new object. Ignored fields are sent as initial values and released
// in the same apply, so they end up without an owner.
func (p *Plan) foresee(intent Intent, dry cluster.Applied) error {
	claims, err := record.ClaimsOf(p.Object, dry.Object)
	if err != nil {
		return err
	}
	own := claims.Own(intent.FieldManager)
	if err := intent.checkSeparable(own); err != nil {
		return err
	}
	if err := checkNumbers(p.Object, intent.Manifest.Object, dry.Object.Object, own); err != nil {
		return err
	}
	ignored, _ := projection.Covered(own, intent.ignored(), intent.Manifest.Object)
	declared := own.Difference(ignored)
	claims = replaceOwn(claims, intent.FieldManager, declared)
	renderer := intent.renderer(p.Object, nil)
	formatter := claims.Formatter()
	names := renderer.Names(formatter)
	p.State = &PlannedState{
		View:          claims.CoOwners(names).Flatten(ownership.View{}),
		ManagedState:  renderer.State(dry.Object.Object, declared.Difference(projection.EmptyCollections(intent.Manifest.Object, declared)), formatter),
		UnknownOwners: unknownOwners(claims, intent, names),
	}
	p.State.UnknownValues = unknownValues(p.State.ManagedState, declared, intent, names)
	p.Unmatched = intent.explainUnmatched(intent.Ignore, dry.Object.Object, own)
	p.UnmatchedSensitive = intent.explainUnmatched(intent.Sensitive, dry.Object.Object, own)
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
