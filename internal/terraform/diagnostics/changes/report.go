// Package changes describes what a plan does to single fields: the conflicts, how to avoid them, and the fields that
// are released, shared or left to other managers. Begin with [Planned], which is the one warning of a plan.
// [TakenBack] and others are about parts of objects that other clients created.
//
// A plan lists a hundred conflicts of an object and counts the rest.
package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// mostConflicts is the number of conflicts that are listed. Terraform shows a warning as a whole, and no user decides
// about thousands of fields one by one.
const mostConflicts = 100

// InPart stands for two long values, whose difference is in the lines below.
const InPart = "changes in part (see below)"

// report writes the paragraphs of a plan.
type report struct {
	names     diagnostics.Names
	plan      ssa.Plan
	now       time.Time
	conflicts []ownership.Change
}

// reportOf returns the report of a plan. now is the time from which the ages of other managers' writes are computed.
func reportOf(names diagnostics.Names, plan ssa.Plan, now time.Time) report {
	// A line to copy belongs in the resource, which does not repeat what a rule adds.
	plan.Lines.Ignored = slices.DeleteFunc(slices.Clone(plan.Lines.Ignored), func(pattern string) bool {
		return names.ByRule(arguments.IgnoreFields, pattern) != ""
	})
	return report{names: names, plan: plan, now: now, conflicts: byLoss(plan.Conflicts())}
}

// refused returns the string for a plan with conflicts that on_conflict = "fail" refuses, or with additions that
// on_addition = "fail" does.
func (r report) refused() string {
	var reasons []string
	if len(r.conflicts) > 0 {
		reasons = append(reasons, r.because(r.names.Of(arguments.OnConflict)))
	}
	if r.plan.Additions.AreRefused() {
		reasons = append(reasons, r.because(r.names.Of(arguments.OnAddition)))
	}
	why := strings.Join(slices.DeleteFunc(reasons, func(reason string) bool { return reason == "" }), " and ")
	parts := []string{"nothing is applied" + diagnostics.Given(why, ", because "+why) + ".", r.refusedAdditions()}
	if len(r.conflicts) > 0 {
		parts = append(parts, r.conflictParagraph(), r.wayOut(), r.names.If(arguments.OnConflict,
			"To "+r.act()+" "+r.them()+` anyway, set %s = "force".`))
	}
	return diagnostics.Paragraphs(parts...)
}

// because returns `on_conflict is "fail"`, with the rule that sets the argument; "" for "".
func (r report) because(argument string) string {
	return diagnostics.Given(argument, argument+` is "fail"`+byRules([]string{r.names.ByRule(argument, "")}))
}

// text returns the paragraphs of the report: first the conflicts and how to avoid them, then the changes that need no
// decision.
func (r report) text() string {
	var parts []string
	fight := r.fight()
	if fight != "" {
		parts = append(parts, fight, r.wayOut())
	}
	if len(r.conflicts) > 0 {
		parts = append(parts, r.conflictParagraph())
	}
	if len(r.conflicts) > 0 && fight == "" {
		parts = append(parts, r.wayOut())
	}
	all := rows(r.names)
	for i, fields := range byRow(all, slices.DeleteFunc(slices.Clone(r.plan.Changes), ownership.Change.IsConflict)) {
		if len(fields) > 0 {
			parts = append(parts, all[i].paragraph(r, fields))
		}
	}
	parts = append(parts, r.refilled())
	text := diagnostics.Paragraphs(parts...)
	return strings.ToLower(text[:1]) + text[1:]
}

// fight returns a sentence about the fields that each apply takes back from the same manager again. It returns "" if
// there is nothing.
func (r report) fight() string {
	var fights []string
	const takesBack = "takes back what the same manager changed"
	act := ""
	for _, change := range r.listed() {
		if change.Again > 1 {
			does := takesBack
			if change.Why == ownership.Unwanted {
				does = "removes what the same manager added"
			}
			if act = cmp.Or(act, does); act != does {
				act = "undoes what the same manager did"
			}
			fights = append(fights, fmt.Sprintf("%s, for the %s time in a row", change.Field, ordinal(change.Again)))
		}
	}
	if len(fights) == 0 {
		return ""
	}
	return "The apply again " + act + ": " + strings.Join(fights, "; ") +
		". This repeats until one of the two stops setting it."
}

