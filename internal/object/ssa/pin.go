package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// gainsPins reports whether the apply creates values to pin, by the answer of its dry-run. If other managers wrote
// since the object was read, it returns false: the values may be theirs, and would be unknown only in Terraform's
// second plan. The next read finds them.
func (a *apply) gainsPins(answer *unstructured.Unstructured, answered ownership.Claims) bool {
	return !a.hasMoved(answer) && !a.wanted.NewPins(answer.Object, answered).Empty()
}

// hasMoved reports whether another client has written to the object since it was read.
func (a *apply) hasMoved(answer *unstructured.Unstructured) bool {
	return !a.asked.IsOfNewObject && answer.GetResourceVersion() != a.wanted.Prior.Snapshot.ResourceVersion
}

// changedMeanwhile returns the fields of our last apply that the server drops from the body, and those that it keeps,
// because of what other clients wrote since the object was read. The first of Terraform's two plans may have seen them
// as they were then, so they count as such. A dry-run shows that the server does the same with our last body.
func (a *apply) changedMeanwhile(
	ctx context.Context, api cluster.Interface, answer *unstructured.Unstructured,
) (lost, gained *paths.Set) {
	prior := a.wanted.Prior
	held, last := prior.FilledBefore(), prior.LastBody()
	if last == nil || !a.hasMoved(answer) {
		return paths.NewSet(), paths.NewSet()
	}
	fields := projection.WithValues(a.body, held.Leaves().Union(paths.OrEmpty(a.wanted.Pins.Held(held).Fields)))
	had, stale := prior.WithValues(fields, a.wanted.FieldManager)
	lost, gained = projection.WithoutValues(answer.Object, had), projection.WithValues(answer.Object, stale)
	if lost.Empty() && gained.Empty() {
		return lost, gained
	}
	again := a.dryRunUnderAnotherName(wanted.WithUID(prior.SentBefore(last, a.known()), prior.Snapshot.UID))
	dry, err := again.send(ctx, api, prior.Object)
	if err != nil {
		return paths.NewSet(), paths.NewSet()
	}
	kept := projection.WithValues(dry.Object.Object, fields)
	return projection.WithValues(again.Body, lost).Difference(kept), gained.Intersection(kept)
}

// pinning is an object that was just applied, and of which fields are to be pinned.
type pinning struct {
	id     manifest.Identity
	wanted wanted.Wanted
	answer cluster.Applied
}

// claim claims the values of the object in fields to pin, by one PATCH if there are any. body returns what to send,
// without the uid. The PATCH has no force: it fails if another client has changed a field since the apply. If it fails,
// the next plan pins them.
func (p *pinning) claim(ctx context.Context, api cluster.Interface, body func(wanted.Wanted) map[string]any) error {
	if len(p.wanted.Pin) == 0 {
		return nil
	}
	claims, err := record.ClaimsOf(p.id, p.answer.Object)
	if err != nil {
		return err
	}
	pinned := p.wanted.Pinning(p.answer.Object.Object, p.wanted.NewPins(p.answer.Object.Object, claims), claims)
	if !pinned.LacksPins(claims.Own(pinned.FieldManager)) {
		return nil
	}
	answer, err := api.Apply(ctx, p.id, wanted.WithUID(body(pinned), string(p.answer.Object.GetUID())),
		cluster.ApplyOptions{FieldManager: pinned.FieldManager})
	if err != nil {
		return err
	}
	p.wanted, p.answer = pinned, answer
	return nil
}

// unpinned returns the warning of an apply that could not pin.
func unpinned(err error) Warning {
	return Warning("The object was applied, but the new values of its pinned fields could not be claimed: " +
		err.Error() + ". The next apply claims them.")
}

// pinsRefused returns a *obstacles.PinsRefusedError, after up to three dry-runs, if a refusal is about pinned values.
func (a *apply) pinsRefused(ctx context.Context, api cluster.Interface, refusal error) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || !refusals.IsOfValues(refusal) || a.wanted.Pins.IsEmpty() {
		return nil
	}
	unpinned := *a
	unpinned.wanted = a.wanted.WithoutPins()
	written := a.dryRunUnderAnotherName(unpinned.wanted.Body(a.known(), a.wanted.Prior.Snapshot.UID))
	_, err := written.send(ctx, api, a.wanted.Prior.Object)
	if err != nil && (refusedAsNew(ctx, api, a) == nil || refusedAsNew(ctx, api, &unpinned) != nil) {
		return nil //nolint:nilerr // The pins make no difference.
	}
	pinned := obstacles.NamedPins(refusal, a.wanted.Pins).Text(a.wanted.LiveRenderer())
	return obstacles.PinsRefused(refused, refusal, slices.Sorted(maps.Keys(pinned)))
}
