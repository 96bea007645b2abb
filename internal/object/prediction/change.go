package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

// Change is what a plan reports about one field.
type Change struct {
	Field      string
	Transition ownership.Transition
	// Was and Becomes are the live value and ours, as attributes show them.
	Was, Becomes string
	// Types is set if Was and Becomes look alike but are values of two types.
	Types Retyped
	// Others are the managers concerned: for a conflict those that lose the field, otherwise those that own it after
	// the apply.
	Others []ownership.Holder
	// Owned is true if we own the field now, even if other managers own it too.
	Owned bool
	// Ignored is true for a field that is left to other managers, and false for one that left the manifest.
	Ignored bool
	// Again is how often in a row, this apply included, we take the field back from one of Others; 0 if it is not taken
	// back.
	Again int
	// With is what Field is removed with, for Removing: a list item that leaves, a map entry that leaves, or a
	// field whose value is replaced.
	With string
	// WithItem is true if With is a list item.
	WithItem bool
	// IsExplicit is true if the apply removes With by a request of its own: its list has more items than list_lengths
	// allows, or IsUnwanted.
	IsExplicit bool
	// IsUnwanted is true if remove_fields covers With, or Field if no manager owns it.
	IsUnwanted bool
}

// changes returns what the plan reports about the fields that we owned before or will own, in order of their paths, and
// then what other managers lose with them. shown are the values after the apply, shown as those of the prior state are.
func (in Prediction) changes(foreseen ownership.Prediction, shown map[string]string, formatter *paths.Formatter) []Change {
	declared := ownership.ReconcileFields(in.Prior.DeclaredBefore(), in.BecameAtomic)
	facts := fieldDiff{
		Prediction: in, declared: declared, before: desiredBefore(in.Prior, in.Known()), now: desiredBy(in.Intent, in.Body),
		after: foreseen.After.Others(in.Intent.FieldManager), taken: map[string][]ownership.Holder{},
		shown: shown, formatter: formatter, answer: projection.NewReader(in.Result),
		priorRenderer: in.Prior.Snapshot.Renderer(), renderer: in.Intent.Renderer(in.Prior.Object, in.Prior.Snapshot).Knowing(in.Prior.Live),
	}
	facts.ignored, _ = projection.Covered(declared.Union(in.Applied), facts.now.ignored, in.Intent.Manifest.Object)
	facts.undecided, _ = in.Intent.UndecidedFields(in.Applied)
	for _, taken := range foreseen.Taken {
		facts.taken[paths.ID(taken.Path)] = taken.From
	}
	var changes []Change
	listed := map[string]bool{}
	applied := in.Applied.Leaves().Union(foreseen.TakenFields())
	paths.Walk(applied.Union(declared.Leaves()), func(path paths.Path, _ bool) {
		if !applied.Has(path) && paths.Touches(in.Applied, path) {
			return
		}
		if change, isReported := facts.change(path); isReported && !listed[change.Field] {
			listed[change.Field] = true
			changes = append(changes, change)
		}
	})
	return append(changes, facts.removals(foreseen.Removed, listed)...)
}

// removals returns the fields that other managers lose because something around them is removed or replaced, each field
// that is not listed yet once.
func (f fieldDiff) removals(removed []ownership.Removed, listed map[string]bool) []Change {
	var changes []Change
	for _, lost := range removed {
		change := Change{
			Field: f.renderer.Names(f.formatter).Format(lost.Path), Transition: ownership.Removing,
			Was: valueBefore(f.Prior, f.priorField(lost.Path), f.renderer, lost.Path), Others: lost.From,
			With: f.renderer.Names(f.formatter).Format(lost.With), WithItem: lost.With[len(lost.With)-1].FieldName == nil,
			IsExplicit: paths.OrEmpty(f.Removes).Has(lost.With), IsUnwanted: f.Intent.Remove.Match(lost.With),
		}
		if change.IsExplicit {
			change.Again = f.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
		} else if !slices.ContainsFunc(lost.From, func(holder ownership.Holder) bool { return !f.Rewrite.TakesOver(holder.Manager) }) {
			change.Transition, change.Becomes = ownership.Unclaimed, RemovedValue // The configuration has agreed to it.
		}
		if len(f.renderer.RedactedPath(lost.Path)) < len(lost.Path) {
			change.Was = rendering.Redacted // The line is about the whole list.
		}
		if !listed[change.Field] {
			listed[change.Field] = true
			changes = append(changes, change)
		}
	}
	return changes
}

// change returns what the plan reports about one field, and false if it reports nothing.
func (f fieldDiff) change(path paths.Path) (Change, bool) {
	facts := f.of(path)
	transition, outcome := facts.Classify()
	change := Change{
		Field:      f.renderer.Names(f.formatter).Format(path),
		Transition: transition,
		Others:     f.after.Holders(path),
		Owned:      f.Claims.Own(f.Intent.FieldManager).Has(path) || f.Claims.Own(f.Rewrite.PreviousManager).Has(path),
	}
	if transition.IsConflict() {
		change.Others = f.taken[paths.ID(path)]
	}
	if !facts.OwnedAfter {
		change.Ignored = f.Rewrite.Release.Has(path) || f.ignored.Has(path)
	}
	_, hasValue := f.Prior.ManagedState[f.priorField(path)]
	if facts.OwnedAfter {
		change.Types = f.retyped(path)
	}
	if !facts.OwnedAfter && f.Intent.PinsAgain(path) {
		return change, false // The apply releases it and claims it again.
	}
	if f.Intent.IsPart && paths.IsKeyField(path) && outcome == ownership.ReportedIfShared {
		return change, false // A part finds the list item of another manager by its key.
	}
	if !reported(outcome, change, hasValue) && change.Types == (Retyped{}) {
		return change, false
	}
	change.Was, change.Becomes = valueBefore(f.Prior, f.priorField(path), f.renderer, path), f.asks(path, f.renderer)
	if change.Was == noValue && ownership.HasNamedParts(f.Claims.Fields(), path) {
		change.Was = "(a map)"
	}
	if len(f.renderer.RedactedPath(path)) < len(path) {
		change.Becomes = rendering.Redacted // The line is about the whole list.
	}
	if transition == ownership.Retaking {
		change.Again = f.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
	}
	return change, true
}

func reported(outcome ownership.Outcome, change Change, hasValue bool) bool {
	switch outcome {
	case ownership.Reported:
		return true
	case ownership.ReportedIfShared:
		return len(change.Others) > 0 && !change.Owned
	case ownership.ReportedIfKept:
		if change.Ignored {
			return hasValue && change.Owned
		}
		return len(change.Others) > 0
	default:
		return false
	}
}
