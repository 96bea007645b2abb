package ssa

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// observeApplied reads an object that we just applied: what we own of it now, and are not about to
// release, is what we declare. answer is what the apply was answered with, live the object after claims were
// rewritten.
func observeApplied(live, answer *unstructured.Unstructured, intent Intent, id manifest.Identity, prior Prior) (Observed, error) {
	claims, err := claimsOf(id, live)
	if err != nil {
		return Observed{}, err
	}
	if len(intent.IgnoreManagers) > 0 {
		others := claims.Others(intent.FieldManager).Fields().Leaves()
		values := intent.renderer(id, prior.Snapshot.DigestKey).Fingerprints(live.Object, others)
		intent = intent.withIgnoredManagers(claims, intent.FieldManager, values)
	}
	own := claims.Own(intent.FieldManager)
	ignored, _ := projection.Covered(own, intent.ignored(), intent.Manifest.Object)
	declared := own.Difference(ignored)
	answered, err := claimsOf(id, answer)
	if err != nil {
		return Observed{}, err
	}
	kept, err := intent.keptBy(answered, prior.Snapshot, declared)
	if err != nil {
		return Observed{}, unreadable(id, err)
	}
	carried := prior.Snapshot
	carried.Sensitive, carried.WriteOnly = texts(intent.Sensitive), intent.WriteOnly.Fields
	observed, err := describe(live, observation{
		id:           id,
		fieldManager: intent.FieldManager,
		fields:       knownFields{declared: declared, empty: emptyCollections(intent.Manifest.Object, declared), kept: kept},
		shown:        prior.View,
		carried:      carried,
	})
	observed.Snapshot.IgnoredByManager = intent.leftTexts()
	observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	return observed, err
}

// keptBy returns the fields that an apply left to others or released, together with those that the applies
// before it did, without what we declare. answered are the claims in the answer of the apply.
func (i Intent) keptBy(answered ownership.Claims, before Snapshot, declared *paths.Set) (*paths.Set, error) {
	fields, err := before.fields()
	if err != nil {
		return nil, err
	}
	held := answered.Fields().Union(fields.declared).Union(fields.kept)
	ignored, _ := projection.Covered(held, i.ignored(), i.Manifest.Object)
	return fields.kept.Union(ignored).Difference(declared), nil
}
