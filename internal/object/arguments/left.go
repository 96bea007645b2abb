package arguments

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// AdditionPolicy is the policy for fields that other managers have added to an object.
type AdditionPolicy string

// The policies, as the configuration writes them.
const (
	// WarnOfPeople is the policy of a configuration that names none: a warning about fields that people have added by
	// commands.
	WarnOfPeople AdditionPolicy = ""
	// Allow reports nothing.
	Allow AdditionPolicy = "allow"
	// Warn reports what people and their tools have added.
	Warn AdditionPolicy = "warn"
	// FailOnAddition refuses the plan.
	FailOnAddition AdditionPolicy = "fail"
	// RemoveAdditions removes what only people and their tools own, and reports the rest.
	RemoveAdditions AdditionPolicy = "remove"
)

// Reports reports whether a plan reports an addition. byPerson is true if a person has written to it by a command.
func (p AdditionPolicy) Reports(byPerson bool) bool {
	return p != Allow && (byPerson || p != WarnOfPeople)
}

// Left lists the fields that a configuration leaves to other managers: those that patterns cover, and all fields of
// named managers, whose names may end in *.
type Left struct {
	Fields   paths.Patterns
	Managers []string
	// Body determines the list items that positions in Fields mean.
	Body map[string]any
}

// To reports whether all fields of a manager are left to it.
func (l Left) To(manager string) bool {
	return slices.ContainsFunc(l.Managers, func(name string) bool { return ownership.IsCalled(manager, name) })
}

// Left returns what a configuration leaves to others.
func (a Arguments) Left() Left { return Left{a.Ignore, a.IgnoreManagers, a.Manifest.Object} }
