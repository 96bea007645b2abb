package diagnostics

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// mostConflicts is how many conflicts are listed. Terraform shows a warning as a whole, and nobody decides about
// thousands of fields one by one.
const mostConflicts = 100

// Changes returns the one warning of a plan: the fields that change hands against somebody's value, and those
// that are released, stay with others, or are shared from now on. now tells how long ago others wrote.
func (w Words) Changes(plan ssa.Plan, now time.Time) diag.Diagnostic {
	r := report{words: w, plan: plan, now: now, conflicts: plan.Conflicts()}
	summary := "Field Ownership Change"
	if len(r.conflicts) > 0 {
		summary = "Field Ownership Conflict"
	}
	return diag.NewWarningDiagnostic(about(summary, plan.Object), plan.Object.String()+": "+r.text())
}

// ConflictsRefused returns the error of a plan that has conflicts and must not have any.
func (w Words) ConflictsRefused(plan ssa.Plan, now time.Time) diag.Diagnostic {
	r := report{words: w, plan: plan, now: now, conflicts: plan.Conflicts()}
	return diag.NewErrorDiagnostic("Field Ownership Conflict", paragraphs(
		plan.Object.String()+": nothing is applied"+given(w.OnConflict, ", because "+w.OnConflict+` is "fail"`)+".",
		r.conflictParagraph(),
		r.wayOut(),
		given(w.OnConflict, "To "+r.act()+" "+r.them()+" anyway, set "+w.OnConflict+` = "force".`),
	))
}

// report writes the paragraphs of a plan.
type report struct {
	words     Words
	plan      ssa.Plan
	now       time.Time
	conflicts []prediction.Change
}

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
	for _, section := range slices.Concat(r.words.unowned(), r.words.owned()) {
		if fields := r.of(section); len(fields) > 0 {
			parts = append(parts, section.paragraph(r, fields))
		}
	}
	text := paragraphs(parts...)
	return strings.ToLower(text[:1]) + text[1:]
}

