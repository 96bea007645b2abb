package prediction

import (
	"reflect"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// WithUnshown returns changes together with the live values that the apply changes or removes and that neither an
// attribute of the plan nor one of changes shows, sorted by path. The live values are those of the object as this run
// has read it. If this run has not read it, WithUnshown returns changes as they are. If managers that own fields in
// another version of the kind lose some, the changes of the apply are conflicts with them. Values that another client
// has changed since the read are not changes of the apply.
func (in Inputs) WithUnshown(planned PlannedState, changes []ownership.Change) []ownership.Change {
	live := in.Wanted.Prior.Live
	if live == nil {
		return changes
	}
	known := in.Known().Union(in.Applied)
	formatter := in.Wanted.Claims().Formatter(known)
	renderer := in.Wanted.LiveRenderer().Knowing(live)
	before := in.Wanted.Prior.Snapshot.Renderer()
	names, priorNames := renderer.Names(formatter), before.Names(in.Wanted.Claims().Formatter(in.Known()))
	serverFields, lost := record.ServerFields(in.Wanted.Prior.Object), in.lostElsewhere()
	own := in.Wanted.Claims().Own(in.Wanted.FieldManager)
	released := paths.OrEmpty(in.Unsent).RecursiveDifference(in.removes().Union(leavingItems(in)))
	outcome, renamed := in.Outcome(), renames{own: own, live: projection.NewReader(live)}
	isDoneByOthers, tried := in.doneByOthers(outcome), projection.NewReader(in.Tried)
	whole := in.NonEmpty()
	var more []ownership.Change
	for _, difference := range projection.Differences(live, outcome, known) {
		path := difference.Path
		if isDoneByOthers(path) || paths.Touches(serverFields, path) || paths.Touches(released, path) ||
			ownership.HasParts(own, path) || own.Has(path) && projection.IsEmptyCollection(difference.Before) {
			continue // Parts of ours that end are in managed_state. Those of other managers are losses.
		}
		if paths.IsKeyField(path) && in.isShownBeside(path, renamed.live) {
			continue
		}
		field := names.Format(path)
		if isReportedAround(changes, path, names) || isTakenWhole(changes, path, whole, names) || renamed.has(path) {
			continue
		}
		index := slices.IndexFunc(changes, func(c ownership.Change) bool { return c.Field == field })
		isLost := len(lost) > 0 && paths.Touches(in.Applied, path)
		if index >= 0 && isLost && len(changes[index].Owners) == 0 {
			changes[index].What, changes[index].Owners = ownership.Taking, lost
		}
		if index >= 0 || in.shows(planned, path, names, priorNames) && !isLost {
			continue
		}
		change := ownership.Change{
			Field: field, What: ownership.Unclaimed, Owners: in.Wanted.Claims().Holders(path),
			Was: shownValue(path, difference.Before, renderer, before), Becomes: ownership.RemovedValue,
			Owned: own.Has(path),
			Why: in.whyRemoved(path, paths.Touches(paths.OrEmpty(in.Removes), path) && !in.isForgotten(path),
				paths.Touches(paths.OrEmpty(in.Obstacles), path)),
		}
		in.refill(&change, path, path, tried, renderer)
		if !change.IsRequested() && !in.leavesWithOurs(path) {
			change.Why = ownership.Unfit
		}
		if difference.Presence == projection.Present {
			change.Becomes = renderer.Text(path, difference.After)
			change.Difference = differenceOf(path, difference.Before, difference.After, renderer, before)
		}
		if isLost {
			change.What, change.Owners = ownership.Taking, lost
		}
		more = append(more, change)
	}
	changes = append(changes, more...)
	changes = append(changes, in.dropped(changes, names, renderer)...)
	return append(changes, in.undecidedOverLive(changes)...)
}

// doneByOthers returns a function that reports whether writes of other managers since the read have already given a
// path the value that it has after the apply, or removed it as the apply does.
func (in Inputs) doneByOthers(outcome map[string]any) func(paths.Path) bool {
	if in.Moved == nil {
		return func(paths.Path) bool { return false }
	}
	moved, applied := projection.NewReader(in.Moved), projection.NewReader(outcome)
	return func(path paths.Path) bool {
		before, had := moved.Lookup(path)
		after, has := applied.Lookup(path)
		return had == has && reflect.DeepEqual(before, after)
	}
}

// renames finds the fields of ours that have another name since the keys of their list have changed. managed_state has
// both names.
type renames struct {
	own  *paths.Set
	live *projection.Reader
	// at are the leaves of own by their places in the live object. It is nil until the first search.
	at map[string][]string
}

func (r *renames) has(path paths.Path) bool {
	place, has := r.place(path)
	if !has {
		return false
	}
	if r.at == nil {
		r.at = map[string][]string{}
		paths.Walk(r.own.Leaves(), func(leaf paths.Path, _ bool) {
			if place, has := r.place(leaf); has {
				r.at[place] = append(r.at[place], paths.ID(leaf))
			}
		})
	}
	id := paths.ID(path)
	return slices.ContainsFunc(r.at[place], func(other string) bool { return other != id })
}

// place returns where in the live object a path leads, the same string for each path to one value; false if it leads to
// no value.
func (r *renames) place(path paths.Path) (string, bool) {
	steps, has := r.live.Pointer(path)
	return strings.Join(steps, "\x00"), has
}

// leavesWithOurs reports whether something around a path leaves our claim as a whole.
func (in Inputs) leavesWithOurs(path paths.Path) bool {
	own := in.Wanted.Claims().Own(in.Wanted.FieldManager)
	for length := 1; length < len(path); length++ {
		if around := path[:length]; paths.Touches(own, around) && !paths.Touches(in.Applied, around) {
			return true
		}
	}
	return false
}

// isReportedAround reports whether changes show a path by its parts, or by a removed field around it that is atomic.
func isReportedAround(changes []ownership.Change, path paths.Path, names rendering.Formatter) bool {
	field := names.Format(path)
	around := make([]string, 0, len(path))
	for length := 1; length < len(path); length++ {
		around = append(around, names.Format(path[:length]))
	}
	return slices.ContainsFunc(changes, func(c ownership.Change) bool {
		return c.With == field || c.What == ownership.Removing && slices.Contains(around, c.Field)
	})
}

// isTakenWhole reports whether changes show a path by a conflict about the atomic field of whole around it.
func isTakenWhole(changes []ownership.Change, path paths.Path, whole *paths.Set, names rendering.Formatter) bool {
	for length := 1; length < len(path); length++ {
		around := path[:length]
		if whole.Has(around) && !ownership.HasParts(whole, around) {
			field := names.Format(around)
			return slices.ContainsFunc(changes, func(c ownership.Change) bool {
				return c.Field == field && c.IsConflict()
			})
		}
	}
	return false
}

// undecidedOverLive returns the live values that the apply replaces by values that are not known yet, unless the
// attributes or already show that.
func (in Inputs) undecidedOverLive(already []ownership.Change) []ownership.Change {
	undecided, _ := in.Wanted.UndecidedFields(in.Applied)
	formatter := in.Wanted.Claims().Formatter(in.Known().Union(in.Applied))
	renderer, before := in.Wanted.LiveRenderer().Knowing(in.Wanted.Prior.Live), in.Wanted.Prior.Snapshot.Renderer()
	live, names := projection.NewReader(in.Wanted.Prior.Live), renderer.Names(formatter)
	var changes []ownership.Change
	paths.Walk(undecided, func(path paths.Path, _ bool) {
		value, presence := live.Lookup(path)
		field := names.Format(path)
		_, shown := in.Wanted.Prior.ManagedState[before.Names(formatter).Format(path)]
		isReported := slices.ContainsFunc(already, func(c ownership.Change) bool { return c.Field == field })
		if presence != projection.Present || value == nil || shown || isReported {
			return
		}
		changes = append(changes, ownership.Change{
			Field: field, What: ownership.Unclaimed, Owners: in.Wanted.Claims().Holders(path),
			Was: shownValue(path, value, renderer, before), Becomes: undecidedValue,
		})
	})
	return changes
}

// isShownBeside reports whether the plan already shows the list item around key, which leaves: by other fields in it,
// or by a key field of ours.
func (in Inputs) isShownBeside(key paths.Path, live *projection.Reader) bool {
	item := key[:len(key)-1]
	value, _ := live.Lookup(item)
	fields, _ := value.(map[string]any)
	keys := paths.KeyFields(item[len(item)-1])
	if len(fields) > len(keys) {
		return true
	}
	own := in.Wanted.Claims().Own(in.Wanted.FieldManager)
	for name := range keys {
		if own.Has(append(item.Copy(), paths.Field(name))) {
			return true
		}
	}
	return false
}

// shows reports whether managed_state changes at a path, or at an atomic field around it.
func (in Inputs) shows(planned PlannedState, path paths.Path, names, priorNames rendering.Formatter) bool {
	for length := len(path); length > 0; length-- {
		was, had := in.Wanted.Prior.ManagedState[priorNames.Format(path[:length])]
		if !had {
			continue
		}
		field := names.Format(path[:length])
		is, has := planned.ManagedState[field]
		return !has || is != was || is == rendering.Unstored && slices.Contains(planned.UnknownValues, field)
	}
	return false
}
