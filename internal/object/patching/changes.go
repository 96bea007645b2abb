package patching

import (
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// changes returns the values that an apply changes or removes and that no attribute shows, sorted by path, and then the
// fields that leave the patch.
func (a apply) changes(targets *paths.Set) []ownership.Change {
	var changes []ownership.Change
	asked := a.asked()
	for _, difference := range a.differences() {
		change, isReported := a.change(difference)
		if !paths.Touches(asked, difference.Path) {
			change.What, isReported = ownership.Unclaimed, true // The server changes it because of the patch.
		}
		if isReported {
			changes = append(changes, change)
		}
	}
	changes = append(changes, a.listChanges(changes)...)
	return append(changes, a.leavingChanges(targets, changes)...)
}

// listChanges returns the lists of which the patch sets single entries and that other managers apply as a whole: they
// lose the list, and their next apply meets it, although their entries stay. already are the changes of entries.
func (a apply) listChanges(already []ownership.Change) []ownership.Change {
	var changes []ownership.Change
	after := projection.NewReader(a.answer.Object.Object)
	for _, list := range a.atomicLists(a.wanted.Prior.Live) {
		was, _ := a.live.Lookup(list.Path)
		is, presence := after.Lookup(list.Path)
		entries := a.names.Format(list.Path) + "["
		isReported := slices.ContainsFunc(already, func(c ownership.Change) bool {
			return strings.HasPrefix(c.Field, entries) && len(c.Owners) > 0
		})
		if isReported || reflect.DeepEqual(was, is) {
			continue
		}
		change, _ := a.change(projection.Difference{Path: list.Path, Before: was, After: is, Presence: presence})
		change.Owners = slices.DeleteFunc(change.Owners, func(holder ownership.Holder) bool {
			return holder.Operation != metav1.ManagedFieldsOperationApply
		})
		if len(change.Owners) > 0 {
			changes = append(changes, change)
		}
	}
	return changes
}

// asked returns the fields that the patch itself changes.
func (a apply) asked() *paths.Set {
	fields := paths.NewSet()
	for _, change := range projection.Changes(a.result.Before, a.result.After, a.known()) {
		fields.Insert(change.Path)
	}
	return fields
}

// differences returns the values of the object that the answer changes or lacks, apart from the fields that the server
// writes by itself.
func (a apply) differences() []projection.Difference {
	before, _ := projection.Strip(a.wanted.Prior.Live, record.ServerFields(a.wanted.Prior.Object)).(map[string]any)
	after, _ := projection.Strip(a.answer.Object.Object, record.ServerFields(a.wanted.Prior.Object)).(map[string]any)
	return projection.Differences(before, after, a.known())
}

// atomicLists returns the lists of an object of which the patch sets single entries and that have one owner as a whole.
func (a apply) atomicLists(object map[string]any) []record.AtomicList {
	claims, err := record.ClaimsOf(a.wanted.Prior.Object, &unstructured.Unstructured{Object: object})
	if err != nil {
		return nil // claimsOn has failed with the same error.
	}
	return record.AtomicLists(object, a.wanted.Patch.ListKeys(), claims.Fields())
}

// known returns the fields that managers own before or after the patch, and the entries of lists that it merges by
// keys: they may have no owner.
func (a apply) known() *paths.Set {
	known := a.wanted.Claims().Fields().Union(a.left.Fields())
	for _, object := range []map[string]any{a.wanted.Prior.Live, a.answer.Object.Object} {
		for _, list := range a.atomicLists(object) {
			for _, entry := range list.Entries {
				if path := paths.Below(list.Path, entry); !paths.Touches(known, path) {
					known.Insert(path)
				}
			}
		}
	}
	return known
}

// change returns what the plan reports about a field whose value changes. It returns false if we alone own the field,
// and the state shows the value.
func (a apply) change(difference projection.Difference) (ownership.Change, bool) {
	path := difference.Path
	change := a.describe(path, difference.Before)
	isRemoved := difference.Presence == projection.Absent
	if change.Becomes = ownership.RemovedValue; !isRemoved {
		change.Becomes = a.text(path, difference.After)
		change.Difference = a.difference(difference)
	}
	declared := paths.Touches(paths.OrEmpty(a.wanted.Prior.Snapshot.Fields.Declared), path)
	before := a.wanted.Prior.Arguments.Patch
	isSame := before != nil && before.Text == a.wanted.Patch.Text
	switch {
	case len(change.Owners) == 0 && change.Owned:
		change.What = ownership.Unclaimed
		return change, !a.isShown(path)
	case len(change.Owners) == 0:
		change.What = ownership.Unclaimed
	case isRemoved:
		change.What = ownership.Removing
	case declared && isSame:
		change.What = ownership.Retaking
		change.Again = a.wanted.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Owners) + 1
	case declared:
		change.What = ownership.Overruling
	default:
		change.What = ownership.Taking
	}
	return change, true
}

// isShown reports whether the state shows the value that a change of path replaces, or that of a field around it.
func (a apply) isShown(path paths.Path) bool {
	for length := len(path); length > 0; length-- {
		shown, is := a.wanted.Prior.ManagedState[a.names.Format(path[:length])]
		if !is {
			continue
		}
		value, _ := a.live.Lookup(path[:length])
		was := a.text(path[:length], value)
		return shown == was || was == rendering.Redacted
	}
	return false
}

