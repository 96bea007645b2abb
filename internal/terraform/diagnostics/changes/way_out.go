package changes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// wayOut describes how to avoid the conflicts; "" if the resource has no argument for that.
func (r report) wayOut() string {
	if r.plan.Action == ssa.Replace {
		return lost
	}
	return diagnostics.Paragraphs(r.wayOutOfPins(), r.wayOutOfRemoving(),
		r.wayOutOfObstacles(), r.orderLine(r.conflicts), r.wayOutOfIgnoring())
}

// lost is about a replacement, which keeps no value.
const lost = "The plan replaces the object, and the new one does not have what others have written."

// orderLine describes how to keep the order of lists that the apply reorders; "" without any.
func (r report) orderLine(fields []ownership.Change) string {
	if !slices.ContainsFunc(fields, because(ownership.Reordered)) {
		return ""
	}
	return "To keep an order that others gave a list, write the items in that order in " + r.names.Body + "."
}

// wayOutOfRemoving describes how to keep fields that remove_fields removes.
func (r report) wayOutOfRemoving() string {
	at := slices.IndexFunc(r.conflicts, func(c ownership.Change) bool {
		return c.Has(ownership.Unwanted, ownership.Covered) ||
			c.Why == ownership.Dropped && len(r.plan.Lines.Removed) > 0
	})
	if at < 0 {
		return ""
	}
	added := ""
	if r.plan.Additions.AreKept() {
		added = r.keepAdditions()
	}
	if len(r.plan.Lines.Removed) == 0 && added != "" {
		return added
	}
	list := r.names.Of(arguments.RemoveFields)
	if ruleOf := r.names.RuleOf; ruleOf != nil { // A set has the argument in rules alone.
		if rule := ruleOf(arguments.RemoveFields, r.conflicts[at].With); rule != "" {
			list = arguments.RemoveFields + " of " + rule
		}
	}
	return diagnostics.Paragraphs(diagnostics.Given(list, "To keep a field, remove its path from "+list+"."), added)
}

// wayOutOfObstacles describes how to keep what the API server refuses together with the manifest, and how to own it
// alone.
func (r report) wayOutOfObstacles() string {
	var refused []string
	shared := false
	for _, change := range r.conflicts {
		if change.Why == ownership.Obstacle {
			refused, shared = append(refused, change.With), shared || change.Owned
		}
	}
	if refused = slices.Compact(refused); len(refused) == 0 {
		return ""
	}
	what, it := refused[0], "it"
	if len(refused) > 1 {
		what, it = fmt.Sprintf("%s and %d more", what, len(refused)-1), "them"
	}
	lead := fmt.Sprintf("The API server refuses %s together with %s. To keep %s, change %[2]s to fit.",
		what, r.names.Body, it)
	if !shared {
		return lead
	}
	return diagnostics.Paragraphs(lead,
		r.names.TakeOver("Others own it together with you. To own your fields alone:", r.plan.Lines.TakeOver))
}

// removeLine returns the remove_fields line that removes fields which would stay on the object.
func (r report) removeLine(fields []ownership.Change) string {
	removed := slices.Clone(r.plan.Lines.Removed)
	for _, change := range fields[:min(len(fields), mostConflicts)] {
		if field := cmp.Or(change.Item, change.Field); !slices.Contains(removed, field) {
			removed = append(removed, field)
		}
	}
	lead := "To remove " + diagnostics.Number(len(fields), "it", "them") + " from the object"
	return r.names.Adding(lead, r.plan.Object, arguments.RemoveFields, removed)
}

// keepLine returns the line with which fields that leave the manifest keep their values.
func (r report) keepLine(fields []ownership.Change) string {
	ignored := slices.Clone(r.plan.Lines.Ignored)
	for _, change := range fields[:min(len(fields), mostConflicts)] {
		ignored = append(ignored, change.Field)
	}
	values := diagnostics.Number(len(fields), "the value that it has", "the values that they have")
	lead := "To keep " + values + " now, for an autoscaler or another owner to come"
	return r.names.Adding(lead, r.plan.Object, arguments.IgnoreFields, ignored)
}

