package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// row is a paragraph about fields that change in the same way. It asks for no decision.
type row struct {
	Heading
	fits test
	// value returns the part of a line that shows the values of a field; "" without one. The owners follow if owned is
	// true.
	value func(ownership.Change) string
	owned bool
	// all is true if the paragraph lists up to mostConflicts fields, because the plan shows these values nowhere else.
	all bool
	// last is a paragraph after the fields; nil without one.
	last func(report, []ownership.Change) string
}

type test = func(ownership.Change) bool

func both(a, b test) test { return func(c ownership.Change) bool { return a(c) && b(c) } }

func what(any ...ownership.Transition) test {
	return func(c ownership.Change) bool { return slices.Contains(any, c.What) }
}

func because(any ...ownership.Why) test {
	return func(c ownership.Change) bool { return c.Has(any...) }
}

// stays is true of a field that leaves the configuration, and is not removed from the object if isKept is true, too.
var stays = what(ownership.Leaving, ownership.Yielding)

func isUnowned(c ownership.Change) bool { return len(c.Owners) == 0 }

func isOfOthers(c ownership.Change) bool { return !c.Owned && !isUnowned(c) }

func isKept(c ownership.Change) bool { return c.Becomes != ownership.RemovedValue }

func isOwned(c ownership.Change) bool { return c.Owned }

func isRetyped(c ownership.Change) bool { return c.WasType != "" }

// rows returns the paragraphs of a report that follow the conflicts. The first row that fits a change is about it.
func rows(names diagnostics.Names) []row {
	unseen := rowsUnseen(names.Body, names.Of(arguments.RemoveFields))
	return slices.Concat(unseen, rowsOfValues(names), rowsStaying(names))
}

// rowsUnseen returns the rows about values that no attribute shows and that the apply changes or removes.
func rowsUnseen(body, removeFields string) []row {
	unclaimed := what(ownership.Unclaimed)
	kept, unowned := both(unclaimed, isKept), both(unclaimed, isUnowned)
	removed := func(reason string, why ...ownership.Why) row {
		heading := "The apply removes [a value|%d values] that nobody owns, because " + reason + ":"
		return row{Heading{Remove, heading}, both(unowned, because(why...)), was, false, true, nil}
	}
	return []row{
		{Heading{Change, "The apply changes [a value|%d values] that nobody owns:"},
			both(both(kept, isUnowned), func(c ownership.Change) bool { return !c.Owned }), fromTo, false, true, nil},
		{Heading{Change, "The apply changes [a value|%d values] that this field manager has set, but not from this " +
			"state:"}, both(kept, isOwned), fromTo, true, true, nil},
		{Heading{Change, "The apply changes [a value|%d values] that " + body + " does not declare:"},
			kept, fromTo, true, true, nil},
		{Heading{Remove, "The apply removes [a field|%d fields] that only this resource owns:"},
			both(unowned, isOwned), was, false, true, nil},
		removed("what contains [it|them] leaves "+body, "", ownership.Covered),
		removed("the API server drops [it|them] with this change", ownership.Unfit),
		removed("the API server drops [it|them] with what the apply removes", ownership.Dropped),
		removed("the API server refuses [it|them] together with "+body, ownership.Obstacle),
		removed(removeFields+" covers [it|them]", ownership.Unwanted),
		{Heading{Remove, "The apply removes [a field|%d fields] that " + body + " does not have:"},
			unclaimed, quoted, true, true, nil},
	}
}

// rowsOfValues returns the rows about values that no other manager owns.
func rowsOfValues(names diagnostics.Names) []row {
	body, state := names.Body, names.Shown.ManagedState
	alike := diagnostics.Given(state, " ("+state+" shows both types alike)")
	return []row{
		{Heading{SetBack, "The apply sets back [a field whose value|%d fields whose values] changed since " +
			"the last apply:"},
			func(c ownership.Change) bool { return c.What.IsConflict() }, fromTo, false, false, report.orderLine},
		{Heading{Change, body + " changes the [type of a value|types of %d values]" + alike + ":"},
			isRetyped, values, false, false, nil},
		{Heading{Change, "The API server, a policy or a webhook makes [another value of what|other values of %d " +
			"fields " +
			"that] " + body + " has as before:"}, what(ownership.Keeping), fromTo, false, true, nil},
	}
}

