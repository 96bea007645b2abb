package diagnostics

import (
	"strings"
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
	Arguments
	Sent
	// Cluster is the attribute with the connection, or with the name of one.
	Cluster  string
	Scope    Scope
	Shown    Shown
	Reads    Reads
	Timeouts Timeouts
	// RuleOf returns the rule that adds what concerns subject to an argument; see
	// [rules.Added.By]. It is nil without rules.
	RuleOf func(argument, subject string) string
	// PlanWithoutDryRun is the argument of the provider that allows plans without the dry-runs that the user may not
	// send; "" if it is set, or in an apply.
	PlanWithoutDryRun string
}

// Arguments has the name of each argument that a resource has, by its name in package arguments.
type Arguments map[string]string

// Of returns the name of an argument; "" if the resource does not have it.
func (a Arguments) Of(argument string) string { return a[argument] }

// If returns a format with the name of an argument for each %s; "" if the resource does not have the argument.
func (a Arguments) If(argument, text string) string {
	return Given(a.Of(argument), strings.ReplaceAll(text, "%s", a.Of(argument)))
}

// Line returns the line of a configuration that sets a list; "" if the resource does not have the argument.
func (a Arguments) Line(argument string, elements []string) string {
	return Given(a.Of(argument), "  "+a.Of(argument)+" = ["+QuoteList(elements)+"]")
}

// Sent are the arguments with what a resource sends.
type Sent struct {
	// Body is the attribute with the fields to apply. If a configuration can use one of several attributes for them,
	// Body is the one that it uses.
	Body string
	// IsPatch is true if Body is a patch that is not server-side apply.
	IsPatch bool
	// WriteOnlyBody is the attribute with fields that are applied with Body and stored nowhere, and WriteOnlyVersion
	// reports whether its values are sent.
	WriteOnlyBody, WriteOnlyVersion string
	// SentUnstored is WriteOnlyBody if the resource uses it; "" otherwise.
	SentUnstored string
}

// Scope are the cluster, by its name in the provider, and the field manager that [Names.About] names next to an object.
// Each is "" if it is the provider's own; Cluster is also "" without a name.
type Scope struct{ Cluster, Manager string }

// Shown are the computed attributes that show the fields of an object.
type Shown struct{ FieldOwnership, ManagedState string }

// Reads is how a block reads an object of other managers, which may be absent.
type Reads struct {
	// Optional is the argument that allows the object to be absent.
	Optional string
	// KnownInApply is a value that the plan which creates an object does not know, if Terraform reads the block in the
	// plan, regardless of depends_on; "" if it does not.
	KnownInApply string
}

// Timeouts is the block of timeouts. Without it, Fixed is the time that an operation may take.
type Timeouts struct {
	Block string
	Fixed time.Duration
}

// OfResource returns own, the names of a resource that applies, with those of its arguments.
func OfResource(own Names) Names {
	own.Noun, own.Arguments = "resource", Arguments{}
	for _, argument := range arguments.Of(own.Type) {
		own.Arguments[argument.Name] = argument.Name
	}
	return own
}

// IsSet reports whether the resource manages many objects. No import takes a single one then.
func (w Names) IsSet() bool { return w.Type == arguments.SetResource }

// Named returns the name of an argument that the resource has, or a set in its rules.
func (w Names) Named(argument string) string {
	if w.IsSet() {
		return argument
	}
	return w.Of(argument)
}

// Adding returns a paragraph with the line that adds fields of an object to an argument: in a set, the rule for it.
// lead ends without punctuation. It returns "" if the resource does not have the argument.
func (w Names) Adding(lead string, id manifest.Identity, argument string, fields []string) string {
	if w.IsSet() {
		return lead + ", add this to rules:\n\n  " + RuleFor(id, argument, fields)
	}
	return Given(w.Of(argument), lead+":\n\n"+w.Line(argument, fields))
}

// RuleFor returns the rule that adds fields to an argument of one object.
func RuleFor(id manifest.Identity, argument string, fields []string) string {
	namespace := Given(id.Namespace, ", namespaces = ["+HCLString(id.Namespace)+"]")
	return "{ kinds = [" + HCLString(id.Kind) + "]" + namespace + ", names = [" + HCLString(id.Name) + "], " +
		argument + " = [" + QuoteList(fields) + "] }"
}

// TakeOver returns a paragraph with the line that takes over managers; "" without managers.
func (w Names) TakeOver(lead string, managers []string) string {
	if w.Of(arguments.TakeOverManagers) == "" || managers == nil {
		return ""
	}
	return lead + "\n\n" + w.Line(arguments.TakeOverManagers, managers)
}

// ByRule returns the rule that adds what concerns subject to an argument; "" without one. The subject is "" for an
// argument that is not a list.
func (w Names) ByRule(argument, subject string) string {
	if w.RuleOf == nil || w.Of(argument) == "" {
		return ""
	}
	return w.RuleOf(argument, subject)
}

// ClusterKey begins the import ID of an object on a cluster that has a name.
const ClusterKey = "cluster="

// importID returns the ID that imports an object of the resource's cluster.
func importID(w Names, id manifest.Identity) string {
	return Given(w.Scope.Cluster, ClusterKey+w.Scope.Cluster+",") + id.ID()
}

// creates reports whether the resource creates its object.
func creates(w Names) bool { return w.Target == "" }

// inBody returns " in yaml_body".
func inBody(w Names) string {
	return Given(w.Body, " in "+w.Body+Given(w.SentUnstored, " or "+w.SentUnstored))
}
