package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// gainsPins reports whether the apply creates values to pin, by the answer of its dry-run. If others wrote since the object
// was read, it returns false: the values may be theirs, and would be unknown only in Terraform's second plan. The next read
// finds them.
func (u *update) gainsPins(answer *unstructured.Unstructured, answered ownership.Claims) bool {
	return !u.hasMoved(answer) && !u.Intent.NewPins(answer.Object, answered).Empty()
}

// hasMoved reports whether somebody has written to the object since it was read.
func (u *update) hasMoved(answer *unstructured.Unstructured) bool {
	return !u.asked.IsOfNewObject && answer.GetResourceVersion() != u.Prior.Snapshot.ResourceVersion
}

// lostMeanwhile returns the pinned fields that the server drops from the body because of what others wrote since the object was
// read. The first of Terraform's two plans may have seen them stay, so they count as if they did. The server drops the same
// fields from the body of our last apply, too. To find that out, lostMeanwhile sends one dry-run, and none if the server keeps
// all pins or the object has not changed.
func (u *update) lostMeanwhile(ctx context.Context, api cluster.Interface, answer *unstructured.Unstructured) *paths.Set {
	pins, last := u.Intent.Pins().Held(u.Prior.FilledBefore()), u.Prior.LastBody()
	if pins.IsEmpty() || last == nil || !u.hasMoved(answer) {
		return paths.NewSet()
	}
	lost := projection.WithoutValues(answer.Object, projection.WithValues(u.Body, pins.Fields))
	if lost.Empty() {
		return lost
	}
	again := u.DryRunUnderAnotherName(intents.WithUID(u.Prior.SentBefore(last, u.Known()), u.Prior.Snapshot.UID))
	dry, err := again.Send(ctx, api, u.Prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	return projection.WithoutValues(dry.Object.Object, projection.WithValues(again.Body, lost))
}

// pinning is an object that was just applied, and of which fields are to be pinned.
type pinning struct {
	id     manifest.Identity
	intent intents.Intent
	answer cluster.Applied
}

// claim claims the values that the object has in fields to pin: one PATCH, and none if there are no such values. body
// returns what to send, without the uid. The PATCH has no force: it fails if somebody has changed a field since the apply. If it
// fails, the next plan pins them.
func (p *pinning) claim(ctx context.Context, api cluster.Interface, body func(intents.Intent) map[string]any) error {
	if len(p.intent.Pin) == 0 {
		return nil
	}
	claims, err := record.ClaimsOf(p.id, p.answer.Object)
	if err != nil {
		return err
	}
	pinned := p.intent.Pinning(p.answer.Object.Object, p.intent.NewPins(p.answer.Object.Object, claims), claims)
	if !pinned.LacksPins(claims.Own(pinned.FieldManager)) {
		return nil
	}
	answer, err := api.Apply(ctx, p.id, intents.WithUID(body(pinned), string(p.answer.Object.GetUID())), cluster.ApplyOptions{FieldManager: pinned.FieldManager})
	if err != nil {
		return err
	}
	p.intent, p.answer = pinned, answer
	return nil
}

// unpinned returns the warning of an apply that could not pin.
func unpinned(err error) Warning {
	return Warning("The object was applied, but the new values of its pinned fields could not be claimed: " + err.Error() + ". The next apply claims them.")
}
