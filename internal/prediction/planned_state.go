package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// PlannedState are the computed attributes after the apply.
type PlannedState struct {
	// View is empty where Owners is Unforeseen.
	View         ownership.View
	Owners       Foresight
	ManagedState map[string]string
	// Pinned are the values that pin_fields holds, by field.
	Pinned map[string]string
	// Added are the texts of the outermost fields that we add, sorted.
	Added []string
	// PinsUnknown says that the apply may pin values which are not known yet, so that the other maps are not known either.
	PinsUnknown bool
	// FieldsUnknown says that it is not known which fields the object will have, so that no map is known.
	FieldsUnknown bool
	// UnknownValues are the keys of ManagedState whose value is known only after the apply: digests for which
	// there is no key yet, write-only values that the apply sends, and values that the configuration does not know yet.
	UnknownValues []string
	// UnknownOwners are the fields whose owners are known only after the apply, because others hold them and
	// their value is write-only, or not known yet.
	UnknownOwners []string
}

// OrAsBefore returns what is known in both cases: the apply leaves this state, or nothing has to be applied and the state of prior
// stays.
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

// Foresight says whether a plan knows who will own what.
type Foresight string

// What a plan foresees of the owners.
const (
	// Foreseen: the planned state's View is what the apply leaves.
	Foreseen Foresight = ""
	// Unforeseen: nobody owns anything, and the server will make a manager "before-first-apply" the
	// owner of what the object has at the time of the apply; or somebody owns fields in another version of the kind.
	Unforeseen Foresight = "Unforeseen"
)
