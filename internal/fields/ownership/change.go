package ownership

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Change is the effect of an operation on one field of an object.
type Change struct {
	// Field is Path as a string without secrets. Path is nil if no caller needs it.
	Field string
	Path  paths.Path
	What  Transition
	Why   Why
	// Was and Becomes are the live value and ours, as attributes show them, or [RemovedValue].
	Was, Becomes string
	// WasType and BecomesType are the types of the two in words, if they look alike but are values of two types.
	WasType, BecomesType string
	// Difference is how two long values differ, if this run has read the object; nil for short and secret ones.
	Difference []string
	// Owners are the managers concerned: for a conflict those that lose the field, otherwise those that own it after
	// the apply.
	Owners []Holder
	// Owned is true if we own the field now, even if other managers own it too.
	Owned bool
	// By is the one of Owners that wrote the value between a plan and its apply, in the API server's words: `"kubectl"
	// with subresource "scale" using apps/v1`. It is "" for other changes.
	By string
	// Again is how often in a row, this apply included, we take the field back from one of Owners; 0 if it is not taken
	// back.
	Again int
	// With is the field together with which Field is removed, for Removing: a list item that leaves, a map entry that
	// leaves, or a field whose value is replaced. For [Dropped], it may be several fields. For Adding, it names the
	// items that the list already contains.
	With string
	// Item is the list item that stands for Field: With, if that is one, or the item of a field that leaves, if the
	// apply sets nothing of it. To remove that field is to remove the item, which cannot lose its keys.
	Item string
	// Refilled is the value that the server gives a field that is removed, or that leaves the manifest; "" if it has
	// none.
	Refilled string
}

// AString is the type of a string in words.
const AString = "a string"

// RemovedValue is shown as the new value of a field that an apply removes.
const RemovedValue = "(removed)"

// Why is the reason of a change, as far as it does not follow from the transition.
type Why string

// Reasons of values that change or are removed.
const (
	// Unwanted: remove_fields covers With, or Field if no manager owns it, and the apply removes it.
	Unwanted Why = "Unwanted"
	// Covered: remove_fields covers With, which leaves the manifest in any case.
	Covered Why = "Covered"
	// Obstacle: the server refuses With, or Field if no manager owns it, together with the fields that the manifest
	// declares.
	Obstacle Why = "Obstacle"
	// Dropped: the server changes or removes the field by itself, because the apply removes With.
	Dropped Why = "Dropped"
	// Unfit: nothing of ours leaves with the field. The server removes it because it does not fit the new values: the
	// node port of a Service that gets another type, for instance.
	Unfit Why = "Unfit"
	// Reordered: Field is a list, and Was and Becomes are the order of its items.
	Reordered Why = "Reordered"
	// Equivalent: the server turns our value into the live one. Difference compares the content of the two.
	Equivalent Why = "Equivalent"
)

// Reasons of fields that leave the manifest and stay on the object.
const (
	// Ignored: the field is left to other managers.
	Ignored Why = "Ignored"
	// Stuck: no manager will own the field, and the server keeps its value: it cannot be changed, or the server or an
	// admission webhook sets it again.
	Stuck Why = "Stuck"
	// Defaulted: no manager will own the field, and the server gives it the value Refilled.
	Defaulted Why = "Defaulted"
	// Needed: the server refuses the object without the field.
	Needed Why = "Needed"
)

// IsConflict reports whether the value is another manager's.
func (c Change) IsConflict() bool { return c.What.IsConflict() && len(c.Owners) > 0 }

// ByOwner returns the change once for each of its owners, who have written the value; once without any.
func (c Change) ByOwner() []Change {
	all := slices.Repeat([]Change{c}, max(1, len(c.Owners)))
	for i, owner := range c.Owners {
		all[i].By = owner.String()
	}
	return all
}

// Has reports whether the reason is one of some.
func (c Change) Has(some ...Why) bool { return slices.Contains(some, c.Why) }

// IsRequested reports whether a request of its own removes the field, or what it goes with.
func (c Change) IsRequested() bool { return c.Has(Unwanted, Dropped, Obstacle) }

// Facts decide what a plan reports about one field.
type Facts struct {
	Owned Owned
	// Configured: the configuration treats the field differently than at the last apply: it sets another value,
	// declares the field, or leaves it to other managers.
	Configured bool
	// Contested: other managers wrote the live value, and it is not the one in the configuration.
	Contested bool
}

// Owned tells whether a field is ours: Before is true if our last apply left it with us, After if the planned one does.
type Owned struct{ Before, After bool }

// Transition is one combination of the facts.
type Transition string

