package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// PlannedState are the computed attributes after the apply.
type PlannedState struct {
	// Owners are not certain if OwnersUnknown is true. Unwanted are empty: the apply removes them.
	record.Shown
	// OwnersUnknown is true if no manager owns anything, so that the server makes a manager "before-first-apply" the
	// owner of all fields that the object has at the time of the apply, if a manager owns fields in another version of
	// the kind, or if the apply removes obstacles that have owners.
	OwnersUnknown bool
	// PinsUnknown is true if the apply may pin values that are not known yet. Then the other maps are not known either.
	PinsUnknown bool
	// FieldsUnknown is true if it is not known which fields the object will have. Then no map is known.
	FieldsUnknown bool
	// UnknownValues are the keys of ManagedState whose value is known only after the apply: digests for which
	// there is no key yet, write-only values that the apply sends, and values that the configuration does not know yet.
	UnknownValues []string
	// UnknownOwners are the fields whose owners are known only after the apply, because other managers hold them and
	// their value is write-only, or not known yet.
	UnknownOwners []string
	// Conflicts are the values of others that the apply changes or removes, each field once.
	Conflicts []Conflict `json:"-"`
	// Rewritten is what the server makes of values that stay in the manifest. ManagedState shows it.
	Rewritten []Change `json:"-"`
	// ConflictsUnknown is true if the configuration does not know all values of the object yet.
	ConflictsUnknown bool `json:"-"`
}

// KnowsConflicts reports whether the apply will have exactly these conflicts.
func (s PlannedState) KnowsConflicts() bool {
	return !s.ConflictsUnknown && !s.OwnersUnknown && !s.PinsUnknown && !s.FieldsUnknown && len(s.UnknownOwners) == 0
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

// OrAsBefore returns what is known in both of two cases: the apply leaves this state, or nothing has to be applied and
// the state of prior stays.
func (s PlannedState) OrAsBefore(prior record.Prior) PlannedState {
	for field, owner := range s.Owners.FieldOwnership {
		was, has := prior.Owners.FieldOwnership[field]
		if !has {
			s.OwnersUnknown = true
		}
		if was != owner || !slices.Equal(s.Owners.CoOwners[field], prior.Owners.CoOwners[field]) {
			s.UnknownOwners = append(s.UnknownOwners, field)
		}
	}
	if len(s.Owners.FieldOwnership) != len(prior.Owners.FieldOwnership) {
		s.OwnersUnknown = true
	}
	for field, value := range s.ManagedState {
		was, has := prior.ManagedState[field]
		s.FieldsUnknown = s.FieldsUnknown || !has
		if was != value {
			s.UnknownValues = append(s.UnknownValues, field)
		}
	}
	s.FieldsUnknown = s.FieldsUnknown || len(s.ManagedState) != len(prior.ManagedState)
	s.ConflictsUnknown = true
	s.UnknownOwners, s.UnknownValues = sortUnique(s.UnknownOwners), sortUnique(s.UnknownValues)
	return s
}

// sortUnique returns values sorted, each once. It may change values.
func sortUnique(values []string) []string {
	slices.Sort(values)
	return slices.Compact(values)
}
