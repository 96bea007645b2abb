package changes

import (
	"fmt"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

func isUnclaimed(c prediction.Change) bool { return c.Transition == ownership.Unclaimed }

// reportSection is a paragraph about fields that change in the same way. It asks for no decision.
type reportSection struct {
	holds     func(prediction.Change) bool
	one, many string
	line      func(Report, prediction.Change) string
	last      string
	// all is true if the paragraph lists up to mostConflicts fields, because the plan shows these values nowhere else.
	all bool
}

func leaves(c prediction.Change) bool {
	return c.Transition == ownership.Leaving || c.Transition == ownership.Yielding
}

// unowned returns the sections about values that no attribute shows.
func unowned(names phrases.Names) []reportSection {
	return []reportSection{
		{
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) == 0 && c.Becomes != prediction.RemovedValue
			},
			one:  "The apply changes a value that nobody owns:",
			many: "The apply changes %d values that nobody owns:",
			line: func(_ Report, c prediction.Change) string { return fmt.Sprintf("%q -> %q", c.Was, c.Becomes) },
			all:  true,
		},
		{
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) > 0 && c.Becomes != prediction.RemovedValue
			},
			one:  "The apply changes a value that " + names.Body + " does not declare:",
			many: "The apply changes %d values that " + names.Body + " does not declare:",
			line: func(r Report, c prediction.Change) string {
				return fmt.Sprintf("%q -> %q, owned by %s", c.Was, c.Becomes, Owners(c.Others, r.now))
			},
			all: true,
		},
		{
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) == 0 && c.Becomes == prediction.RemovedValue && !c.IsExplicit
			},
			one:  "The apply removes a value that nobody owns, because what contains it leaves " + names.Body + ":",
			many: "The apply removes %d values that nobody owns, because what contains them leaves " + names.Body + ":",
			line: func(_ Report, c prediction.Change) string { return fmt.Sprintf("%q", c.Was) },
			all:  true,
		},
		{
			holds: func(c prediction.Change) bool { return isUnclaimed(c) && len(c.Others) == 0 && c.IsUnwanted },
			one:   "The apply removes a value that nobody owns, because " + names.RemoveFields + " covers it:",
			many:  "The apply removes %d values that nobody owns, because " + names.RemoveFields + " covers them:",
			line:  func(_ Report, c prediction.Change) string { return fmt.Sprintf("%q", c.Was) },
			all:   true,
		},
		{
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) == 0 && c.IsExplicit && !c.IsUnwanted
			},
			one:  "The apply removes a value that nobody owns, because its list is too long:",
			many: "The apply removes %d values that nobody owns, because their list is too long:",
			line: func(_ Report, c prediction.Change) string { return fmt.Sprintf("%q", c.Was) },
			all:  true,
		},
		{
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) > 0 && c.Becomes == prediction.RemovedValue
			},
			one:  "The apply removes a field that " + names.Body + " does not have:",
			many: "The apply removes %d fields that " + names.Body + " does not have:",
			line: stays,
			all:  true,
		},
	}
}

// owned returns the other sections.
func owned(names phrases.Names) []reportSection {
	alike := phrases.Given(names.ManagedState, " ("+names.ManagedState+" shows both types alike)")
	return []reportSection{
		{
			holds: func(c prediction.Change) bool { return c.Transition.IsConflict() && len(c.Others) == 0 },
			one:   "The apply sets back a field whose value changed since the last apply:",
			many:  "The apply sets back %d fields whose values changed since the last apply:",
			line:  func(_ Report, c prediction.Change) string { return fmt.Sprintf("%q -> %q", c.Was, c.Becomes) },
		},
		{
			holds: func(c prediction.Change) bool { return c.Types != (prediction.Retyped{}) && !c.Transition.IsConflict() },
			one:   names.Body + " changes the type of a value" + alike + ":",
			many:  names.Body + " changes the types of %d values" + alike + ":",
			line:  func(_ Report, c prediction.Change) string { return values(c) },
		},
		{
			holds: func(c prediction.Change) bool { return leaves(c) && c.Ignored },
			one:   "The apply releases a field, and its value stays:",
			many:  "The apply releases %d fields, and their values stay:",
			line:  stays,
		},
		{
			holds: func(c prediction.Change) bool { return leaves(c) && !c.Ignored },
			one:   "A field leaves " + names.Body + " and stays on the object, because others own it:",
			many:  "%d fields leave " + names.Body + " and stay on the object, because others own them:",
			line:  stays,
		},
		{
			holds: func(c prediction.Change) bool {
				return (c.Transition == ownership.Declaring || c.Transition == ownership.Changing) && len(c.Others) > 0
			},
			one:  "The apply shares a field that others own with the same value:",
			many: "The apply shares %d fields that others own with the same values:",
			line: func(r Report, c prediction.Change) string {
				return fmt.Sprintf("%q, owned by %s", c.Becomes, Owners(c.Others, r.now))
			},
			last: "If you change a shared field, you take it from the others. If they change it, they take it from you, and the next plan takes it back.",
		},
	}
}

func stays(r Report, c prediction.Change) string {
	if len(c.Others) == 0 {
		return fmt.Sprintf("%q, owned by nobody else", c.Was)
	}
	return fmt.Sprintf("%q, owned by %s", c.Was, Owners(c.Others, r.now))
}

func (r Report) of(s reportSection) []prediction.Change {
	var fields []prediction.Change
	for _, change := range r.plan.Changes {
		if s.holds(change) {
			fields = append(fields, change)
		}
	}
	return fields
}

func (s reportSection) paragraph(r Report, fields []prediction.Change) string {
	text := s.one
	if len(fields) > 1 {
		text = fmt.Sprintf(s.many, len(fields))
	}
	text += "\n"
	limit := phrases.Most
	if s.all {
		limit = mostConflicts
	}
	for i, change := range fields {
		if i == limit {
			text += fmt.Sprintf("\n  and %d more", len(fields)-limit)
			break
		}
		text += fmt.Sprintf("\n  %s: %s", change.Field, s.line(r, change))
	}
	if s.last != "" {
		text += "\n\n" + s.last
	}
	return text
}

// fate returns what happens to the value of a conflict.
func fate(change prediction.Change) string {
	switch {
	case change.Transition != ownership.Removing:
		return values(change)
	case change.With == "", change.IsUnwanted && change.With == change.Field:
		return fmt.Sprintf("%q, removed", change.Was)
	case change.WithItem:
		return fmt.Sprintf("%q, removed with the list item %s", change.Was, change.With)
	default:
		return fmt.Sprintf("%q, removed with %s", change.Was, change.With)
	}
}

// removed returns the number of conflicts about fields that the apply removes together with what contains them.
func (r Report) removed() int {
	n := 0
	for _, change := range r.conflicts {
		if change.Transition == ownership.Removing {
			n++
		}
	}
	return n
}

// act returns the verb for what the apply does to the conflicting fields.
func (r Report) act() string {
	switch r.removed() {
	case 0:
		return "take"
	case len(r.conflicts):
		return "remove"
	default:
		return "take or remove"
	}
}
