package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Attempt is an apply to an existing object, as the last read saw it.
type Attempt struct {
	Intent intents.Intent
	Prior  record.Prior
	// Claims are those of the last read. Rewrite is their rewrite before the apply.
	Claims  ownership.Claims
	Rewrite ownership.Rewrite
	// Kept are the fields whose values have to outlive the apply.
	Kept *paths.Set
	Body map[string]any
	// Guesses is true if Body contains values that our last apply did not send, because the values of the configuration
	// are not known yet.
	Guesses bool
}

// NewAttempt returns the apply of an intent to the object of prior.
func NewAttempt(intent intents.Intent, prior record.Prior) Attempt {
	intent, guesses := intent.WithStandIns(prior)
	prior = prior.Unmasked(intent.Manifest.Object)
	intent = intent.WithPins(prior).TakingOverSource(prior)
	claims, previousManager := prior.Snapshot.Claims, prior.PreviousManager(intent.FieldManager)
	intent = intent.WithIgnoredManagers(claims, previousManager, prior.Snapshot.Values)
	intent = intent.WithLeaving(prior)
	rewrite := intent.BeforeApply(claims, previousManager)
	a := Attempt{Intent: intent, Prior: prior, Claims: claims, Rewrite: rewrite, Kept: prior.KeptFields(rewrite), Guesses: guesses}
	a.Body = intent.Body(a.Known(), prior.Snapshot.UID)
	return a
}

// PreviousManager returns the field manager of our last apply.
func (a Attempt) PreviousManager() string { return a.Prior.PreviousManager(a.Intent.FieldManager) }

// WhenPruneRefused returns Rewrite for the case that the server refuses what would remain of a field that leaves the
// body, see [intents.Intent.WhenPruneRefused].
func (a Attempt) WhenPruneRefused(refusal error) ownership.Rewrite {
	return a.Intent.WhenPruneRefused(a.Claims, a.PreviousManager(), refusal)
}

// Known returns all fields of the object that are known to have, or to have had, an owner.
func (a Attempt) Known() *paths.Set { return a.Claims.Fields().Union(a.Kept) }
