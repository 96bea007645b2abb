package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// PlannedState are the computed attributes after the apply.
type PlannedState struct {
	// View is empty if Owners is Unforeseen.
	View         ownership.View
	Owners       Foresight
	ManagedState map[string]string
	// Pinned are the values that pin_fields pins, by field.
	Pinned map[string]string
	// Added are the paths of the outermost fields that we add, as sorted strings.
	Added []string
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
}

// OrAsBefore returns what is known in both of two cases: the apply leaves this state, or nothing has to be applied and
// the state of prior stays.
func (s PlannedState) OrAsBefore(prior record.Prior) PlannedState {
	for field, owner := range s.View.FieldOwnership {
		was, has := prior.View.FieldOwnership[field]
		if !has {
			s.Owners = Unforeseen
		}
		if was != owner || !slices.Equal(s.View.CoOwners[field], prior.View.CoOwners[field]) {
			s.UnknownOwners = append(s.UnknownOwners, field)
		}
	}
	if len(s.View.FieldOwnership) != len(prior.View.FieldOwnership) {
		s.Owners = Unforeseen
	}
	for field, value := range s.ManagedState {
		was, has := prior.ManagedState[field]
		s.FieldsUnknown = s.FieldsUnknown || !has
		if was != value {
			s.UnknownValues = append(s.UnknownValues, field)
		}
	}
	s.FieldsUnknown = s.FieldsUnknown || len(s.ManagedState) != len(prior.ManagedState)
	cluster.SortUnique(&s.UnknownOwners)
	cluster.SortUnique(&s.UnknownValues)
	return s
}

// Foresight describes whether a plan knows the owners after the apply.
type Foresight string

// The kinds of foresight.
const (
	// Foreseen: the View of the planned state is the one after the apply.
	Foreseen Foresight = ""
	// Unforeseen: no manager owns anything, and the server will make a manager "before-first-apply" the owner of all
	// fields that the object has at the time of the apply; or a manager owns fields in another version of the kind.
	Unforeseen Foresight = "Unforeseen"
)