// describe returns a change of a field without its new value.
func (a apply) describe(path paths.Path, was any) ownership.Change {
	claims, own := a.wanted.Claims(), a.wanted.FieldManager
	touch := func(fields *paths.Set) bool { return paths.Touches(fields, path) }
	return ownership.Change{
		Field: a.names.Format(path), Was: a.text(path, was),
		Owned: touch(claims.Own(own)), Owners: ownership.HoldersOf(claims.Others(own), touch),
	}
}

func (a apply) text(path paths.Path, value any) string {
	if a.renderer.IsSecret(path) || len(a.renderer.RedactedPath(path)) < len(path) {
		return rendering.Redacted
	}
	return a.renderer.Text(path, value)
}

// difference returns how two long values differ; nil for secret ones.
func (a apply) difference(changed projection.Difference) []string {
	if len(a.renderer.RedactedPath(changed.Path)) < len(changed.Path) {
		return nil
	}
	return a.renderer.Difference(changed.Path, changed.Before, changed.After)
}

// leavingChanges returns what the plan reports about the fields that leave the patch, apart from those of told.
func (a apply) leavingChanges(targets *paths.Set, told []ownership.Change) []ownership.Change {
	pruned, preserved := a.leaving(targets)
	reader, sent := projection.NewReader(a.answer.Object.Object), projection.NewReader(a.result.After)
	unowned := projection.Unowned(a.answer.Object.Object, a.left.Fields())
	with := paths.Filter(unowned.Leaves(), func(path paths.Path) bool { return wanted.Inside(pruned, path) })
	known := a.left.Fields()
	var changes []ownership.Change
	report := func(fields *paths.Set, fill func(*ownership.Change)) {
		paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) {
			value, presence := reader.Lookup(path)
			// A map with fields of other managers neither leaves nor stays by itself.
			if presence != projection.Present || paths.IsKeyField(path) || ownership.HasParts(known, path) {
				return
			}
			change := a.describe(path, value)
			was, presence := a.live.Lookup(path)
			isReset := presence == projection.Present && !reflect.DeepEqual(was, value) && !sent.Has(path)
			switch {
			case !isReset:
				fill(&change)
			case slices.ContainsFunc(told, func(c ownership.Change) bool { return c.Field == change.Field }):
				return
			default: // The patch has removed it, and the server has filled it in.
				change.What, change.Why, change.Owners = ownership.Leaving, ownership.Defaulted, nil
				change.Was, change.Refilled = a.text(path, was), change.Was
			}
			changes = append(changes, change)
		})
	}
	if a.cannotLeave {
		report(pruned, func(change *ownership.Change) {
			change.What, change.Why, change.Owners = ownership.Leaving, ownership.Needed, nil
		})
		pruned, with = paths.NewSet(), paths.NewSet()
	}
	report(pruned, func(change *ownership.Change) {
		change.What, change.Becomes, change.Owners = ownership.Unclaimed, ownership.RemovedValue, nil
	})
	report(with, func(change *ownership.Change) {
		change.What, change.Becomes = ownership.Unclaimed, ownership.RemovedValue
		change.Owners, change.Owned = nil, false
	})
	report(preserved, func(change *ownership.Change) {
		if change.What = ownership.Leaving; len(change.Owners) == 0 {
			change.Why = ownership.Ignored
		}
	})
	return changes
}

// newItems returns the outermost list items with keys that a strategic merge patch adds, sorted by path. The author of
// the patch may have meant to change an existing one.
func (a apply) newItems() []ownership.Change {
	if !a.wanted.Patch.MergesItems() {
		return nil
	}
	return prediction.NewItems(a.left.Own(a.wanted.FieldManager), a.live, a.names, func(path paths.Path) bool {
		return !a.live.Has(path)
	})
}

// leaving returns the fields that our last apply left with us and to which the patch gives no values any more. pruned
// are those that we added and no other manager owns, now or when the plan was made. preserved are those that keep their
// values.
func (a apply) leaving(targets *paths.Set) (pruned, preserved *paths.Set) {
	snapshot := a.wanted.Prior.Snapshot
	declared, added := paths.OrEmpty(snapshot.Fields.Declared), paths.OrEmpty(snapshot.Fields.Added)
	promised := a.renderer.UnmaskSet(paths.OrEmpty(snapshot.Fields.Kept), a.answer.Object.Object)
	// The patch of the last apply was in effect on the fields on which it left our claims.
	held := a.left.WithForgotten(a.wanted.FieldManager, snapshot.Claims.Own(a.wanted.FieldManager))
	others := held.Others(a.wanted.FieldManager).Fields()
	left := paths.Filter(held.Own(a.wanted.FieldManager), func(path paths.Path) bool {
		return (declared.Has(path) || added.Has(path)) && !paths.Touches(targets, path)
	})
	gone := wanted.Withdrawn(paths.Filter(left, func(path paths.Path) bool {
		return !promised.Has(path) && !ownership.Holds(others, path)
	}), added)
	pruned = paths.Filter(left, func(path paths.Path) bool { return wanted.Inside(gone, path) })
	return pruned, left.Difference(pruned)
}

// overwritten returns the fields that the apply took and that the plan did not show. planned is the object that the
// plan has read.
func (a apply) overwritten(planned map[string]any) []ownership.Change {
	if planned == nil {
		return nil
	}
	var since []ownership.Change
	known := projection.NewReader(planned)
	for _, difference := range a.differences() {
		was, presence := known.Lookup(difference.Path)
		change, isReported := a.change(difference)
		isNews := presence != projection.Present || !reflect.DeepEqual(was, difference.Before)
		if !isReported || !isNews || difference.Before == nil {
			continue
		}
		since = append(since, change.ByOwner()...)
	}
	return since
}
