package diagnostics

import (
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

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
	// ByManager is the field manager that [Names.About] names next to an object, and OnCluster the cluster. They are ""
	// if they are the provider's own.
	ByManager, OnCluster string
	// KnownInApply is a value that the plan which creates an object does not know, if Terraform reads the block in the
	// plan, regardless of depends_on; "" if it does not.
	KnownInApply string

	// IsSet is true if the resource manages many objects. No import takes a single one then.
	IsSet bool

	// Body is the attribute with the fields to apply. If a configuration can use one of two attributes for them, Body
	// is the one that it uses.
	Body string
	// Patch is the attribute with a patch that is sent instead of Body and is not server-side apply.
	Patch string
	// WriteOnlyBody is the attribute with fields that are applied with Body and stored nowhere.
	WriteOnlyBody string
	// SentUnstored is WriteOnlyBody if the resource uses it; "" otherwise.
	SentUnstored string

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
	// IgnoredByRule is IgnoreFields as an argument of rules, for a resource that has it only there.
	IgnoredByRule string
	PinFields     string
	Repin         string
	ListLengths   string
	OnAddition    string
	OnConflict    string
	OnDestroy     string
	Once          string
	Successor     string
	// Optional is the argument that allows the object to be absent.
	Optional         string
	RemoveFields     string
	SensitiveFields  string
	TakeOverManagers string
	// WriteOnlyVersion reports whether the values of WriteOnlyBody are sent.
	WriteOnlyVersion string

	// The computed attributes.
	FieldOwnership string
	ManagedState   string

	// RuleOf returns the rule that adds what concerns subject to an argument; see
	// [rules.Added.By]. It is nil without rules.
	RuleOf func(argument, subject string) string

	// PlanWithoutDryRun is the argument of the provider that allows plans without the dry-runs that the user may not
	// send; "" if it is set, or in an apply.
	PlanWithoutDryRun string

	// Timeouts is the block of timeouts. Without it, FixedTimeout is the time that an operation may take.
	Timeouts     string
	FixedTimeout time.Duration
}

// OfResource returns the names of a resource that applies: those of its arguments, and own ones.
func OfResource(own Names) Names {
	for name, field := range map[string]*string{
		arguments.AdoptExisting: &own.AdoptExisting, arguments.DeleteProtection: &own.DeleteProtection,
		arguments.FieldManager: &own.FieldManager, arguments.ForceDestroy: &own.ForceDestroy,
		arguments.IgnoreFields: &own.IgnoreFields, arguments.ListLengths: &own.ListLengths,
		arguments.OnAddition: &own.OnAddition, arguments.OnConflict: &own.OnConflict,
		arguments.OnDestroy: &own.OnDestroy, arguments.Once: &own.Once,
		arguments.PinFields: &own.PinFields, arguments.RemoveFields: &own.RemoveFields, arguments.Repin: &own.Repin,
		arguments.SensitiveFields: &own.SensitiveFields, arguments.Successor: &own.Successor,
		arguments.TakeOverManagers: &own.TakeOverManagers,
	} {
		if arguments.Has(own.Type, name) {
			*field = name
		}
	}
	own.Noun = "resource"
	return own
}

// IgnoreLine returns the line of a configuration that ignores fields.
func (w Names) IgnoreLine(fields []string) string {
	return Given(w.IgnoreFields, "  "+w.IgnoreFields+" = ["+QuoteList(fields)+"]")
}

// Ignoring returns a paragraph with the line that ignores fields of an object: in a set, the rule for it. lead ends
// without punctuation. It returns "" if the resource cannot ignore fields.
func (w Names) Ignoring(lead string, id manifest.Identity, fields []string) string {
	if w.IgnoredByRule != "" {
		return lead + ", add this to rules:\n\n  " + RuleFor(id, w.IgnoredByRule, fields)
	}
	return Given(w.IgnoreFields, lead+":\n\n"+w.IgnoreLine(fields))
}

// Removing is [Names.Ignoring] for the line that removes fields.
func (w Names) Removing(lead string, id manifest.Identity, fields []string) string {
	if w.IsSet {
		return lead + ", add this to rules:\n\n  " + RuleFor(id, arguments.RemoveFields, fields)
	}
	return Given(w.RemoveFields, lead+":\n\n  "+w.RemoveFields+" = ["+QuoteList(fields)+"]")
}

// RuleFor returns the rule that adds fields to an argument of one object.
func RuleFor(id manifest.Identity, argument string, fields []string) string {
	namespace := Given(id.Namespace, ", namespaces = ["+HCLString(id.Namespace)+"]")
	return "{ kinds = [" + HCLString(id.Kind) + "]" + namespace + ", names = [" + HCLString(id.Name) + "], " +
		argument + " = [" + QuoteList(fields) + "] }"
}

// TakeOver returns a paragraph with the line that takes over managers; "" without managers.
func (w Names) TakeOver(lead string, managers []string) string {
	if w.TakeOverManagers == "" || managers == nil {
		return ""
	}
	return lead + "\n\n  " + w.TakeOverManagers + " = [" + QuoteList(managers) + "]"
}

// ByRule returns the rule that adds what concerns subject to an argument; "" without one. The subject is "" for an
// argument that is not a list.
func (w Names) ByRule(argument, subject string) string {
	if w.RuleOf == nil || argument == "" {
		return ""
	}
	return w.RuleOf(argument, subject)
}

// creates reports whether the resource creates its object.
func creates(w Names) bool { return w.Target == "" }

// inBody returns " in yaml_body".
func inBody(w Names) string {
	return Given(w.Body, " in "+w.Body+Given(w.SentUnstored, " or "+w.SentUnstored))
}