// rowsStaying returns the rows about fields that the apply leaves on the object, and those that other managers own,
// too.
func rowsStaying(names diagnostics.Names) []row {
	leaving := both(stays, isKept)
	leaves := func(why string) string { return "[A field leaves|%d fields leave] " + names.Body + why + ":" }
	return []row{
		{Heading{Change, leaves(", and the API server gives [it its default|them their defaults]")},
			both(leaving, because(ownership.Defaulted)), defaulted, false, true, report.keepLine},
		{Heading{Stay, "The apply leaves [a field to its owner, with the value it has|%d fields to their owners, " +
			"with the values they have]:"},
			both(both(leaving, isOfOthers), because(ownership.Ignored)), quotedIfAny, true, false, report.leftByRules},
		{Heading{Release, "The apply releases [a field, and its value stays|%d fields, and their values stay]:"},
			both(leaving, because(ownership.Ignored)), quotedIfAny, true, false, report.leftByRules},
		{Heading{Stay, leaves(" and [keeps its value|keep their values], because the API server keeps [it or sets it|" +
			"them or sets them] again")}, both(leaving, because(ownership.Stuck)), was, false, false, report.setLine},
		{Heading{Stay, leaves(" and [keeps its value|keep their values], because the API server refuses the object " +
			"without [it|them]")}, both(leaving, because(ownership.Needed)), was, false, true, report.neededLine},
		{Heading{Stay, leaves(" and [stays|stay] on the object, because [its value is|their values are] not ours and " +
			"nobody owns [it|them]")}, both(leaving, isUnowned), was, false, true, report.removeLine},
		{Heading{Stay, leaves(" and [stays|stay] on the object, because others own [it|them]")},
			leaving, quotedIfAny, true, false, report.removeLine},
		{Heading{Addition, names.Body + " does not declare [a field of the object, which stays with its owner|%d " +
			"fields of the object, which stay with their owners]:"},
			what(ownership.Undeclared), found, true, true, report.removeLine},
		{Heading{Share, "The apply shares [a field|%d fields] that others own with the same [value|values]:"},
			both(what(ownership.Declaring, ownership.Changing), func(c ownership.Change) bool { return !isUnowned(c) }),
			func(c ownership.Change) string { return fmt.Sprintf("%q", c.Becomes) }, true, false, report.sharingLine},
		{Heading{Unset, "The apply removes [a field that leaves|%d fields that leave] " + names.Body + ":"}, stays,
			quoted, false, false, nil},
	}
}

// byRow returns those of changes that each row is about.
func byRow(rows []row, changes []ownership.Change) [][]ownership.Change {
	found := make([][]ownership.Change, len(rows))
	for _, change := range changes {
		if at := slices.IndexFunc(rows, func(w row) bool { return w.fits(change) }); at >= 0 {
			found[at] = append(found[at], change)
		}
	}
	return found
}

// paragraph returns the paragraph about fields: lost values in the order of byLoss, and others sorted by path.
func (w row) paragraph(r report, fields []ownership.Change) string {
	if slices.ContainsFunc(fields, what(ownership.Unclaimed)) {
		fields = byLoss(fields)
	}
	limit := diagnostics.Most
	if w.all {
		limit = mostConflicts
	}
	text := w.of(len(fields)) + "\n" + diagnostics.ListOf(fields, limit, func(change ownership.Change) string {
		line := w.value(change)
		if w.owned {
			line += diagnostics.Given(line, ", ") + r.owners(change)
		}
		return change.Field + ": " + line + differing(change)
	})
	if w.last == nil {
		return text
	}
	return diagnostics.Paragraphs(text, w.last(r, fields))
}

func (r report) owners(change ownership.Change) string {
	if isUnowned(change) {
		return "owned by nobody else"
	}
	return "owned by " + diagnostics.Owners(change.Owners, r.now)
}

// quoted returns the value before the apply.
func quoted(c ownership.Change) string { return fmt.Sprintf("%q", c.Was) }

func quotedIfAny(c ownership.Change) string { return diagnostics.Given(c.Was, quoted(c)) }

// found returns the value of a field that the configuration leaves alone, in brief.
func found(c ownership.Change) string {
	isItem := strings.HasSuffix(c.Field, "]") && !strings.Contains(c.Field[strings.LastIndex(c.Field, "["):], `["`)
	return diagnostics.Given(c.Was, brief(c.Was, isItem))
}

func defaulted(c ownership.Change) string {
	return fmt.Sprintf("%q -> %q (default)", c.Was, c.Refilled)
}

// was returns the value before the apply, followed by the value that the server sets again, or by the field together
// with which the server removes this one.
func was(c ownership.Change) string {
	if c.Why == ownership.Dropped {
		return quoted(c) + ", removed with " + c.With
	}
	return quoted(c) + again(c)
}

// again returns what the API server makes of a removed field; "" if it stays away.
func again(c ownership.Change) string {
	return diagnostics.Given(c.Refilled, fmt.Sprintf(" (the API server sets %q again)", c.Refilled))
}
