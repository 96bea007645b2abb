package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

func isUnclaimed(c prediction.Change) bool { return c.Transition == ownership.Unclaimed }

// reportSection is a paragraph about fields that change in the same way. It asks for no decision.
type reportSection struct {
	effect    Effect
	holds     func(prediction.Change) bool
	one, many string
	line      func(report, prediction.Change) string
	// last is a paragraph after the fields; nil without one.
	last func(report, []prediction.Change) string
	// all is true if the paragraph lists up to mostConflicts fields, because the plan shows these values nowhere else.
	all bool
}

func leaves(c prediction.Change) bool {
	return c.Transition == ownership.Leaving || c.Transition == ownership.Yielding
}

// changedUnseen returns the sections about values that no attribute shows and that the apply changes.
func changedUnseen(names diagnostics.Names) []reportSection {
	return []reportSection{
		{
			effect: Change,
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) == 0 && !c.Owned && c.Becomes != prediction.RemovedValue
			},
			one:  "The apply changes a value that nobody owns:",
			many: "The apply changes %d values that nobody owns:",
			line: func(_ report, c prediction.Change) string { return fromTo(c) },
			all:  true,
		},
		{
			effect: Change,
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && (len(c.Others) > 0 || c.Owned) && c.Becomes != prediction.RemovedValue
			},
			one:  "The apply changes a value that " + names.Body + " does not declare:",
			many: "The apply changes %d values that " + names.Body + " does not declare:",
			line: func(r report, c prediction.Change) string {
				if len(c.Others) == 0 {
					return fromTo(c) + ", owned by nobody else"
				}
				return fromTo(c) + ", owned by " + diagnostics.Owners(c.Others, r.now)
			},
			all: true,
		},
	}
}

// removedUnseen returns the sections about values that no attribute shows and that the apply removes.
func removedUnseen(names diagnostics.Names) []reportSection {
	return []reportSection{
		{
			effect: Remove,
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) == 0 && c.Owned && c.Becomes == prediction.RemovedValue
			},
			one:  "The apply removes a field that only this resource owns:",
			many: "The apply removes %d fields that only this resource owns:",
			line: was,
			all:  true,
		},
		removedUnowned("what contains %s leaves "+names.Body, "it", "them", func(c prediction.Change) bool {
			return c.Becomes == prediction.RemovedValue && !c.IsExplicit && !c.IsObstacle && !c.IsUnfit
		}),
		removedUnowned("the API server drops %s with this change", "it", "them", func(c prediction.Change) bool {
			return c.Becomes == prediction.RemovedValue && !c.IsExplicit && !c.IsObstacle && c.IsUnfit
		}),
		removedUnowned("the API server drops %s with what the apply removes", "it", "them",
			func(c prediction.Change) bool { return c.Becomes == prediction.RemovedValue && c.IsDropped }),
		removedUnowned("the API server refuses %s beside "+names.Body, "it", "them",
			func(c prediction.Change) bool { return c.IsObstacle }),
		removedUnowned(names.RemoveFields+" covers %s", "it", "them",
			func(c prediction.Change) bool { return c.IsUnwanted && !c.IsDropped }),
		removedUnowned("%s list is too long", "its", "their",
			func(c prediction.Change) bool { return c.IsExplicit && !c.IsUnwanted && !c.IsDropped }),
		{
			effect: Remove,
			holds: func(c prediction.Change) bool {
				return isUnclaimed(c) && len(c.Others) > 0 && c.Becomes == prediction.RemovedValue
			},
			one:  "The apply removes a field that " + names.Body + " does not have:",
			many: "The apply removes %d fields that " + names.Body + " does not have:",
			line: func(r report, c prediction.Change) string {
				return fmt.Sprintf("%q, owned by %s", c.Was, diagnostics.Owners(c.Others, r.now))
			},
			all: true,
		},
	}
}

// removedUnowned returns the section about removed values without an owner. why has a place for one, or for many.
func removedUnowned(why, one, many string, holds func(prediction.Change) bool) reportSection {
	return reportSection{
		effect: Remove,
		holds:  func(c prediction.Change) bool { return isUnclaimed(c) && len(c.Others) == 0 && !c.Owned && holds(c) },
		one:    "The apply removes a value that nobody owns, because " + fmt.Sprintf(why, one) + ":",
		many:   "The apply removes %d values that nobody owns, because " + fmt.Sprintf(why, many) + ":",
		line:   was,
		all:    true,
	}
}

// was returns the value before the apply.
func was(_ report, c prediction.Change) string {
	if c.IsDropped {
		return fmt.Sprintf("%q, removed with %s", c.Was, c.With)
	}
	return fmt.Sprintf("%q", c.Was) + refilled(c)
}

// refilled returns what the API server makes of a removed field; "" if it stays away.
func refilled(c prediction.Change) string {
	if c.Refilled == "" {
		return ""
	}
	return fmt.Sprintf(" (the API server sets %q again)", c.Refilled)
}

