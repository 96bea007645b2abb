package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/phrases"
)

// wayOut describes how to avoid the conflicts; "" if the resource has no argument for that.
func (r Report) wayOut() string {
	return phrases.Paragraphs(r.wayOutOfPins(), r.wayOutOfLengths(), r.wayOutOfRemoving(), r.wayOutOfIgnoring())
}

// wayOutOfRemoving describes how to keep fields that remove_fields removes.
func (r Report) wayOutOfRemoving() string {
	if !slices.ContainsFunc(r.conflicts, func(c prediction.Change) bool { return c.IsUnwanted }) {
		return ""
	}
	return phrases.Given(r.names.RemoveFields, "To keep a field, remove its path from "+r.names.RemoveFields+".")
}

// wayOutOfLengths describes how to keep the entries of lists that are too long.
func (r Report) wayOutOfLengths() string {
	var limits []string
	for _, list := range r.plan.Lists {
		if len(list.Removed) > 0 {
			limits = append(limits, fmt.Sprintf("%s has %s, and %s allows %d.", list.Field, phrases.Entries(list.Length), r.names.ListLengths, list.Max))
		}
	}
	if len(limits) == 0 {
		return ""
	}
	return strings.Join(limits, " ") + " To keep the entries, raise max or remove enforce."
}

// wayOutOfPins describes how to avoid the conflicts about pinned fields.
func (r Report) wayOutOfPins() string {
	if !slices.ContainsFunc(r.conflicts, r.isPinned) {
		return ""
	}
	return phrases.Given(r.names.Repin, "To pin the value that a field of "+r.names.PinFields+" has now, change "+r.names.Repin+".")
}

// isPinned reports whether a change is about a pinned field.
func (r Report) isPinned(change prediction.Change) bool {
	if r.plan.State == nil {
		return false
	}
	_, is := r.plan.State.Pinned[change.Field]
	return is
}

// wayOutOfIgnoring returns the ignore_fields line that leaves the conflicting fields to their owners. To keep a field
// that the apply removes together with a list item, the line ignores the item. It returns "" if all conflicts are about
// pinned fields and lists that are too long.
func (r Report) wayOutOfIgnoring() string {
	ignorable := slices.DeleteFunc(slices.Clone(r.listed()), func(c prediction.Change) bool { return c.IsExplicit || r.isPinned(c) })
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
	if r.names.IgnoreFields == "" {
		return phrases.Given(r.names.Patch, fmt.Sprintf("To leave %s to the owner, remove %[1]s from %s.", r.them(), r.names.Patch))
	}
	return phrases.Given(r.names.IgnoreFields, lead+"\n\n"+r.names.IgnoreLine(fields))
}

func (r Report) them() string {
	if len(r.conflicts) > 1 {
		return "them"
	}
	return "it"
}
