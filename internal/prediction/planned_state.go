package prediction

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"

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
	// UnknownValues are the keys of ManagedState whose value is known after the apply only: digests for which
	// there is no key yet, write-only values, and values that the configuration does not know yet.
	UnknownValues []string
	// UnknownOwners are the fields whose owners are known after the apply only, because others hold them and
	// their value is write-only, or not known yet.
	UnknownOwners []string
}

// Foresight says whether a plan knows who will own what.
type Foresight string

// What a plan foresees of the owners.
const (
	// Foreseen: the planned state's View is what the apply leaves.
	Foreseen Foresight = ""
	// Unforeseen: nobody owns anything, and the server will make a manager "before-first-apply" of what
	// the object has at the time of the apply; or somebody owns fields in another version of the kind.
	Unforeseen Foresight = "Unforeseen"
)
