package patching

import (
	"reflect"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// changes returns the values that an apply changes or removes and that no attribute shows, in order of their paths, and
// then the fields that leave the patch.
func (a attempt) changes(targets *paths.Set) []prediction.Change {
	var changes []prediction.Change
	asked := a.asked()
	for _, difference := range a.differences() {
		change, isReported := a.change(difference)
		if !paths.Touches(asked, difference.Path) {
			change.Transition, isReported = ownership.Unclaimed, true // The server changes it because of the patch.
		}
		if isReported {
			changes = append(changes, change)
		}
	}
	return append(changes, a.leavingChanges(targets)...)
}

// asked returns the fields that the patch itself changes.
func (a attempt) asked() *paths.Set {
	fields := paths.NewSet()
	for _, field := range a.result.Fields(a.claims.Fields().Union(a.left.Fields())) {
		fields.Insert(field.Path)
	}
	return fields
}

// differences returns the values of the object that the answer changes or lacks, apart from the fields that the server
// writes by itself.
func (a attempt) differences() []projection.Difference {
	before, _ := projection.Strip(a.prior.Live, record.ServerFields(a.prior.Object)).(map[string]any)
	after, _ := projection.Strip(a.answer.Object.Object, record.ServerFields(a.prior.Object)).(map[string]any)
	return projection.Differences(before, after, a.claims.Fields().Union(a.left.Fields()))
}

// change returns what the plan reports about a field whose value changes. It returns false if we alone gave the field
// its value.
func (a attempt) change(difference projection.Difference) (prediction.Change, bool) {
	path := difference.Path
	change := a.describe(path, difference.Before)
	isRemoved := difference.Presence == projection.Absent
	if change.Becomes = prediction.RemovedValue; !isRemoved {
		change.Becomes = a.text(path, difference.After)
	}
	declared := paths.OrEmpty(a.prior.Snapshot.Fields.Declared).Has(path)
	isSame := a.prior.Settings.Body == a.intent.Patch.Text
	switch {
	case len(change.Others) == 0 && change.Owned:
		return change, false
	case len(change.Others) == 0:
		change.Transition = ownership.Unclaimed
	case isRemoved:
		change.Transition = ownership.Removing
	case declared && isSame:
		change.Transition = ownership.Retaking
		change.Again = a.prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
	case declared:
		change.Transition = ownership.Overruling
	default:
		change.Transition = ownership.Taking
	}
	return change, true
}

// describe returns a change of a field without its new value.
func (a attempt) describe(path paths.Path, was any) prediction.Change {
	change := prediction.Change{
		Field: a.names().Format(path), Was: a.text(path, was), Owned: paths.Touches(a.claims.Own(a.intent.FieldManager), path),
	}
	for _, claim := range a.claims.Others(a.intent.FieldManager) {
		if paths.Touches(claim.Fields, path) {
			change.Others = append(change.Others, claim.Holder())
		}
	}
	return change
}

func (a attempt) text(path paths.Path, value any) string {
	renderer := a.intent.Renderer(a.prior.Object, a.prior.Snapshot).Knowing(a.prior.Live).Knowing(a.answer.Object.Object)
	if renderer.IsSecret(path) || len(renderer.RedactedPath(path)) < len(path) {
		return rendering.Redacted
	}
	return renderer.Text(path, value)
}

// leavingChanges returns what the plan reports about the fields that leave the patch.
func (a attempt) leavingChanges(targets *paths.Set) []prediction.Change {
	removed, released := a.leaving(targets)
	reader := projection.NewReader(a.answer.Object.Object)
	var changes []prediction.Change
	report := func(fields *paths.Set, fill func(*prediction.Change)) {
		paths.Walk(fields.Leaves(), func(path paths.Path, _ bool) {
			value, presence := reader.Lookup(path)
			if presence != projection.Present || paths.IsKeyField(path) {
				return
			}
			change := a.describe(path, value)
			fill(&change)
			changes = append(changes, change)
		})
	}
	report(removed, func(change *prediction.Change) {
		change.Transition, change.Becomes, change.Others = ownership.Unclaimed, prediction.RemovedValue, nil
	})
	report(released, func(change *prediction.Change) {
		change.Transition, change.Ignored = ownership.Leaving, len(change.Others) == 0
	})
	return changes
}

// newItems returns the outermost list items with keys that a strategic merge patch adds, in order of their paths. The
// author of the patch may have meant to change an existing one.
func (a attempt) newItems() []ssa.NewItem {
	if !a.intent.Patch.MergesItems() {
		return nil
	}
	live := projection.NewReader(a.prior.Live)
	return ssa.NewItems(a.left.Own(a.intent.FieldManager), live, a.names(), func(path paths.Path) bool {
		_, presence := live.Lookup(path)
		return presence == projection.Absent
	})
}

// leaving returns the fields that our last apply left with us and to which the patch gives no values any more. removed
// are those that we added and no other manager owns. released are those that keep their values.
func (a attempt) leaving(targets *paths.Set) (removed, released *paths.Set) {
	snapshot := a.prior.Snapshot
	declared, added := paths.OrEmpty(snapshot.Fields.Declared), paths.OrEmpty(snapshot.Fields.Added)
	// The patch of the last apply was in effect on the fields on which it left our claims.
	held := a.left.WithForgotten(a.intent.FieldManager, snapshot.Claims.Own(a.intent.FieldManager))
	others := held.Others(a.intent.FieldManager).Fields()
	left := paths.Filter(held.Own(a.intent.FieldManager), func(path paths.Path) bool {
		return (declared.Has(path) || added.Has(path)) && !paths.Touches(targets, path)
	})
	removed = paths.Filter(left, func(path paths.Path) bool { return added.Has(path) && !ownership.Holds(others, path) })
	return removed, left.Difference(removed)
}

// overwritten returns the fields that the apply took and that the plan did not show. planned is the object that the
// plan has read.
func (a attempt) overwritten(planned map[string]any) []ssa.Overwritten {
	if planned == nil {
		return nil
	}
	var news []ssa.Overwritten
	known := projection.NewReader(planned)
	for _, difference := range a.differences() {
		was, presence := known.Lookup(difference.Path)
		change, isReported := a.change(difference)
		if presence == projection.Present && reflect.DeepEqual(was, difference.Before) || !isReported || !change.Transition.IsConflict() {
			continue
		}
		for _, manager := range change.Others {
			news = append(news, ssa.Overwritten{Field: change.Field, By: manager.String(), Was: change.Was})
		}
	}
	return news
}

// opponents returns the managers from which the apply takes fields back.
func opponents(changes []prediction.Change) []record.Opponent {
	var all []record.Opponent
	for _, change := range changes {
		if change.Transition != ownership.Retaking {
			continue
		}
		for _, manager := range change.Others {
			all = append(all, record.Opponent{Field: change.Field, Manager: manager.String()})
		}
	}
	return slices.Clip(all)
}
