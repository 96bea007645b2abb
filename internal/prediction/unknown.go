package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
)

// UnknownValues returns the keys of state whose value is known after the apply only, sorted: secret values for
// which there is no key yet, and write-only ones, which Terraform's second plan may give other values.
func UnknownValues(state map[string]string, applied *paths.Set, intent intents.Intent, names rendering.Formatter) []string {
	var fields []string
	for field, value := range state {
		if value == rendering.Redacted {
			fields = append(fields, field)
		}
	}
	writeOnly := record.PatternsOf(intent.WriteOnly.Fields)
	paths.Walk(applied, func(path paths.Path, _ bool) {
		field := names.Format(path)
		if _, shown := state[field]; shown && writeOnly.Match(path) {
			fields = append(fields, field)
		}
	})
	cluster.SortUnique(&fields)
	return fields
}

// UnknownOwners returns the fields that others hold and whose value is write-only, sorted: who owns them after the
// apply depends on the value.
func UnknownOwners(claims ownership.Claims, intent intents.Intent, names rendering.Formatter) []string {
	var fields []string
	writeOnly := record.PatternsOf(intent.WriteOnly.Fields)
	paths.Walk(claims.Others(intent.FieldManager).Fields(), func(path paths.Path, _ bool) {
		if writeOnly.Match(path) {
			fields = append(fields, names.Format(path))
		}
	})
	cluster.SortUnique(&fields)
	return fields
}
