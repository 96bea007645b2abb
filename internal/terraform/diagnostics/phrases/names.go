package phrases

import "time"

// Names are the names of a resource, or a data source, and its attributes. The name of an attribute that it does not
// have is "": sentences leave it out, and messages about that attribute alone are not reported.
type Names struct {
	// Noun is the kind of block in the configuration: "resource" or "data source".
	Noun string
	// Type is the name of the type, for blocks that the reader can copy.
	Type string
	// Target names the attributes that identify an object that has to exist: "its name and namespace". It is "" if the
	// resource creates, replaces and deletes the object.
	Target string
	// OpensInPlan is true if Terraform reads the block in the plan, regardless of depends_on.
	OpensInPlan bool

	// Body is the attribute with the fields to apply. If a configuration can use one of two attributes for them, Body
	// is the one that it uses.
	Body string
	// Patch is the attribute with a patch that is sent instead of Body and is not server-side apply.
	Patch string
	// WriteOnlyBody is the attribute with fields that are applied with Body and stored nowhere.
	WriteOnlyBody string

	// The other arguments.
	AdoptExisting string
	Cluster       string
	// ImportPrefix begins the import IDs of objects on the resource's cluster: "cluster=prod,"; "" if the cluster has
	// no name.
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
	// Optional is the argument that allows the object to be absent.
	Optional         string
	RemoveFields     string
	SensitiveFields  string
	TakeOverManagers string
	// WriteOnlyVersion says whether the values of WriteOnlyBody are sent.
	WriteOnlyVersion string

	// The computed attributes.
	FieldOwnership string
	ManagedState   string

	// Timeouts is the block of timeouts. Without it, FixedTimeout is the time that an operation may take.
	Timeouts     string
	FixedTimeout time.Duration
}

// IgnoreLine returns the line of a configuration that ignores fields.
func (n Names) IgnoreLine(fields []string) string {
	return Given(n.IgnoreFields, "  "+n.IgnoreFields+" = ["+QuoteList(fields)+"]")
}

// Given returns text if attribute is not "", and "" otherwise.
func Given(attribute, text string) string {
	if attribute == "" {
		return ""
	}
	return text
}