// setBack returns the sections about values that nobody else owns.
func setBack(names diagnostics.Names) []reportSection {
	alike := diagnostics.Given(names.ManagedState, " ("+names.ManagedState+" shows both types alike)")
	return []reportSection{
		{
			effect: SetBack,
			holds:  func(c prediction.Change) bool { return c.Transition.IsConflict() && len(c.Others) == 0 },
			one:    "The apply sets back a field whose value changed since the last apply:",
			many:   "The apply sets back %d fields whose values changed since the last apply:",
			line:   func(_ report, c prediction.Change) string { return fromTo(c) },
			last:   report.orderLine,
		},
		{
			effect: Change,
			holds: func(c prediction.Change) bool {
				return c.Types != (prediction.Retyped{}) && !c.Transition.IsConflict()
			},
			one:  names.Body + " changes the type of a value" + alike + ":",
			many: names.Body + " changes the types of %d values" + alike + ":",
			line: func(_ report, c prediction.Change) string { return values(c) },
		},
		{
			effect: Change,
			holds:  func(c prediction.Change) bool { return c.IsRewritten },
			one: "The API server, a policy or a webhook makes another value of what " + names.Body +
				" has as before:",
			many: "The API server, a policy or a webhook makes other values of %d fields that " + names.Body +
				" has as before:",
			line: func(_ report, c prediction.Change) string { return fromTo(c) },
			all:  true,
		},
	}
}

// staying returns the sections about fields that the apply leaves on the object.
func staying(names diagnostics.Names) []reportSection {
	return []reportSection{
		defaulted(names),
		{
			effect: Release,
			holds:  func(c prediction.Change) bool { return leaves(c) && c.Ignored },
			one:    "The apply releases a field, and its value stays:",
			many:   "The apply releases %d fields, and their values stay:",
			line:   stays,
			last:   report.leftByRules,
		},
		{
			effect: Stay,
			holds:  func(c prediction.Change) bool { return leaves(c) && c.IsStuck },
			one: "A field leaves " + names.Body + " and keeps its value, because the API server keeps it or " +
				"sets it again:",
			many: "%d fields leave " + names.Body + " and keep their values, because the API server keeps them or " +
				"sets them again:",
			line: was,
			last: func(r report, _ []prediction.Change) string {
				return "To give such a field another value, set it in " + r.names.Body +
					diagnostics.Given(creating(r.names), ". If the API server refuses that, replace the object: "+
						"terraform apply -replace=ADDRESS") + "."
			},
		},
		{
			effect: Stay,
			holds:  func(c prediction.Change) bool { return leaves(c) && c.IsNeeded },
			one: "A field leaves " + names.Body + " and keeps its value, because the API server refuses the object " +
				"without it:",
			many: "%d fields leave " + names.Body + " and keep their values, because the API server refuses " +
				"the object without them:",
			line: was,
			all:  true,
			last: func(report, []prediction.Change) string {
				return "After the apply, this resource does not own them. To remove them, use kubectl, and " +
					"remove the fields that need them, too."
			},
		},
		{
			effect: Stay,
			holds:  func(c prediction.Change) bool { return stayed(c) && len(c.Others) == 0 },
			one: "A field leaves " + names.Body + " and stays on the object, because its value is not ours and " +
				"nobody owns it:",
			many: "%d fields leave " + names.Body + " and stay on the object, because their values are not " +
				"ours and nobody owns them:",
			line: was,
			all:  true,
			last: report.removeLine,
		},
		{
			effect: Stay,
			holds:  func(c prediction.Change) bool { return stayed(c) && len(c.Others) > 0 },
			one:    "A field leaves " + names.Body + " and stays on the object, because others own it:",
			many:   "%d fields leave " + names.Body + " and stay on the object, because others own them:",
			line:   stays,
			last:   report.removeLine,
		},
		undeclared(names),
	}
}

// defaulted returns the section about fields that leave the manifest and get the server's defaults.
func defaulted(names diagnostics.Names) reportSection {
	return reportSection{
		effect: Change,
		holds:  isDefaulted,
		one:    "A field leaves " + names.Body + ", and the API server gives it its default:",
		many:   "%d fields leave " + names.Body + ", and the API server gives them their defaults:",
		line: func(_ report, c prediction.Change) string {
			return fmt.Sprintf("%q -> %q (default)", c.Was, c.Refilled)
		},
		all:  true,
		last: report.keepLine,
	}
}

// stayed reports whether a field leaves the manifest and keeps its value without a reason of the server.
func stayed(c prediction.Change) bool {
	return leaves(c) && !c.Ignored && !c.IsStuck && !c.IsNeeded && !isDefaulted(c)
}

// isDefaulted reports whether a field leaves the manifest and gets the server's default.
func isDefaulted(c prediction.Change) bool { return leaves(c) && c.Refilled != "" && !c.IsUnwanted }

