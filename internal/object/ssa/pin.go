package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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

// lostMeanwhile returns the pinned fields that the server drops from the body because of what other clients wrote since
// the object was read. The first of Terraform's two plans may have seen them stay, so they count as if they did. The
// server drops the same fields from the body of our last apply, too. To find that out, lostMeanwhile sends one dry-run,
// and none if the server keeps all pins or the object has not changed.
func (a *apply) lostMeanwhile(
	ctx context.Context, api cluster.Interface, answer *unstructured.Unstructured,
) *paths.Set {
	pins, last := a.wanted.Pins.Held(a.wanted.Prior.FilledBefore()), a.wanted.Prior.LastBody()
	if pins.IsEmpty() || last == nil || !a.hasMoved(answer) {
		return paths.NewSet()
	}
	lost := projection.WithoutValues(answer.Object, projection.WithValues(a.body, pins.Fields))
	if lost.Empty() {
		return lost
	}
	again := a.dryRunUnderAnotherName(wanted.WithUID(a.wanted.Prior.SentBefore(last, a.known()),
		a.wanted.Prior.Snapshot.UID))
	dry, err := again.send(ctx, api, a.wanted.Prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	return projection.WithoutValues(dry.Object.Object, projection.WithValues(again.Body, lost))
}

// pinning is an object that was just applied, and of which fields are to be pinned.
type pinning struct {
	id     manifest.Identity
	wanted wanted.Wanted
	answer cluster.Applied
}

// claim claims the values that the object has in fields to pin: one PATCH, and none if there are no such values. body
// returns what to send, without the uid. The PATCH has no force: it fails if another client has changed a field since
// the apply. If it fails, the next plan pins them.
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
