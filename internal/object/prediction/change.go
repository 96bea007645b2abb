package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Change is what a plan reports about one field.
type Change struct {
	Field      string
	Transition ownership.Transition
	// Was and Becomes are the live value and ours, as attributes show them.
	Was, Becomes string
	// Difference is how two long values differ, if this run has read the object; nil for short and secret ones.
	Difference []string
	// IsEquivalent is true if the server makes the live value of ours: Difference is between what the two say.
	IsEquivalent bool
	// Types is set if Was and Becomes look alike but are values of two types.
	Types Retyped
	// Others are the managers concerned: for a conflict those that lose the field, otherwise those that own it after
	// the apply.
	Others []ownership.Holder
	// Owned is true if we own the field now, even if other managers own it too.
	Owned bool
	// Ignored is true for a field that is left to other managers, and false for one that left the manifest. If that one
	// has no Others, another client has changed it and no manager owns it.
	Ignored bool
	// Again is how often in a row, this apply included, we take the field back from one of Others; 0 if it is not taken
	// back.
	Again int
	// With is what Field is removed with, for Removing: a list item that leaves, a map entry that leaves, or a
	// field whose value is replaced. For IsDropped, it may be several fields.
	With string
	// WithItem is true if With is a list item.
	WithItem bool
	// Item is the list item of a field that leaves, if the apply sets nothing of it. To remove the field from the
	// object is to remove the item, which cannot lose its keys. It is "" for all other fields.
	Item string
	// IsExplicit is true if the apply removes With by a request of its own: its list has more items than list_lengths
	// allows, or IsUnwanted.
	IsExplicit bool
	// IsObstacle is true if the apply removes With, or Field if no manager owns it, because the server refuses it
	// beside what the manifest declares. IsShared is true if we own it, too.
	IsObstacle, IsShared bool
	// IsDropped is true if the server changes or removes the field by itself, because the apply removes With.
	IsDropped bool
	// IsStuck is true if we own the field and no manager will, and the server keeps its value nevertheless: the value
	// cannot be changed, or the server or an admission webhook sets it again.
	IsStuck bool
	// IsNeeded is true if the field leaves the manifest or patch and keeps its value, because the server refuses the
	// object without it.
	IsNeeded bool
	// IsRewritten is true if the manifest gives the field the value that it has, and the server, a policy or a webhook
	// makes another one of it.
	IsRewritten bool
	// IsOrder is true if Field is a list, and Was and Becomes are the order of its items.
	IsOrder bool
	// IsUnwanted is true if remove_fields covers With, or Field if no manager owns it. Refilled is the value that the
	// server then gives Field by itself, or when it leaves the manifest; "" if it has none.
	IsUnwanted bool
	Refilled   string
	// IsUnfit is true for a removed field that no manager owns, if nothing of ours leaves with it: the server has no
	// such field beside the new values, the node port of a Service that gets another type, for instance.
	IsUnfit bool
}

// changes returns what the plan reports about the fields that we owned before or will own, in order of their paths, and
// then what other managers lose with them; those of them that are conflicts; and what the server makes of values that
// stay in the manifest. shown are the values after the apply, shown as those of the prior state are.
func (in Inputs) changes(
	foreseen ownership.Prediction, shown map[string]string, formatter *paths.Formatter,
) (changes []Change, conflicts []Conflict, rewritten []Change) {
	declared := ownership.ReconcileFields(in.Wanted.Prior.DeclaredBefore(), in.BecameAtomic)
	facts := fieldDiff{
		Inputs: in, declared: declared, filled: in.NonEmpty(), before: desiredBefore(in.Wanted.Prior, in.Known()),
		now:   desiredBy(in.Wanted, in.Body),
		after: foreseen.After.Others(in.Wanted.FieldManager), taken: map[string][]ownership.Holder{},
		shown: shown, formatter: formatter, answer: projection.NewReader(in.Result),
		priorRenderer: in.Wanted.Prior.Snapshot.Renderer(),
		renderer:      in.Wanted.LiveRenderer().Knowing(in.Wanted.Prior.Live),
	}
	facts.ignored, _ = projection.Covered(declared.Union(in.Applied), facts.now.ignored, in.Wanted.Manifest.Object)
	facts.undecided, _ = in.Wanted.UndecidedFields(in.Applied)
	for _, taken := range foreseen.Taken {
		facts.taken[paths.ID(taken.Path)] = taken.From
	}
	listed := map[string]bool{}
	note := func(path paths.Path, change Change) {
		// Whether another change is listed first may depend on the live object, on which conflicts must not.
		conflict, is := facts.conflict(path, change)
		isNew := !slices.ContainsFunc(conflicts, func(c Conflict) bool { return c.Field == conflict.Field })
		if is && isNew {
			conflicts = append(conflicts, conflict)
		}
		if !listed[change.Field] {
			listed[change.Field] = true
			changes = append(changes, change)
		}
	}
	applied := in.Applied.Leaves().Union(foreseen.TakenFields())
	paths.Walk(applied.Union(declared.Leaves()), func(path paths.Path, _ bool) {
		if !applied.Has(path) && paths.Touches(facts.filled, path) {
			return
		}
		if change, isReported := facts.change(path); isReported {
			note(path, change)
		} else if change, is := facts.rewritten(path); is {
			rewritten = append(rewritten, change)
		}
	})
	facts.removals(foreseen.Removed, note)
	return changes, conflicts, rewritten
}