// undeclared returns the section about fields of others that an import or an adoption leaves.
func undeclared(names diagnostics.Names) reportSection {
	return reportSection{
		effect: Undeclared,
		holds:  func(c prediction.Change) bool { return c.Transition == ownership.Undeclared },
		one:    names.Body + " does not declare a field of the object, which stays with its owner:",
		many:   names.Body + " does not declare %d fields of the object, which stay with their owners:",
		line:   stays,
		last:   report.removeLine,
		all:    true,
	}
}

// shared returns the section about fields that other managers own, too.
func shared() []reportSection {
	return []reportSection{
		{
			effect: Share,
			holds: func(c prediction.Change) bool {
				return (c.Transition == ownership.Declaring || c.Transition == ownership.Changing) && len(c.Others) > 0
			},
			one:  "The apply shares a field that others own with the same value:",
			many: "The apply shares %d fields that others own with the same values:",
			line: func(r report, c prediction.Change) string {
				return fmt.Sprintf("%q, owned by %s", c.Becomes, diagnostics.Owners(c.Others, r.now))
			},
			last: func(r report, shared []prediction.Change) string {
				return diagnostics.Paragraphs("If you change a shared field, you take it from the others. If they "+
					"change it, they take it from you, and the next plan takes it back.", leftToControllers(r, shared))
			},
		},
	}
}

// creating returns Body if the resource creates its object, and "" otherwise.
func creating(names diagnostics.Names) string {
	if names.Target != "" {
		return ""
	}
	return names.Body
}

func stays(r report, c prediction.Change) string {
	owners := "owned by nobody else"
	if len(c.Others) > 0 {
		owners = "owned by " + diagnostics.Owners(c.Others, r.now)
	}
	if c.Was == "" {
		return owners
	}
	return fmt.Sprintf("%q, %s", c.Was, owners)
}

// of returns the changes of a section: values that are lost by their loss, and others in the order of their paths.
func (r report) of(s reportSection) []prediction.Change {
	var fields []prediction.Change
	for _, change := range r.plan.Changes {
		if s.holds(change) {
			fields = append(fields, change)
		}
	}
	if slices.ContainsFunc(fields, isUnclaimed) {
		return byLoss(fields)
	}
	return fields
}

func (s reportSection) paragraph(r report, fields []prediction.Change) string {
	text := s.one
	if len(fields) > 1 {
		text = fmt.Sprintf(s.many, len(fields))
	}
	text += "\n"
	limit := diagnostics.Most
	if s.all {
		limit = mostConflicts
	}
	for i, change := range fields {
		if i == limit {
			text += fmt.Sprintf("\n  and %d more", len(fields)-limit)
			break
		}
		text += fmt.Sprintf("\n  %s: %s", change.Field, s.line(r, change)) + differing(change)
	}
	if s.last == nil {
		return text
	}
	return diagnostics.Paragraphs(text, s.last(r, fields))
}

// leftToControllers returns the line that ignores the shared fields that another manager sets through a subresource, as
// an autoscaler sets replicas: it will change them. It returns "" without any.
func leftToControllers(r report, shared []prediction.Change) string {
	fields := slices.Clone(r.plan.Ignored)
	var controlled []string
	for _, change := range shared {
		through := func(owner ownership.Holder) bool { return owner.Subresource != "" }
		if slices.ContainsFunc(change.Others, through) {
			controlled = append(controlled, change.Field)
		}
	}
	if len(controlled) == 0 {
		return ""
	}
	return diagnostics.Given(r.names.IgnoreFields, "The owner of "+strings.Join(controlled, ", ")+" sets it through a "+
		"subresource, as an autoscaler does, and will change it. To leave it to its owner:\n\n"+
		r.names.IgnoreLine(append(fields, controlled...)))
}

// fate returns what happens to the value of a conflict.
func fate(change prediction.Change) string {
	switch {
	case change.Transition != ownership.Removing:
		return values(change)
	case change.With == "", (change.IsUnwanted || change.IsObstacle) && change.With == change.Field:
		return fmt.Sprintf("%q, removed", change.Was) + refilled(change)
	case change.WithItem:
		return fmt.Sprintf("%q, removed with the list item %s", change.Was, change.With)
	default:
		return fmt.Sprintf("%q, removed with %s", change.Was, change.With)
	}
}

// removed returns the number of conflicts about fields that the apply removes together with what contains them.
func (r report) removed() int {
	n := 0
	for _, change := range r.conflicts {
		if change.Transition == ownership.Removing {
			n++
		}
	}
	return n
}

// act returns the verb for what the apply does to the conflicting fields.
func (r report) act() string {
	switch r.removed() {
	case 0:
		return "take"
	case len(r.conflicts):
		return "remove"
	default:
		return "take or remove"
	}
}
