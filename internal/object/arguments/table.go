package arguments

import "slices"

// The types of the resources that apply: one object, fields of an object of another client, and many objects.
const (
	ManifestResource = "k8sconnect_manifest"
	PatchResource    = "k8sconnect_patch"
	SetResource      = "k8sconnect_manifests"
)

// Kind is the form of an argument.
type Kind string

// The forms of arguments.
const (
	// FieldPaths is a set of field paths.
	FieldPaths Kind = "field paths"
	// Managers is a set of names of managers, which may end in *, and ExactManagers a list of whole names.
	Managers      Kind = "managers"
	ExactManagers Kind = "exact managers"
	// OneOf is one of Values.
	OneOf Kind = "one of some values"
	// Flag is true or false.
	Flag Kind = "flag"
	// Particular is anything else.
	Particular Kind = "particular"
)

// IsList reports whether an argument has several values, which rules add to.
func (k Kind) IsList() bool { return k == FieldPaths || k == Managers || k == ExactManagers }

// Argument is an argument of resources that apply, or of the rules for them.
type Argument struct {
	Name string
	Kind Kind
	// In are the resources that have the argument, and ByRule those to which rules can add it. An argument that has
	// other values in another resource, or in rules, stands in the table again.
	In, ByRule []string
	Values     []string
	// Example is an element of a list.
	Example string
}

// The names of the arguments.
const (
	AdoptExisting     = "adopt_existing"
	DeletePropagation = "delete_propagation"
	DeleteProtection  = "delete_protection"
	FieldManager      = "field_manager"
	ForceDestroy      = "force_destroy"
	IgnoreFields      = "ignore_fields"
	IgnoreManagers    = "ignore_managers"
	ListLengths       = "list_lengths"
	OnAddition        = "on_addition"
	OnConflict        = "on_conflict"
	OnDestroy         = "on_destroy"
	Once              = "once"
	PinFields         = "pin_fields"
	RemoveFields      = "remove_fields"
	Repin             = "repin"
	SensitiveFields   = "sensitive_fields"
	Successor         = "successor"
	TakeOverManagers  = "take_over_managers"
	Wait              = "wait"
)

var (
	one   = []string{ManifestResource}
	parts = []string{PatchResource}
	whole = []string{ManifestResource, SetResource}
	each  = []string{ManifestResource, PatchResource}
	all   = []string{ManifestResource, PatchResource, SetResource}
)

// table has the arguments. Messages list those of rules in this order.
var table = []Argument{
	{Name: IgnoreFields, Kind: FieldPaths, In: each, ByRule: all, Example: "spec.replicas"},
	{Name: IgnoreManagers, Kind: Managers, In: whole, ByRule: whole, Example: "kube-controller-manager"},
	{Name: OnConflict, Kind: OneOf, In: all, ByRule: all, Values: []string{string(Force), string(Fail)}},
	{Name: OnAddition, Kind: OneOf, In: whole, ByRule: whole, Values: []string{
		string(Allow), string(Warn), string(FailOnAddition), string(RemoveAdditions),
	}},
	{Name: OnDestroy, Kind: OneOf, In: whole, Values: []string{"delete", "release", "hand_over"}},
	{Name: OnDestroy, Kind: OneOf, In: parts, Values: []string{"remove", "restore", "release", "hand_over"}},
	{Name: OnDestroy, Kind: OneOf, ByRule: whole, Values: []string{"delete", "release"}},
	{Name: AdoptExisting, Kind: Flag, In: whole, ByRule: whole},
	{Name: RemoveFields, Kind: FieldPaths, In: each, ByRule: whole, Example: "spec.replicas"},
	{Name: TakeOverManagers, Kind: ExactManagers, In: whole, ByRule: whole, Example: "kubectl-client-side-apply"},
	{Name: SensitiveFields, Kind: FieldPaths, In: all, ByRule: all, Example: "data"},
	{Name: DeleteProtection, Kind: Flag, In: whole, ByRule: whole},
	{Name: Wait, Kind: Particular, In: all, ByRule: all},
	{Name: Once, Kind: Flag, In: whole, ByRule: whole},
	{Name: DeletePropagation, Kind: OneOf, In: whole, Values: []string{"Background", "Foreground", "Orphan"}},
	{Name: FieldManager, Kind: Particular, In: all},
	{Name: ForceDestroy, Kind: Flag, In: whole},
	{Name: ListLengths, Kind: Particular, In: one},
	{Name: PinFields, Kind: FieldPaths, In: one},
	{Name: Repin, Kind: Particular, In: one},
	{Name: Successor, Kind: Particular, In: all},
}

// Of returns the arguments of a resource.
func Of(resource string) []Argument {
	return where(func(argument Argument) bool { return slices.Contains(argument.In, resource) })
}

// OfRules returns the arguments of rules.
func OfRules() []Argument {
	return where(func(argument Argument) bool { return len(argument.ByRule) > 0 })
}

func where(counts func(Argument) bool) []Argument {
	return slices.DeleteFunc(slices.Clone(table), func(argument Argument) bool { return !counts(argument) })
}