// removals notes the fields that other managers lose because something around them is removed or replaced.
func (f fieldDiff) removals(removed []ownership.Removed, note func(paths.Path, Change)) {
	for _, lost := range removed {
		change := Change{
			Field: f.renderer.Names(f.formatter).Format(lost.Path), Transition: ownership.Removing,
			Was: valueBefore(f.Wanted.Prior, f.priorField(lost.Path), f.renderer, lost.Path), Others: lost.From,
			With:       f.renderer.Names(f.formatter).Format(lost.With),
			WithItem:   lost.With[len(lost.With)-1].FieldName == nil,
			IsExplicit: paths.OrEmpty(f.Removes).Has(lost.With), IsUnwanted: f.Wanted.Remove.Match(lost.With),
			IsObstacle: paths.OrEmpty(f.Obstacles).Has(lost.With),
		}
		change.Others = f.exceptOwnUpdates(change)
		change.Refilled = f.refilled(change.IsUnwanted, lost.Path, f.renderer)
		change.IsShared = change.IsObstacle && f.Wanted.Claims().Own(f.Rewrite.PreviousManager).Has(lost.Path)
		remains := func(holder ownership.Holder) bool { return !f.Rewrite.TakesOver(holder.Manager) }
		switch {
		case f.isForgotten(lost.With):
			change.Transition, change.Becomes, change.Others = ownership.Unclaimed, RemovedValue, nil
		case change.IsExplicit || change.IsObstacle:
			change.Again = f.Wanted.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
		case !slices.ContainsFunc(change.Others, remains):
			change.Transition, change.Becomes = ownership.Unclaimed, RemovedValue // The configuration has agreed to it.
		}
		if len(f.renderer.RedactedPath(lost.Path)) < len(lost.Path) {
			change.Was = rendering.Redacted // The line is about the whole list.
		}
		note(lost.Path, change)
	}
}

// rewritten returns what the server makes of a value that the manifest had before, too; false if it leaves it.
func (f fieldDiff) rewritten(path paths.Path) (Change, bool) {
	field := f.priorField(path)
	becomes, known := f.shown[field]
	live, has := f.Wanted.Prior.ManagedState[field]
	if !known || !has || becomes == live {
		return Change{}, false
	}
	if facts := f.of(path); !facts.OwnedBefore || !facts.OwnedAfter || facts.Configured || facts.Contested {
		return Change{}, false
	}
	return Change{Field: field, Transition: ownership.Keeping, Was: live, Becomes: becomes, IsRewritten: true}, true
}

// conflict returns a change as a conflict; false if it is not one.
func (f fieldDiff) conflict(path paths.Path, change Change) (Conflict, bool) {
	renderer := f.Wanted.LiveRenderer()
	found := Conflict{
		Field: renderer.Names(f.formatter).Format(path), Owners: change.Others,
		Before: valueRecorded(f.Wanted.Prior, f.priorField(path), renderer, path),
	}
	switch {
	case change.Transition == ownership.Removing:
		found.Effect = Removes
		return found, true
	case !change.Transition.IsConflict():
		return Conflict{}, false
	case len(change.Others) == 0:
		found.Effect = SetsBack
	case change.Transition == ownership.Retaking:
		found.Effect = TakesBack
	default:
		found.Effect = Takes
	}
	return found, true
}

