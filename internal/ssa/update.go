package ssa

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// update is an apply to an object that exists, as a plan tries it and as the apply does it.
type update struct {
	intent Intent
	prior  record.Prior
	// claims are those of the last read, rewrite is made of them before the apply.
	claims  ownership.Claims
	rewrite ownership.Rewrite
	// meets are the claims that the apply meets.
	meets ownership.Claims
	// kept are the fields whose values have to outlive the apply.
	kept *paths.Set
	body map[string]any

	// asked is what a plan asks the server.
	asked dryRun

	// planned is the plan that an apply carries out.
	planned Plan
	// version is the resourceVersion of the object that the plan knows, or that was looked at since; "" where it
	// is not known. overwritten is what others wrote in between.
	version     string
	overwritten []Overwritten
	// done is the object where nothing is left to apply, and nobody owns anything of it: the server would make up a
	// manager for it. It is nil otherwise.
	done *unstructured.Unstructured
}

// newUpdate returns the apply of an intent as the last read lets it expect.
func newUpdate(intent Intent, prior record.Prior) *update {
	prior = prior.Unmasked(intent.Manifest.Object)
	claims, previousManager := prior.Snapshot.Claims, prior.PreviousManager(intent.FieldManager)
	intent = intent.withIgnoredManagers(claims, previousManager, prior.Snapshot.Values)
	rewrite := intent.beforeApply(claims, previousManager)
	u := &update{
		intent: intent, prior: prior, claims: claims, rewrite: rewrite, meets: rewrite.Claims(claims),
		kept: prior.KeptFields(rewrite),
	}
	u.body = intent.body(u.known(), prior.Snapshot.UID)
	return u
}

// previousManager returns the field manager of our last apply.
func (u *update) previousManager() string { return u.prior.PreviousManager(u.intent.FieldManager) }

// known returns all fields that the object was seen to have an owner of, or to have had.
func (u *update) known() *paths.Set { return u.claims.Fields().Union(u.kept) }

// dryRun asks the server what the apply will make of the body, and once more where a repair helps.
func (u *update) dryRun(ctx context.Context, api cluster.Interface) (cluster.Applied, error) {
	u.asked = u.intent.dryRun(u.prior, u.claims, u.rewrite, u.body, u.kept)
	dry, err := u.asked.send(ctx, api, u.prior.Object)
	for _, repair := range repairs {
		if repair.recognizes(u, err) {
			return repair.dryRun(ctx, api, u, err)
		}
	}
	return dry, err
}
