package ssa

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// observeApplied describes an object that we just applied. The fields that we own now, and are not about to
// release, count as declared. answer is the server's answer to the apply, live the object after claims were rewritten.
func observeApplied(live, answer *unstructured.Unstructured, intent intents.Intent, id manifest.Identity, prior record.Prior) (record.Observed, error) {
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return record.Observed{}, err
	}
	if len(intent.IgnoreManagers) > 0 {
		others := claims.Others(intent.FieldManager).Fields().Leaves()
		values := intent.Renderer(id, prior.Snapshot).Fingerprints(live.Object, others)
		intent = intent.WithIgnoredManagers(claims, intent.FieldManager, values)
	}
	own := claims.Own(intent.FieldManager)
	declared := own.Difference(intent.Released(own))
	answered, err := record.ClaimsOf(id, answer)
	if err != nil {
		return record.Observed{}, err
	}
	kept := intent.KeptBy(answered, prior.Snapshot.Fields, declared)
	carried := prior.Snapshot
	carried.Sensitive, carried.WriteOnly = record.Texts(intent.Sensitive), intent.WriteOnly.Fields
	carried.Copied, carried.Doubtful = intent.Copied(prior.Snapshot), nil
	carried.Before = intent.ValuesBefore(prior, declared)
	carried.Pins = intent.PinsAfter(live.Object, declared)
	observed, err := record.Describe(live, record.Observation{
		ID:           id,
		FieldManager: intent.FieldManager,
		Fields:       record.KnownFields{Declared: declared, Empty: projection.EmptyCollections(intent.Manifest.Object, declared), Kept: kept, Added: intent.AddedBy(prior, declared)},
		Shown:        prior.View,
		Carried:      carried,
		Pin:          intent.Pin,
		Lists:        intent.Limited(),
		IsPart:       intent.IsPart,
		Remove:       intent.Remove,
	})
	observed.Snapshot.IgnoredByManager = intent.LeftTexts()
	observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	return observed, err
}