// change returns what the plan reports about one field, and false if it reports nothing.
func (f fieldDiff) change(path paths.Path) (Change, bool) {
	facts := f.of(path)
	transition, outcome := facts.Classify()
	change := Change{
		Field:      f.renderer.Names(f.formatter).Format(path),
		Transition: transition,
		Others:     f.after.Holders(path),
		Owned: f.Wanted.Claims().Own(f.Wanted.FieldManager).Has(path) ||
			f.Wanted.Claims().Own(f.Rewrite.PreviousManager).Has(path),
	}
	if transition.IsConflict() {
		change.Others = f.taken[paths.ID(path)]
	}
	if !facts.OwnedAfter {
		change.Ignored = f.Rewrite.Release.Has(path) || f.ignored.Has(path)
		isForgotten := f.isForgotten(path) || paths.Touches(paths.OrEmpty(f.Forgotten.Kept), path)
		if len(change.Others) == 0 && !change.Ignored && !isForgotten {
			change.IsStuck, change.Refilled = f.leftWith(path)
		}
		change.IsNeeded = paths.Touches(paths.OrEmpty(f.Forgotten.Needed), path)
		if item := f.outermostItem(path); len(item) < len(path) {
			change.Item = f.renderer.Names(f.formatter).Format(item)
		}
	}
	_, hasValue := f.Wanted.Prior.ManagedState[f.priorField(path)]
	if facts.OwnedAfter {
		change.Types = f.retyped(path)
	}
	if !facts.OwnedAfter && f.Wanted.PinsAgain(path) {
		return change, false // The apply releases it and claims it again.
	}
	if f.Wanted.IsPart && paths.IsKeyField(path) && outcome == ownership.ReportedIfShared {
		return change, false // A part finds the list item of another manager by its key.
	}
	isKept := hasValue && outcome == ownership.ReportedIfKept && paths.Touches(paths.OrEmpty(f.Forgotten.Kept), path)
	if !reported(outcome, change, hasValue) && !isKept && change.Types == (Retyped{}) {
		return change, false
	}
	change.Was, change.Becomes = valueBefore(f.Wanted.Prior, f.priorField(path), f.renderer, path), f.asks(path,
		f.renderer)
	if change.Was == noValue && ownership.HasNamedParts(f.Wanted.Claims().Fields(), path) {
		change.Was = "(a map)"
	}
	if len(f.renderer.RedactedPath(path)) < len(path) {
		change.Becomes = rendering.Redacted // The line is about the whole list.
	} else if becomes, presence := f.answer.Lookup(path); presence == projection.Present {
		live, _ := projection.Lookup(f.Wanted.Prior.Live, path)
		change.Difference = differenceOf(path, live, becomes, f.renderer, f.priorRenderer)
		if asked, _ := f.now.sent.Lookup(path); projection.Fingerprint(live) == projection.Fingerprint(becomes) {
			change.Difference = partsOf(path, live, asked, f.renderer, f.priorRenderer)
			change.IsEquivalent = change.Difference != nil
		}
	}
	if transition == ownership.Retaking {
		change.Again = f.Wanted.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Others) + 1
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
		return len(change.Others) > 0 || change.IsStuck || change.Refilled != ""
	default:
		return false
	}
}

// Opponents returns the managers from which an apply with changes takes fields back, or removes list items.
func Opponents(changes []Change) []record.Opponent {
	var opponents []record.Opponent
	for _, change := range changes {
		if change.Transition != ownership.Retaking && !change.IsExplicit && !change.IsObstacle {
			continue
		}
		for _, manager := range change.Others {
			opponents = append(opponents, record.Opponent{Field: change.Field, Manager: manager.String()})
		}
	}
	return opponents
}

// WithoutShared returns changes without those that share a field with one manager alone: with the one that gives its
// fields up, for instance.
func WithoutShared(changes []Change, manager string) []Change {
	return slices.DeleteFunc(changes, func(c Change) bool {
		isOther := func(h ownership.Holder) bool { return h.Name != manager }
		return c.Transition == ownership.Declaring && !slices.ContainsFunc(c.Others, isOther)
	})
}
