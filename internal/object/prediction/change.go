package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// fieldChanges are what a plan does to single fields.
type fieldChanges struct {
	// reported are those that the plan has to report, sorted by path, and then the losses of other managers that go
	// with them. conflicts are those of them that are conflicts, as both plans know them.
	reported, conflicts []ownership.Change
	// rewritten are values that stay in the manifest and that the server changes.
	rewritten []ownership.Change
	// removed are fields of ours alone that are removed with the manifest.
	removed []ownership.Change
}

// changes returns what happens to the fields that we owned before or will own. shown are the values after the apply,
// shown as those of the prior state are.
func (in Inputs) changes(
	foreseen ownership.Prediction, shown map[string]string, formatter *paths.Formatter,
) fieldChanges {
	declared := ownership.ReconcileFields(in.Wanted.Prior.DeclaredBefore(), in.BecameAtomic)
	facts := fieldDiff{
		Inputs: in, declared: declared, filled: in.NonEmpty(), before: desiredBefore(in.Wanted, in.Known()),
		now: desiredBy(in.Wanted, in.Body), after: foreseen.After.Others(in.Wanted.FieldManager),
		taken: map[string][]ownership.Holder{}, shown: shown, formatter: formatter,
		live: projection.NewReader(in.Wanted.Prior.Live), answer: projection.NewReader(in.Result),
		tried: projection.NewReader(in.Tried), recorded: in.Wanted.LiveRenderer(),
		priorRenderer: in.Wanted.Prior.Snapshot.Renderer(),
	}
	facts.renderer = facts.recorded.Knowing(in.Wanted.Prior.Live)
	facts.ignored, _ = projection.Covered(declared.Union(in.Applied), facts.now.ignored, in.Wanted.Manifest.Object)
	facts.undecided, _ = in.Wanted.UndecidedFields(in.Applied)
	facts.leavingItems, facts.sentItems = leavingItems(in), sentItems(in)
	for _, taken := range foreseen.Taken {
		facts.taken[paths.ID(taken.Path)] = taken.From
	}
	var all fieldChanges
	listed := map[string]bool{}
	note := func(path paths.Path, change ownership.Change) {
		// Whether another change is listed first may depend on the live object, on which conflicts must not.
		conflict, is := facts.conflict(path, change)
		if is {
			all.conflicts = withField(all.conflicts, conflict)
		}
		if !listed[change.Field] {
			listed[change.Field] = true
			all.reported = append(all.reported, change)
		}
	}
	applied := in.Applied.Leaves().Union(foreseen.TakenFields())
	paths.Walk(applied.Union(declared.Leaves()), func(path paths.Path, _ bool) {
		if !applied.Has(path) && paths.Touches(facts.filled, path) {
			return
		}
		change, isReported := facts.change(path)
		if isReported {
			note(path, change)
		} else if becomes, is := facts.rewritten(path); is {
			all.rewritten = withField(all.rewritten, becomes)
		} else if facts.isRemoved(path, change) {
			change.Was, change.Becomes = in.Wanted.Prior.ManagedState[facts.priorField(path)], ownership.RemovedValue
			all.removed = withField(all.removed, change)
		}
	})
	facts.removals(foreseen.Removed, note)
	return all
}

// withField returns changes with another one, unless they have one of its field: parts of a hidden list have its name.
func withField(changes []ownership.Change, change ownership.Change) []ownership.Change {
	if slices.ContainsFunc(changes, func(c ownership.Change) bool { return c.Field == change.Field }) {
		return changes
	}
	return append(changes, change)
}

// isRemoved reports whether a field of ours alone, of which a plan reports no change, is removed with the manifest.
func (f fieldDiff) isRemoved(path paths.Path, change ownership.Change) bool {
	_, hasValue := f.Wanted.Prior.ManagedState[f.priorField(path)]
	if _, remains := f.shown[change.Field]; remains {
		return false // Another part of a hidden list.
	}
	isOurs := change.What == ownership.Leaving && len(change.Owners) == 0 && change.Why == ""
	return isOurs && hasValue && !f.Wanted.PinsAgain(path)
}

