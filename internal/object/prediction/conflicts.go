package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Conflict is a value that is not ours and that the apply changes or removes, as both of Terraform's plans know it: from
// the state, its snapshot and the answer to the dry-run, and not from the live object.
type Conflict struct {
	Field  string
	Effect ConflictEffect
	// Before and After are the values as managed_state shows them; nil if there is none, or if it is not recorded.
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

// conflict returns a change as a conflict; false if it is none.
func (f fieldDiff) conflict(path paths.Path, change Change) (Conflict, bool) {
	renderer := f.Wanted.LiveRenderer()
	found := Conflict{
		Field: renderer.Names(f.formatter).Format(path), Owners: change.Others,
		Before: valueRecorded(f.Wanted.Prior, f.priorField(path), renderer, path),
	}
	switch {
	case change.Transition == ownership.Removing:
		found.Effect = Removes
		return found, true
	case !change.Transition.IsConflict():
		return Conflict{}, false
	case len(change.Others) == 0:
		found.Effect = SetsBack
	case change.Transition == ownership.Retaking:
		found.Effect = TakesBack
	default:
		found.Effect = Takes
	}
	return found, true
}

// valueRecorded returns the value of a field that the state or its snapshot has; nil without one.
func valueRecorded(prior record.Prior, field string, renderer rendering.Renderer, path paths.Path) *string {
	prior.Live = nil
	value := valueBefore(prior, field, renderer, path)
	if value == noValue || value == anotherValue {
		return nil
	}
	return &value
}

// withValues returns conflicts with the values that the apply gives the fields.
func (s PlannedState) withValues(conflicts []Conflict) []Conflict {
	for i := range conflicts {
		c := &conflicts[i]
		if value, has := s.ManagedState[c.Field]; has && c.Effect != Removes {
			c.After = &value
		}
		c.AfterUnknown = slices.Contains(s.UnknownValues, c.Field)
	}
	return conflicts
}
