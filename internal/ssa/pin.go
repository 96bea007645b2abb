package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// gainsPins reports whether the apply that an answer is about brings values to pin about. If others wrote since the object was
// read, the values may be theirs, and unknown in Terraform's second plan alone: the next read finds them.
func (u *update) gainsPins(answer *unstructured.Unstructured, answered ownership.Claims) bool {
	if !u.asked.IsOfNewObject && answer.GetResourceVersion() != u.Prior.Snapshot.ResourceVersion {
		return false
	}
	return !u.Intent.NewPins(answer.Object, answered).Empty()
}

// pinning is an object that was just applied, and of which fields are to be pinned.
type pinning struct {
	id     manifest.Identity
	intent intents.Intent
	answer cluster.Applied
}

// claim claims the values that the object has in fields to pin: one PATCH, and none where there are no such values. body
// returns what to send, without the uid. Where it fails, the next plan pins them.
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
	answer, err := api.Apply(ctx, p.id, intents.WithUID(body(pinned), string(p.answer.Object.GetUID())), cluster.ApplyOptions{
		FieldManager: pinned.FieldManager, Force: pinned.OnConflict != intents.Fail,
	})
	if err != nil {
		return err
	}
	p.intent, p.answer = pinned, answer
	return nil
}

// unpinned is the warning of an apply that could not pin.
func unpinned(err error) Warning {
	return Warning("The object was applied, but the new values of its pinned fields could not be claimed: " + err.Error() + ". The next apply claims them.")
}
