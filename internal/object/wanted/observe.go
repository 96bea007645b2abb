package wanted

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Observe describes an object that we just applied as w wants it. The fields that we own now, and are not about to
// release, count as declared. answer is the server's answer to the apply, live the object after claims were rewritten.
func Observe(w Wanted, id manifest.Identity, answer, live *unstructured.Unstructured) (record.Observed, error) {
	prior := w.Prior
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return record.Observed{}, err
	}
	var lost paths.Patterns
	if len(w.IgnoreManagers) > 0 {
		left, others := w.IgnoredByManager, claims.Others(w.FieldManager).Fields().Leaves()
		values := w.Renderer(id, prior.Snapshot).Fingerprints(live.Object, others)
		// The apply may have changed what ignored managers own. With patterns from before it, the next plan would find
		// something pending.
		w = w.Ignoring(claims, w.FieldManager, values)
		lost = givenUp(w, left, claims)
	}
	own := claims.Own(w.FieldManager)
	declared := own.Difference(w.Released(own))
	answered, err := record.ClaimsOf(id, answer)
	if err != nil {
		return record.Observed{}, err
	}
	// In the answer, the initial values of ignored fields are still ours. In live, they may have no owner any more.
	kept := w.KeptBy(answered, prior.Snapshot.Fields, declared)
	carried := prior.Snapshot
	carried.Sensitive, carried.WriteOnly = paths.Texts(w.Sensitive), w.WriteOnly.Fields
	carried.Copied, carried.Doubtful = w.Copied(prior.Snapshot), nil
	carried.Before = ValuesBefore(w.Arguments, prior, declared)
	carried.Pins = w.PinsAfter(live.Object, claims, declared)
	observed, err := record.Describe(live, record.Observation{
		ID:           id,
		FieldManager: w.FieldManager,
		Fields: record.KnownFields{
			Declared: declared, Empty: projection.EmptyCollections(w.Manifest.Object, declared), Kept: kept,
			Added: AddedBy(w.Arguments, prior, declared), Filled: prior.Snapshot.Fields.Filled,
		},
		Owners:    prior.Owners,
		Carried:   carried,
		Pin:       w.Pin,
		Lists:     w.Lists(),
		IsPart:    w.IsPart,
		Remove:    w.Remove,
		Left:      w.Left(),
		Additions: prior.Additions,
		Body:      w.Stored().Object,
	})
	w.IgnoredByManager = slices.Concat(w.IgnoredByManager, lost)
	observed.Snapshot.IgnoredByManager = w.LeftTexts()
	// The values that the server or a webhook has made of ours count as applied. Only a later change is drift.
	observed.Snapshot.AppliedState, observed.Snapshot.Candidates = observed.Snapshot.LiveState, nil
	return observed, err
}
