package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// Attempt is an apply to an object that exists, as the last read lets it expect.
type Attempt struct {
	intent Intent
	prior  record.Prior
	// claims are those of the last read, rewrite is made of them before the apply.
	claims  ownership.Claims
	rewrite ownership.Rewrite
	// kept are the fields whose values have to outlive the apply.
	kept *paths.Set
	body map[string]any
}

// NewAttempt returns the apply of an intent to the object of prior.
func NewAttempt(intent Intent, prior record.Prior) Attempt {
	prior = prior.Unmasked(intent.Manifest.Object)
	claims, previousManager := prior.Snapshot.Claims, prior.PreviousManager(intent.FieldManager)
	intent = intent.withIgnoredManagers(claims, previousManager, prior.Snapshot.Values)
	rewrite := intent.beforeApply(claims, previousManager)
	a := Attempt{intent: intent, prior: prior, claims: claims, rewrite: rewrite, kept: prior.KeptFields(rewrite)}
	a.body = intent.body(a.known(), prior.Snapshot.UID)
	return a
}

// previousManager returns the field manager of our last apply.
func (a Attempt) previousManager() string { return a.prior.PreviousManager(a.intent.FieldManager) }

// known returns all fields that the object was seen to have an owner of, or to have had.
func (a Attempt) known() *paths.Set { return a.claims.Fields().Union(a.kept) }