// The sixteen transitions. We gain or lose a field only because the configuration changes: the four other transitions
// that would do it cannot happen.
const (
	// Alien: the configuration has nothing to do with the field.
	Alien Transition = "Alien"
	// Foreign: other managers hold a field that the configuration leaves to them, or does not know.
	Foreign Transition = "Foreign"
	// IgnoredEdit: the configuration edits a field that it leaves to other managers.
	IgnoredEdit Transition = "IgnoredEdit"
	// IgnoredContest: the same, and other managers hold it with another value.
	IgnoredContest Transition = "IgnoredContest"
	// UnrequestedGain is impossible.
	UnrequestedGain Transition = "UnrequestedGain"
	// UnrequestedTaking is impossible.
	UnrequestedTaking Transition = "UnrequestedTaking"
	// Declaring: the configuration declares a field that no manager holds with another value.
	Declaring Transition = "Declaring"
	// Taking: the configuration declares a field that other managers hold with another value.
	Taking Transition = "Taking"
	// UnrequestedLoss is impossible.
	UnrequestedLoss Transition = "UnrequestedLoss"
	// UnrequestedYielding is impossible.
	UnrequestedYielding Transition = "UnrequestedYielding"
	// Leaving: the configuration no longer declares a field that has the value we gave it.
	Leaving Transition = "Leaving"
	// Yielding: the configuration no longer declares a field that other managers gave another value.
	Yielding Transition = "Yielding"
	// Keeping: the field is as we want it, even if other managers now share it.
	Keeping Transition = "Keeping"
	// Retaking: other managers changed a field of ours, and the apply sets it back.
	Retaking Transition = "Retaking"
	// Changing: the configuration changes a field of ours that no other manager holds with another value.
	Changing Transition = "Changing"
	// Overruling: the configuration changes a field of ours that other managers hold with another value: they shared
	// the value it had, or gave it one of their own.
	Overruling Transition = "Overruling"
)

// Removing is the transition of a field of other managers that is removed with something of ours that contains it. The
// facts are about fields of the configuration, so Classify does not return it.
const Removing Transition = "Removing"

// Unclaimed is a transition in addition to the sixteen: the apply changes or removes a value that is not in dispute,
// because no manager owns it, or because it is removed with something else.
const Unclaimed Transition = "Unclaimed"

// Undeclared is the transition of a field that the first apply to an object of other managers leaves alone: the
// configuration does not declare it, and it keeps its value and its owners.
const Undeclared Transition = "Undeclared"

// Adding is the transition of a list item that an apply adds, because the object contains no item with its keys.
const Adding Transition = "Adding"

// Restoring is the transition of a field that the end of a part gives its earlier value again.
const Restoring Transition = "Restoring"

// Outcome tells whether a plan reports a transition.
type Outcome string

// The outcomes.
const (
	// Silent: the attributes show it, and it asks for no decision.
	Silent Outcome = "Silent"
	// Reported: the plan's warning contains a line about it.
	Reported Outcome = "Reported"
	// ReportedIfShared: the warning contains a line if we begin to share the field with other managers.
	ReportedIfShared Outcome = "ReportedIfShared"
	// ReportedIfKept: the warning contains a line if the value stays on the object without us.
	ReportedIfKept Outcome = "ReportedIfKept"
	// Impossible: it cannot happen.
	Impossible Outcome = "Impossible"
)

// outcomes holds a row for each combination of owned before, owned after, configured and contested, read as the digits
// of a binary number.
var outcomes = [16]struct {
	transition Transition
	outcome    Outcome
}{
	0b0000: {Alien, Silent},
	0b0001: {Foreign, Silent},
	0b0010: {IgnoredEdit, Silent},
	0b0011: {IgnoredContest, Silent},
	0b0100: {UnrequestedGain, Impossible},
	0b0101: {UnrequestedTaking, Impossible},
	0b0110: {Declaring, ReportedIfShared},
	0b0111: {Taking, Reported},
	0b1000: {UnrequestedLoss, Impossible},
	0b1001: {UnrequestedYielding, Impossible},
	0b1010: {Leaving, ReportedIfKept},
	0b1011: {Yielding, ReportedIfKept},
	0b1100: {Keeping, Silent},
	0b1101: {Retaking, Reported},
	0b1110: {Changing, ReportedIfShared},
	0b1111: {Overruling, Reported},
}

// Classify returns the transition and whether a plan reports it.
func (f Facts) Classify() (Transition, Outcome) {
	row := outcomes[f.row()]
	return row.transition, row.outcome
}

func (f Facts) row() int {
	row := 0
	for _, fact := range []bool{f.Owned.Before, f.Owned.After, f.Configured, f.Contested} {
		row <<= 1
		if fact {
			row |= 1
		}
	}
	return row
}

// IsConflict reports whether the apply changes or removes a value that other managers hold.
func (t Transition) IsConflict() bool {
	return t == Taking || t == Retaking || t == Overruling || t == Removing
}
