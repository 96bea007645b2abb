package phrases

import "time"

// Names are what a resource, or a data source, calls itself and its attributes. An attribute that it does not have is
// "": sentences leave it out, and what is about that attribute alone is not reported.
type Names struct {
	// Noun is what the configuration calls such a block: "resource" or "data source".
	Noun string
	// Type is the name of the type, for blocks that the reader can copy.
	Type string
	// Target says which attributes name an object that has to exist: "its name and namespace". It is "" if the resource
	// creates, replaces and deletes the object.
	Target string
	// OpensInPlan says that the block is read in the plan, whatever depends_on says.
	OpensInPlan bool

	// Body has the fields that are applied. Where a configuration can write them into one of two attributes, it is the
	// one that it has written.
	Body string
	// Patch has what is sent instead of Body: a patch that is not server-side apply.
	Patch string
	// WriteOnlyBody adds fields to Body that are stored nowhere.
	WriteOnlyBody string

	// The other arguments.
	AdoptExisting string
	Cluster       string
	// ImportPrefix begins the import IDs of objects on the resource's cluster: "cluster=prod,"; "" if the cluster has no name.
	ImportPrefix     string
	DeleteProtection string
	FieldManager     string
	ForceDestroy     string
	IgnoreFields     string
	PinFields        string
	Repin            string
	ListLengths      string
	OnConflict       string
	OnDestroy        string
	// Optional says that an object that is absent is no error.
	Optional         string
	RemoveFields     string
	SensitiveFields  string
	TakeOverManagers string

	// The computed attributes.
	FieldOwnership string
	ManagedState   string

	// Timeouts is the block of timeouts. Without it, FixedTimeout is how long an operation may take.
	Timeouts     string
	FixedTimeout time.Duration
}

// IgnoreLine returns the line of a configuration that ignores fields.
func (n Names) IgnoreLine(fields []string) string {
	return Given(n.IgnoreFields, "  "+n.IgnoreFields+" = ["+QuoteList(fields)+"]")
}

// Given returns text if there is such an attribute, and "" otherwise.
func Given(attribute, text string) string {
	if attribute == "" {
		return ""
	}
	return text
}
