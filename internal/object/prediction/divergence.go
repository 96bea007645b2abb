package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Divergence returns the declared fields that an apply left with another value than its plan showed, or without an
// owner that the plan showed, because other clients wrote in between, sorted. An owner that was added in between shares
// our value, and is not listed.
func Divergence(planned PlannedState, observed record.Observed) []string {
	var fields []string
	for field, value := range planned.ManagedState {
		// The plan of a new object has no key for digests, so it shows secret values as redacted.
		if observed.ManagedState[field] != value && value != rendering.Redacted {
			fields = append(fields, field)
			continue
		}
		if len(planned.Owners.Lost(observed.Owners, field)) > 0 {
			fields = append(fields, field)
		}
	}
	for field := range observed.ManagedState {
		if _, was := planned.ManagedState[field]; was {
			continue
		}
		undisclosed := slices.Contains(planned.UnknownValues, field)
		if !undisclosed || len(planned.Owners.Lost(observed.Owners, field)) > 0 {
			fields = append(fields, field)
		}
	}
	return sortUnique(fields)
}