// removals notes the fields that other managers lose because something around them is removed or replaced.
func (f fieldDiff) removals(removed []ownership.Removed, note func(paths.Path, ownership.Change)) {
	for _, lost := range removed {
		change := ownership.Change{
			Field: f.renderer.Names(f.formatter).Format(lost.Path), What: ownership.Removing,
			Was: valueBefore(f.Wanted.Prior, f.live, f.priorField(lost.Path), f.renderer, lost.Path), Owners: lost.From,
			With: f.renderer.Names(f.formatter).Format(lost.With),
			Why: f.whyRemoved(lost.With, paths.OrEmpty(f.Removes).Has(lost.With),
				paths.OrEmpty(f.Obstacles).Has(lost.With)),
		}
		if lost.With[len(lost.With)-1].FieldName == nil {
			change.Item = change.With
		}
		f.refill(&change, lost.Path, lost.With, f.tried, f.renderer)
		remains := func(holder ownership.Holder) bool { return !f.Rewrite.TakesOver(holder.Manager) }
		switch {
		case f.isForgotten(lost.With):
			change.What, change.Becomes, change.Owners = ownership.Unclaimed, ownership.RemovedValue, nil
		case change.IsRequested():
			change.Owned = change.Why == ownership.Obstacle &&
				f.Wanted.Claims().Own(f.Rewrite.PreviousManager).Has(lost.Path)
			change.Again = f.Wanted.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Owners) + 1
		case !slices.ContainsFunc(change.Owners, remains):
			// The configuration has agreed to it.
			change.What, change.Becomes = ownership.Unclaimed, ownership.RemovedValue
		}
		if len(f.renderer.RedactedPath(lost.Path)) < len(lost.Path) {
			change.Was = rendering.Redacted // The line is about the whole list.
		}
		note(lost.Path, change)
	}
}

// rewritten returns what the server makes of a value that the manifest had before, too; false if it leaves it.
func (f fieldDiff) rewritten(path paths.Path) (ownership.Change, bool) {
	field := f.priorField(path)
	becomes, known := f.shown[field]
	live, has := f.Wanted.Prior.ManagedState[field]
	if !known || !has || becomes == live {
		return ownership.Change{}, false
	}
	if facts := f.of(path); !facts.Owned.Before || !facts.Owned.After || facts.Configured || facts.Contested {
		return ownership.Change{}, false
	}
	if len(f.renderer.RedactedPath(path)) < len(path) { // The values shown are those of the whole list.
		was, _ := f.live.Lookup(path)
		now, _ := f.answer.Lookup(path)
		// The plan of an apply has not read the object.
		if f.Wanted.Prior.Live == nil || projection.Fingerprint(was) == projection.Fingerprint(now) {
			return ownership.Change{}, false
		}
	}
	return ownership.Change{Field: field, What: ownership.Keeping, Was: live, Becomes: becomes}, true
}

// conflict returns a change as both of Terraform's plans know it: from the state, its snapshot and the answer to the
// dry-run, and not from the live object. It returns false if the change is not a conflict.
func (f fieldDiff) conflict(path paths.Path, change ownership.Change) (ownership.Change, bool) {
	if !change.What.IsConflict() {
		return change, false
	}
	change.Field = f.recorded.Names(f.formatter).Format(path)
	change.Was = valueBefore(f.Wanted.Prior, projection.NewReader(nil), f.priorField(path), f.recorded, path)
	return change, true
}

