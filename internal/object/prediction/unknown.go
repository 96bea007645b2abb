package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// UnknownValues returns the keys of state whose value is known only after the apply, sorted: secret values for
// which there is no key yet, those that the configuration does not know yet, and write-only ones that the apply sends to the
// object of prior. These are the same afterwards, but the plan shows by it that the apply sets them.
func UnknownValues(
	state map[string]string, applied *paths.Set, intent intents.Intent, prior record.Prior, names rendering.Formatter,
) []string {
	var fields []string
	for field, value := range state {
		if value == rendering.Redacted {
			fields = append(fields, field)
		}
	}
	sent := intent.SentWriteOnly(prior)
	undecided, _ := intent.UndecidedFields(applied)
	paths.Walk(applied, func(path paths.Path, _ bool) {
		field := names.Format(path)
		if _, shown := state[field]; shown && (sent.Match(path) || undecided.Has(path)) {
			fields = append(fields, field)
		}
	})
	cluster.SortUnique(&fields)
	return fields
}

// mayChange returns a function that reports whether Terraform's second plan may give one of fields another value: a write-only
// one, or one that is not known yet.
func mayChange(intent intents.Intent, fields *paths.Set) func(path paths.Path) bool {
	writeOnly := record.PatternsOf(intent.WriteOnly.Fields)
	undecided, _ := intent.UndecidedFields(fields)
	return func(path paths.Path) bool { return writeOnly.Match(path) || undecided.Has(path) }
}

// UnknownOwners returns the fields that other managers hold and whose value is write-only or not known yet, sorted.
// Their owners after the apply depend on the value.
func UnknownOwners(claims ownership.Claims, applied *paths.Set, intent intents.Intent, names rendering.Formatter) []string {
	var fields []string
	mayChange := mayChange(intent, applied)
	paths.Walk(claims.Others(intent.FieldManager).Fields(), func(path paths.Path, _ bool) {
		if mayChange(path) {
			fields = append(fields, names.Format(path))
		}
	})
	cluster.SortUnique(&fields)
	return fields
}

// WriteOnlyDiffers returns a function that reports whether a body gives a write-only field another value than the object of
// prior has. If this run has not read the object, a field counts as different if we do not own it, or if the version is new.
func WriteOnlyDiffers(intent intents.Intent, prior record.Prior, body map[string]any) func(path paths.Path) bool {
	given := projection.NewReader(body)
	if prior.Live != nil {
		live := projection.NewReader(prior.Live)
		return func(path paths.Path) bool {
			wanted, _ := given.Lookup(path)
			value, _ := live.Lookup(path)
			return projection.Fingerprint(wanted) != projection.Fingerprint(value)
		}
	}
	isNew := intent.WriteOnly.Version != prior.Settings.WriteOnlyVersion
	own := prior.Snapshot.Claims.Own(prior.PreviousManager(intent.FieldManager))
	return func(path paths.Path) bool { return isNew || !own.Has(path) }
}