// refilled returns a paragraph about the fields that the API server fills in again; "" if it fills in none.
func (r report) refilled() string {
	var added, unwanted []string
	for _, change := range r.plan.Changes {
		switch {
		case change.Refilled == "", change.Why == ownership.Defaulted:
		case r.isAddition(change):
			added = append(added, change.Field)
		default:
			unwanted = append(unwanted, change.Field)
		}
	}
	inList := diagnostics.Number(len(unwanted), "remove its path from ", "remove their paths from ") +
		r.names.Named(arguments.RemoveFields) + ", or "
	return diagnostics.Paragraphs(cannotKeepAway(unwanted, r.names.Named(arguments.RemoveFields), inList),
		cannotKeepAway(added, r.names.Of(arguments.OnAddition), ""))
}

// cannotKeepAway returns a paragraph about fields that an argument removes and the API server fills in again; ""
// without any. way ends the warning, as does a value of the user.
func cannotKeepAway(fields []string, argument, way string) string {
	if len(fields) == 0 {
		return ""
	}
	it, value := "it", "the value"
	if len(fields) > 1 {
		it, value = "them", "these values"
	}
	return fmt.Sprintf("%s cannot keep %s away: the API server fills %s in again. This apply removes %[3]s once. "+
		"Nobody owns %[4]s then, and later plans leave %[3]s alone. To end this warning now, %[5]sset the value that "+
		"you want.", argument, strings.Join(fields, ", "), it, value, way)
}

// isAddition reports whether on_addition, and not remove_fields, removes the field of a change.
func (r report) isAddition(change ownership.Change) bool {
	return change.Why == ownership.Unwanted && !slices.Contains(r.plan.Lines.Removed, change.With)
}

// ordinal returns 2nd, 3rd, 11th.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n) + suffix
}

func (r report) conflictParagraph() string {
	return r.heading() + diagnostics.ListOf(r.conflicts, mostConflicts, func(change ownership.Change) string {
		text := fmt.Sprintf("%s: %s, owned by %s%s",
			change.Field, fate(change), diagnostics.Owners(change.Owners, r.now), differing(change))
		for _, note := range r.notes(change) {
			text += "\n    " + note
		}
		return text
	})
}

// fate returns what happens to the value of a conflict.
func fate(change ownership.Change) string {
	switch {
	case change.What != ownership.Removing:
		return values(change)
	case change.With == "", change.Has(ownership.Unwanted, ownership.Covered, ownership.Obstacle) &&
		change.With == change.Field:
		return quoted(change) + ", removed" + again(change)
	case change.Item != "":
		return quoted(change) + ", removed with the list item " + change.With
	default:
		return quoted(change) + ", removed with " + change.With
	}
}

// values returns a field's value before and after, with their types if the values look alike.
func values(change ownership.Change) string {
	if isHidden(change.Was) && change.Was == change.Becomes {
		return change.Was + ", set to another value"
	}
	if !isRetyped(change) {
		return fromTo(change)
	}
	return typed(change.Was, change.WasType) + " -> " + typed(change.Becomes, change.BecomesType)
}

// fromTo returns a value before and after. Long values only have their difference, in lines of its own.
func fromTo(change ownership.Change) string {
	switch {
	case change.Why == ownership.Equivalent:
		return "equivalent (see below)"
	case change.Difference != nil:
		return InPart
	}
	return fmt.Sprintf("%q -> %q", change.Was, change.Becomes)
}