// change returns what the plan reports about one field, and false if it reports nothing.
func (f fieldDiff) change(path paths.Path) (ownership.Change, bool) {
	facts := f.of(path)
	transition, outcome := facts.Classify()
	change := ownership.Change{
		Field:  f.renderer.Names(f.formatter).Format(path),
		What:   transition,
		Owners: f.after.Holders(path),
		Owned: f.Wanted.Claims().Own(f.Wanted.FieldManager).Has(path) ||
			f.Wanted.Claims().Own(f.Rewrite.PreviousManager).Has(path),
	}
	if transition.IsConflict() {
		change.Owners = f.taken[paths.ID(path)]
	}
	if !facts.Owned.After {
		switch {
		case (f.Rewrite.Release.Has(path) || f.ignored.Has(path)) && !paths.Touches(f.leavingItems, path):
			change.Why = ownership.Ignored
		case paths.Touches(paths.OrEmpty(f.Forgotten.Needed), path):
			change.Why = ownership.Needed
		case len(change.Owners) > 0 || f.isForgotten(path) || paths.Touches(paths.OrEmpty(f.Forgotten.Kept), path):
		default:
			change.Why, change.Refilled = f.leftWith(path)
		}
		if item := f.outermostItem(path); len(item) < len(path) {
			change.Item = f.renderer.Names(f.formatter).Format(item)
		}
	}
	_, hasValue := f.Wanted.Prior.ManagedState[f.priorField(path)]
	if facts.Owned.After {
		change.WasType, change.BecomesType = f.retyped(path)
	}
	if !facts.Owned.After && f.Wanted.PinsAgain(path) {
		return change, false // The apply releases it and claims it again.
	}
	if f.Wanted.IsPart && paths.IsKeyField(path) && outcome == ownership.ReportedIfShared {
		return change, false // A part finds the list item of another manager by its key.
	}
	isKept := hasValue && outcome == ownership.ReportedIfKept && paths.Touches(paths.OrEmpty(f.Forgotten.Kept), path)
	if !reported(outcome, change, hasValue) && !isKept && change.WasType == "" {
		return change, false
	}
	change.Was, change.Becomes = valueBefore(f.Wanted.Prior, f.live, f.priorField(path), f.renderer, path),
		f.asks(path, f.renderer)
	if change.Was == noValue && ownership.HasNamedParts(f.Wanted.Claims().Fields(), path) {
		change.Was = "(a map)"
	}
	if len(f.renderer.RedactedPath(path)) < len(path) {
		change.Becomes = rendering.Redacted // The line is about the whole list.
	} else if becomes, presence := f.answer.Lookup(path); presence == projection.Present {
		live, _ := f.live.Lookup(path)
		change.Difference = differenceOf(path, live, becomes, f.renderer, f.priorRenderer)
		if asked, _ := f.now.sent.Lookup(path); projection.Fingerprint(live) == projection.Fingerprint(becomes) {
			change.Difference = partsOf(path, live, asked, f.renderer, f.priorRenderer)
			if change.Difference != nil && change.What.IsConflict() {
				change.Why = ownership.Equivalent
			}
		}
	}
	if transition == ownership.Retaking {
		change.Again = f.Wanted.Prior.Snapshot.RepeatedConflicts.With(change.Field, change.Owners) + 1
	}
	return change, true
}

func reported(outcome ownership.Outcome, change ownership.Change, hasValue bool) bool {
	switch outcome {
	case ownership.Reported:
		return true
	case ownership.ReportedIfShared:
		return len(change.Owners) > 0 && !change.Owned
	case ownership.ReportedIfKept:
		if change.Why == ownership.Ignored {
			return hasValue && (change.Owned || len(change.Owners) > 0)
		}
		return len(change.Owners) > 0 || change.Has(ownership.Stuck, ownership.Defaulted)
	default:
		return false
	}
}

// Opponents returns the managers from which an apply with changes takes fields back, or removes list items.
func Opponents(changes []ownership.Change) []record.Opponent {
	var opponents []record.Opponent
	for _, change := range changes {
		if change.What != ownership.Retaking && !change.IsRequested() {
			continue
		}
		for _, manager := range change.Owners {
			opponents = append(opponents, record.Opponent{Field: change.Field, Manager: manager.String()})
		}
	}
	return opponents
}