// fight says which fields are taken back again and again; "" for none.
func (r report) fight() string {
	var fights []string
	act := "takes back what the same manager changed"
	for _, change := range r.listed() {
		if change.Again > 1 {
			if change.IsExcess {
				act = "removes what the same manager added"
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
	var text strings.Builder
	text.WriteString(r.heading())
	for _, change := range r.listed() {
		fmt.Fprintf(&text, "\n  %s: %s, owned by %s", change.Field, fate(change), r.owners(change.Others))
		for _, note := range r.notes(change) {
			text.WriteString("\n    " + note)
		}
	}
	if more := len(r.conflicts) - mostConflicts; more > 0 {
		fmt.Fprintf(&text, "\n  and %d more", more)
	}
	return text.String()
}

// values returns a field's value before and after, with their types where the values look alike.
func values(change prediction.Change) string {
	if change.Types == (prediction.Retyped{}) {
		return fmt.Sprintf("%q -> %q", change.Was, change.Becomes)
	}
	return typed(change.Was, change.Types.Was) + " -> " + typed(change.Becomes, change.Types.Becomes)
}

func typed(value string, as prediction.ValueType) string {
	if as == prediction.AString {
		value = fmt.Sprintf("%q", value)
	}
	return fmt.Sprintf("%s (%s)", value, as)
}

// listed returns the conflicts that the report names.
func (r report) listed() []prediction.Change {
	return r.conflicts[:min(len(r.conflicts), mostConflicts)]
}

func (r report) heading() string {
	back, n, removed := r.takesBack(), len(r.conflicts), r.removed()
	switch {
	case removed == n && n == 1:
		return "The apply removes a field of another owner:\n"
	case removed == n:
		return fmt.Sprintf("The apply removes %d fields of other owners:\n", n)
	case removed > 0:
		return fmt.Sprintf("The apply takes %d fields from other owners, and changes or removes their values:\n", n)
	case back && n == 1:
		return "The apply takes back a field that another owner changed:\n"
	case back:
		return fmt.Sprintf("The apply takes back %d fields that other owners changed:\n", n)
	case n == 1:
		return "The apply takes a field from another owner and changes its value:\n"
	default:
		return fmt.Sprintf("The apply takes %d fields from other owners and changes their values:\n", n)
	}
}

// takesBack reports whether all conflicts are about fields that others changed since the last apply.
func (r report) takesBack() bool {
	return !slices.ContainsFunc(r.conflicts, func(c prediction.Change) bool { return c.Transition != ownership.Retaking })
}

// notes returns the lines that explain a conflict.
func (r report) notes(change prediction.Change) []string {
	var notes []string
	for _, owner := range change.Others {
		if reaction := owner.Reaction(); reaction != "" && !r.words.creates() {
			notes = append(notes, reaction)
		}
	}
	if change.Transition == ownership.Removing {
		return notes
	}
	if change.Transition == ownership.Overruling && change.Owned {
		notes = append(notes, "The field is shared now; this change takes it from them.")
	}
	if change.Transition == ownership.Overruling && !change.Owned {
		notes = append(notes, "They changed it since the last apply, and "+r.words.Body+" changes it too.")
	}
	if change.Transition == ownership.Retaking && !r.takesBack() {
		notes = append(notes, "Taken back: the last apply set it.")
	}
	if change.Was != rendering.Redacted && change.Types == (prediction.Retyped{}) && r.plan.State.ManagedState[change.Field] == change.Was {
		notes = append(notes, fmt.Sprintf("The values are equivalent; write %q to share the field instead of taking it.", change.Was))
	}
	return notes
}

// owners returns managers, each with what is known about it.
func (r report) owners(all []ownership.Holder) string {
	texts := make([]string, len(all))
	for i, manager := range all {
		texts[i] = manager.String()
		if who := r.who(manager); who != "" {
			texts[i] += " (" + who + ")"
		}
	}
	return strings.Join(texts, " and ")
}

// who says what is known about a manager and when it wrote last.
func (r report) who(manager ownership.Holder) string {
	var facts []string
	if known := manager.KnownAs(); known != "" {
		facts = append(facts, known)
	}
	if !manager.Time.IsZero() {
		facts = append(facts, "last write "+duration.HumanDuration(max(0, r.now.Sub(manager.Time)))+" ago")
	}
	return strings.Join(facts, ", ")
}

// wayOut returns what the user can do to avoid the conflicts; "" if the resource has no argument for that.
func (r report) wayOut() string {
	return paragraphs(r.wayOutOfPins(), r.wayOutOfLengths(), r.wayOutOfRemoving(), r.wayOutOfIgnoring())
}

// wayOutOfRemoving returns how fields that nobody shall set are kept.
func (r report) wayOutOfRemoving() string {
	if !slices.ContainsFunc(r.conflicts, func(c prediction.Change) bool { return c.IsUnwanted }) {
		return ""
	}
	return given(r.words.RemoveFields, "To keep a field of "+r.words.RemoveFields+", remove its path there.")
}

// wayOutOfLengths returns how entries of lists that are too long are kept.
func (r report) wayOutOfLengths() string {
	var limits []string
	for _, list := range r.plan.Lists {
		if len(list.Removed) > 0 {
			limits = append(limits, fmt.Sprintf("%s has %s, and %s allows %d.", list.Field, entries(list.Length), r.words.ListLengths, list.Max))
		}
	}
	if len(limits) == 0 {
		return ""
	}
	return strings.Join(limits, " ") + " To keep the entries, raise max or remove enforce."
}

// wayOutOfPins returns how the conflicts about pinned fields are avoided.
func (r report) wayOutOfPins() string {
	if !slices.ContainsFunc(r.conflicts, r.isPinned) {
		return ""
	}
	return given(r.words.Repin, "To pin the value that a field of "+r.words.PinFields+" has now, change "+r.words.Repin+".")
}

// isPinned reports whether a change is about a pinned field.
func (r report) isPinned(change prediction.Change) bool {
	if r.plan.State == nil {
		return false
	}
	_, is := r.plan.State.Pinned[change.Field]
	return is
}

// wayOutOfIgnoring returns the line that leaves conflicts to their owners. A field that the apply removes together with a
// list item stays where the item itself is ignored. It returns "" if all conflicts are about pinned fields and lists that are too long.
func (r report) wayOutOfIgnoring() string {
	ignorable := slices.DeleteFunc(slices.Clone(r.listed()), func(c prediction.Change) bool { return c.IsExcess || r.isPinned(c) })
	if len(ignorable) == 0 {
		return ""
	}
	lead := "To leave it to its owner, with the value it has now:"
	if len(ignorable) > 1 {
		lead = "To leave them to their owners, with the values they have now:"
	}
	if len(r.conflicts) > mostConflicts {
		lead = "To leave these fields to their owners, with the values they have now (the next plan lists the rest):"
	}
	fields := slices.Clone(r.plan.Ignored)
	for _, change := range ignorable {
		field := change.Field
		if change.Transition == ownership.Removing {
			field = change.With
		}
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return given(r.words.IgnoreFields, lead+"\n\n"+r.words.ignoreLine(fields))
}

func (r report) them() string {
	if len(r.conflicts) > 1 {
		return "them"
	}
	return "it"
}