// differing returns the lines in which long values differ.
func differing(change ownership.Change) string {
	var text strings.Builder
	for _, line := range change.Difference {
		text.WriteString("\n      " + line)
	}
	return text.String()
}

// isHidden reports whether a string stands for every secret value.
func isHidden(value string) bool { return value == rendering.Redacted || value == rendering.Unstored }

func typed(value, as string) string {
	if as == ownership.AString {
		value = fmt.Sprintf("%q", value)
	}
	return fmt.Sprintf("%s (%s)", value, as)
}

// listed returns the conflicts that the report lists.
func (r report) listed() []ownership.Change {
	return r.conflicts[:min(len(r.conflicts), mostConflicts)]
}

func (r report) heading() string {
	n, heading := len(r.conflicts), taking
	switch removed := r.removed(); {
	case removed == n:
		heading = removing
	case removed > 0:
		heading = takingOrRemoving
	case !slices.ContainsFunc(r.conflicts, func(c ownership.Change) bool { return !r.isEquivalent(c) }):
		heading = takingEquivalent
	case r.takesBack():
		heading = takingBack
	}
	return heading.of(n) + "\n"
}

// removed returns the number of conflicts about fields that the apply removes together with the map or list that
// contains them.
func (r report) removed() int {
	n := 0
	for _, change := range r.conflicts {
		if change.What == ownership.Removing {
			n++
		}
	}
	return n
}

// act returns the verb for the effect of the apply on the conflicting fields.
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

// takesBack reports whether all conflicts are about fields that other managers changed since the last apply.
func (r report) takesBack() bool {
	return !slices.ContainsFunc(r.conflicts, func(c ownership.Change) bool {
		return c.What != ownership.Retaking
	})
}

// notes returns the lines that explain a conflict.
func (r report) notes(change ownership.Change) []string {
	var notes []string
	for _, owner := range change.Owners {
		if reaction := owner.Reaction(); reaction != "" && r.names.Target != "" {
			notes = append(notes, reaction)
		}
	}
	if change.What == ownership.Removing {
		return notes
	}
	if change.What == ownership.Overruling && change.Owned {
		notes = append(notes, "The field is shared now; this change takes it from them.")
	}
	if change.What == ownership.Overruling && !change.Owned {
		notes = append(notes, "They changed it since the last apply, and "+r.names.Body+" changes it too.")
	}
	if change.What == ownership.Retaking && !r.takesBack() {
		notes = append(notes, "Taken back: the last apply set it.")
	}
	if r.isEquivalent(change) {
		written := fmt.Sprintf("write %q", change.Was)
		if change.Why == ownership.Equivalent {
			written = "write what it has"
		}
		notes = append(notes, "The values are equivalent; "+written+" to share the field instead of taking it.")
	}
	return notes
}

// isEquivalent reports whether a conflict is about a value that the server turns into the current value of the field.
func (r report) isEquivalent(c ownership.Change) bool {
	isShown := !isHidden(c.Was) && !isRetyped(c) && (c.Difference == nil || c.Why == ownership.Equivalent)
	return c.What != ownership.Removing && c.Was != c.Becomes && isShown && r.plan.State != nil &&
		r.plan.State.ManagedState[c.Field] == c.Was
}

// byLoss returns changes in the order in which a reader has to see them: values of controllers, autoscalers among them,
// values that people set by hand, values of tools, and labels and annotations last. Equal ones stay sorted by path.
func byLoss(changes []ownership.Change) []ownership.Change {
	return slices.SortedStableFunc(slices.Values(changes), func(a, b ownership.Change) int {
		return cmp.Compare(loss(a), loss(b))
	})
}

// loss returns the position of a change in that order.
func loss(change ownership.Change) ownership.Writer {
	if strings.HasPrefix(change.Field, "metadata.labels") || strings.HasPrefix(change.Field, "metadata.annotations") {
		return ownership.Tool + 1
	}
	first := ownership.Tool
	for _, owner := range change.Owners {
		first = min(first, owner.Writer())
	}
	return first
}