// NotOnlyOf returns changes without those that are about one manager alone.
func NotOnlyOf(manager string, changes []ownership.Change) []ownership.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c ownership.Change) bool { return isOnlyOf(manager, c) })
}

func isOnlyOf(manager string, c ownership.Change) bool {
	isOther := func(h ownership.Holder) bool { return h.Name != manager }
	return len(c.Owners) > 0 && !slices.ContainsFunc(c.Owners, isOther)
}

// WithoutGiven returns changes without those that only concern giver, a manager that gives its fields up: it shares
// them, or they keep their values. planned is the state after the apply; nil if it is not known.
func WithoutGiven(changes []ownership.Change, giver string, planned *PlannedState) []ownership.Change {
	return slices.DeleteFunc(changes, func(c ownership.Change) bool {
		keepsValue := c.What.IsConflict() && planned != nil && planned.ManagedState[c.Field] == c.Was
		return (c.What == ownership.Declaring || keepsValue) && isOnlyOf(giver, c)
	})
}

// ChangedFields returns the fields whose value in body differs from that in the object, those that body adds, and those
// that left it.
func ChangedFields(w wanted.Wanted, body map[string]any) []paths.Path {
	p, known := w.Prior, w.Claims().Fields()
	before, now := desiredBefore(w, known), desiredBy(w, body)
	declared := p.DeclaredBefore()
	renderer := p.Snapshot.Renderer()
	names := renderer.Names(w.Claims().Formatter())
	var changed []paths.Path
	paths.Walk(known.Leaves(), func(path paths.Path, _ bool) {
		was, is := before.of(path, renderer), now.of(path, renderer)
		if is.sent == projection.Absent {
			if was.sent == projection.Present && declared.Has(path) {
				changed = append(changed, path)
			}
			return
		}
		value, _ := now.sent.Lookup(path)
		live, others := p.Snapshot.Values[paths.ID(path)]
		shown, ours := p.ManagedState[names.Format(path)]
		switch {
		case ours && was == is:
		case now.writeOnly.Match(path):
			changed = append(changed, path)
		case others && live == is.value, ours && shown == renderer.Text(path, value):
		default:
			changed = append(changed, path)
		}
	})
	return addedFields(body, known, nil, changed)
}

// addedFields appends to found the fields of value that known does not hold, each without its parts.
func addedFields(value any, known *paths.Set, at paths.Path, found []paths.Path) []paths.Path {
	visit := func(element paths.PathElement, part any) {
		below, path := paths.Children(known, element), paths.Below(at, element)
		switch {
		case below != nil:
			found = addedFields(part, below, path, found)
		case !paths.Has(known, element):
			found = append(found, path)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			visit(paths.Field(name), part)
		}
	case []any:
		for i, element := range projection.NameItems(value, known) {
			visit(element, value[i])
		}
	}
	return found
}

// Between returns a function that returns one of fields with its live value and the one that body gives it, without a
// prediction: for a change that the server refuses.
func Between(w wanted.Wanted, body map[string]any, fields *paths.Set) func(paths.Path) ownership.Change {
	formatter := w.Claims().Formatter(fields)
	before, renderer := w.Prior.Snapshot.Renderer(), w.LiveRenderer().Knowing(w.Prior.Live)
	live, sent := projection.NewReader(w.Prior.Live), projection.NewReader(body)
	undecided, _ := w.UndecidedFields(fields)
	return func(path paths.Path) ownership.Change {
		change := ownership.Change{
			Field: renderer.Names(formatter).Format(path), Becomes: ownership.RemovedValue,
			Was: valueBefore(w.Prior, live, before.Names(formatter).Format(path), renderer, path),
		}
		value, presence := sent.Lookup(path)
		switch {
		case undecided.Has(path):
			change.Becomes = undecidedValue
		case presence == projection.Present:
			change.Becomes = renderer.Text(path, value)
		}
		return change
	}
}