// setLine describes how to change fields that leave the manifest and that the API server keeps.
func (r report) setLine([]ownership.Change) string {
	refused := ""
	switch {
	case r.names.IsSet():
		refused = " If the API server refuses that, replace the object. " + diagnostics.Recreate(r.names, r.plan.Object)
	case r.names.Target == "": // The resource creates its object.
		refused = " If the API server refuses that, replace the object: terraform apply -replace=ADDRESS."
	}
	return "To give such a field another value, set it in " + r.names.Body + "." + refused
}

// neededLine describes what becomes of fields without which the API server refuses the object.
func (report) neededLine([]ownership.Change) string {
	return "After the apply, this resource does not own them. To remove them, use kubectl, and remove the fields " +
		"that " +
		"need them, too."
}

// sharingLine describes what becomes of shared fields.
func (r report) sharingLine(shared []ownership.Change) string {
	return diagnostics.Paragraphs("If you change a shared field, you take it from the others. If they change it, they "+
		"take it from you, and the next plan takes it back.", leftToControllers(r, shared))
}

// leftToControllers returns the line that ignores the shared fields that another manager sets through a subresource, as
// an autoscaler sets replicas: it will change them. It returns "" without any.
func leftToControllers(r report, shared []ownership.Change) string {
	fields := slices.Clone(r.plan.Lines.Ignored)
	var controlled []string
	for _, change := range shared {
		through := func(owner ownership.Holder) bool { return owner.Subresource != "" }
		if slices.ContainsFunc(change.Owners, through) {
			controlled = append(controlled, change.Field)
		}
	}
	if len(controlled) == 0 {
		return ""
	}
	ignore := r.names.Line(arguments.IgnoreFields, append(fields, controlled...))
	return diagnostics.Given(ignore, "The owner of "+strings.Join(controlled, ", ")+" sets it through a "+
		"subresource, as an autoscaler does, and will change it. To leave it to its owner:\n\n"+ignore)
}

// wayOutOfPins describes how to avoid the conflicts about pinned fields.
func (r report) wayOutOfPins() string {
	if !slices.ContainsFunc(r.conflicts, r.isPinned) {
		return ""
	}
	return r.names.If(arguments.Repin,
		"To pin the value that a field of "+r.names.Of(arguments.PinFields)+" has now, change %s.")
}

// isPinned reports whether a change is about a pinned field.
func (r report) isPinned(change ownership.Change) bool {
	if r.plan.State == nil {
		return false
	}
	_, is := r.plan.State.Pinned[change.Field]
	return is
}

// wayOutOfIgnoring returns the ignore_fields line that leaves the conflicting fields to their owners. To keep a field
// that the apply removes together with a list item, the line ignores the item. It returns "" if all conflicts are about
// pinned fields and lists that are too long.
func (r report) wayOutOfIgnoring() string {
	ignorable := slices.DeleteFunc(slices.Clone(r.listed()),
		func(c ownership.Change) bool { return c.IsRequested() || c.Why == ownership.Reordered || r.isPinned(c) })
	if len(ignorable) == 0 {
		return ""
	}
	lead := diagnostics.Number(len(ignorable), "To leave it to its owner, with the value it has now",
		"To leave them to their owners, with the values they have now")
	if len(r.conflicts) > mostConflicts {
		lead = "To leave these fields to their owners, with the values they have now (the next plan lists the rest)"
	}
	fields := slices.Clone(r.plan.Lines.Ignored)
	for _, change := range r.plan.Conflicts() { // The line stays in the order of the paths.
		field := change.Field
		if change.What == ownership.Removing {
			field = change.With
		}
		isListed := slices.ContainsFunc(ignorable, func(c ownership.Change) bool { return c.Field == change.Field })
		if isListed && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	if r.names.IsPatch {
		return fmt.Sprintf("To leave %s to the owner, remove %[1]s from %s.", r.them(), r.names.Body)
	}
	return r.names.Adding(lead, r.plan.Object, arguments.IgnoreFields, fields)
}

func (r report) them() string { return diagnostics.Number(len(r.conflicts), "it", "them") }
