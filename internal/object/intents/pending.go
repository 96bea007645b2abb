package intents

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Pending reports whether anything about the object differs from what our last apply left: the manifest,
// the patterns, the field manager, what we own, a declared value, what is left to managers that are
// ignored, or a share of managers that are taken over. A value that is not known yet counts as different. It sends no request.
func Pending(intent Intent, prior record.Prior) bool {
	if intent.IsUndecided() || prior.Snapshot.AppliedState == "" || !intent.isSet(prior.Settings) || !slices.Equal(prior.Snapshot.WriteOnly, intent.WriteOnly.Fields) {
		return true
	}
	if intent.Patch != nil {
		return prior.Snapshot.IsLost() || prior.Snapshot.Patched.IsPending()
	}
	prior = prior.Unmasked(intent.Manifest.Object)
	intent = intent.WithPins(prior).TakingOverSource(prior)
	snapshot := prior.Snapshot
	claims, fields := snapshot.Claims, snapshot.Fields
	theirs := record.OwnedInParts(fields.Empty, claims, intent.FieldManager)
	own, declared := claims.Own(intent.FieldManager), paths.OrEmpty(fields.Declared).RecursiveDifference(snapshot.Pins.Gone(claims))
	if !own.Difference(theirs).Equals(declared.Difference(theirs)) {
		return true
	}
	intent = intent.WithIgnoredManagers(claims, prior.PreviousManager(intent.FieldManager), snapshot.Values)
	if intent.removesEntries(prior, claims) {
		return true
	}
	if len(intent.Remove) > 0 && !paths.OrEmpty(fields.Unwanted).Empty() {
		return true
	}
	if intent.pinsPending(own) {
		return true
	}
	if !slices.Equal(intent.LeftTexts(), snapshot.IgnoredByManager) || intent.AfterApply(claims).Changes(claims) {
		return true
	}
	return snapshot.LiveState != snapshot.AppliedState
}

// isSet reports whether the arguments of the intent are those of the last apply.
func (i Intent) isSet(last record.Settings) bool {
	if i.Patch != nil && i.Patch.Text != last.Body || i.Patch == nil && !i.stored().IsText(last.Body) || last.FieldManager != i.FieldManager {
		return false
	}
	if !slices.Equal(record.Texts(i.Sensitive), last.Sensitive) || last.WriteOnlyVersion != i.WriteOnly.Version {
		return false
	}
	if !slices.Equal(record.Texts(i.Remove), last.Remove) {
		return false
	}
	return slices.Equal(record.Texts(i.Ignore), last.Ignore) && slices.Equal(record.Texts(i.Pin), last.Pin) && last.Repin == i.Repin
}
