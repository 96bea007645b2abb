package report

import (
	"maps"
	"slices"
)

// gapOf returns what a report cannot know of a resource, because the plan does not know the values that it applies; ""
// if it knows all. The warnings of a plan that knows them have all that an apply takes, also where conflicts are not
// known.
func gapOf(change resourceChange) string {
	c := change.Change
	takes := c.AfterUnknown[liveValues] == true && mapIn(c.AfterUnknown, "object_ref")["uid"] != true
	switch {
	case change.Type == setType && isUnknownSet(c.AfterUnknown) && len(c.Before) > 0:
		return "The manifests of " + change.Address + " are known only during the apply, which may delete any of its " +
			"objects."
	case change.Type == setType:
		takes = takesUnknown(change)
	case len(c.Before) == 0, actionOf(change) == Replace: // A create meets no other managers, unless it adopts.
		takes = takes && (change.Type == patchType || adopts(c.After))
	}
	if !takes {
		return ""
	}
	return "What " + change.Address + " takes from other managers is known only during the apply."
}

// adopts reports whether a resource or a rule adopts an object that exists.
func adopts(after map[string]any) bool {
	if own := after["adopt_existing"]; own != nil {
		return own == true
	}
	return mapIn(after, "rules_applied")["adopt_existing"] == true
}

// isOpen reports whether a value is not known, or a part of it.
func isOpen(unknown any) bool {
	switch unknown := unknown.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(unknown)), isOpen)
	case []any:
		return slices.ContainsFunc(unknown, isOpen)
	}
	return unknown == true
}

// computedOfSets are the attributes of a set that do not decide what its apply does.
var computedOfSets = []string{"field_manager", "hooks_to_run", "revision", "objects", "owners_elsewhere", "drifted",
	"pending", conflicts, additions}

// takesUnknown reports whether a set applies manifests with values that are not known, or with arguments that are not,
// to objects that exist.
func takesUnknown(change resourceChange) bool {
	c := change.Change
	before := membersIn(c.Before)
	if actionOf(change) == Replace {
		before = nil
	}
	if len(before) == 0 && !adopts(c.After) {
		return false
	}
	for _, m := range membersIn(c.After) {
		if slices.ContainsFunc(before, m.continues) && isOpenMember(c.AfterUnknown, m.key) {
			return true
		}
	}
	for name, unknown := range c.AfterUnknown {
		isNew := (name == "manifests" || name == "secret_manifests") && !adopts(c.After)
		if !isNew && !slices.Contains(computedOfSets, name) && isOpen(unknown) {
			return true
		}
	}
	return false
}
