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
