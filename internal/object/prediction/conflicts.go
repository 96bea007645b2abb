package prediction

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"

// Conflict is a value that is not ours and that the apply changes or removes, as both of Terraform's plans know it:
// from the state, its snapshot and the answer to the dry-run, and not from the live object.
type Conflict struct {
	Field  string
	Effect ConflictEffect
	// Before and After are the values as managed_state shows them; nil without a value, or if it is not recorded.
	Before, After *string
	// AfterUnknown is true if After is known only after the apply.
	AfterUnknown bool
	// Owners lose the field; empty if nobody else owns it.
	Owners []ownership.Holder
}

// ConflictEffect is what an apply does to a value that is not ours.
type ConflictEffect string

// The effects.
const (
	// Takes: other managers own the field with another value.
	Takes ConflictEffect = "take"
	// TakesBack: the same, and the field was ours with the value that the apply gives it again.
	TakesBack ConflictEffect = "take-back"
	// SetsBack: the value was changed since the last apply, and nobody else owns it.
	SetsBack ConflictEffect = "set-back"
	// Removes: other managers own the field, and it goes.
	Removes ConflictEffect = "remove"
)
