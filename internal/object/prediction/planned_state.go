package prediction

import (
	"maps"
	"reflect"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// PlannedState are the computed attributes after the apply.
type PlannedState struct {
	// Owners are not certain if OwnersUnknown is true. Unwanted are empty: the apply removes them.
	record.Shown
	Unknown
	// Conflicts are the values of other managers that the apply changes or removes, each field once, and values that no
	// other manager owns and that the apply sets back. Both of Terraform's plans know them, with the Was of the state.
	Conflicts []ownership.Change `json:"-"`
	// AddedByOthers are Additions with their paths and owners.
	AddedByOthers []Addition `json:"-"`
	// Rewritten are values that stay in the manifest and that the server changes. ManagedState shows it.
	Rewritten []ownership.Change `json:"-"`
	// Removed are fields of ours alone that are removed with the manifest.
	Removed []ownership.Change `json:"-"`
	// ConflictsUnknown is true if the configuration does not know all values of the object yet.
	ConflictsUnknown bool `json:"-"`
}

// Unknown is what of a PlannedState is known only after the apply.
type Unknown struct {
	// OwnersUnknown is true in four cases. No manager owns anything: the server makes a manager "before-first-apply"
	// the owner of all fields that the object contains at the time of the apply. A manager owns fields in another
	// version of the kind. The apply removes obstacles that have owners. It is not known whether anything has to be
	// applied, and the apply would change the owners or the additions.
	OwnersUnknown bool
	// PinsUnknown is true if the apply may pin values that are not known yet. Then the other maps are not known either.
	PinsUnknown bool
	// FieldsUnknown is true if it is not known which fields the object will have. Then no map is known.
	FieldsUnknown bool
	// UnknownValues are the keys of ManagedState whose value is known only after the apply: digests whose key does not
	// exist yet, write-only values that the apply sends, and values that the configuration does not know yet.
	UnknownValues []string
	// UnknownOwners are the fields whose owners are known only after the apply, because other managers hold them and
	// their value is write-only, or not known yet.
	UnknownOwners []string
}

// KnowsConflicts reports whether the apply will have exactly these conflicts.
func (s PlannedState) KnowsConflicts() bool {
	return !s.ConflictsUnknown && !s.OwnersUnknown && !s.PinsUnknown && !s.FieldsUnknown && len(s.UnknownOwners) == 0
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
	if len(s.Owners.FieldOwnership) != len(prior.Owners.FieldOwnership) ||
		!reflect.DeepEqual(s.Additions, prior.Additions) {
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

// Divergence returns the declared fields that an apply left with another value than its plan showed, or without an
// owner that the plan showed, because other clients wrote in between, sorted. An owner that was added in between shares
// our value, and is not listed.
func Divergence(planned PlannedState, observed record.Observed) []string {
	var fields []string
	for field, value := range planned.ManagedState {
		// No key for digests exists in the plan of a new object, so it shows secret values as redacted.
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

// Transfers returns the fields whose shown owner changes, sorted by path, with the names of the owners before and
// after: "" for a field without an owner, and for a new field.
func Transfers(before, after ownership.View) []ownership.Change {
	var all []ownership.Change
	for _, field := range slices.Sorted(maps.Keys(after.FieldOwnership)) {
		from, to := before.FieldOwnership[field], after.FieldOwnership[field]
		if from != to {
			all = append(all, ownership.Change{Field: field, Was: from, Becomes: to})
		}
	}
	return all
}
