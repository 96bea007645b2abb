package prediction

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
)

// Transfer is a field that gets another owner.
type Transfer struct {
	Field string
	// From is "" for a field that no manager owned, or that is new.
	From, To string
}

// Transfers returns the fields whose shown owner changes, in order of their paths.
func Transfers(before, after ownership.View) []Transfer {
	var all []Transfer
	for _, field := range slices.Sorted(maps.Keys(after.FieldOwnership)) {
		from, to := before.FieldOwnership[field], after.FieldOwnership[field]
		if from != to {
			all = append(all, Transfer{Field: field, From: from, To: to})
		}
	}
	return all
}
