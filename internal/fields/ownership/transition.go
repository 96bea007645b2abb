package ownership

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
