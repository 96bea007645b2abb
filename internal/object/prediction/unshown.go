package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// RemovedValue is shown as the new value of a field that an apply removes.
const RemovedValue = "(removed)"

// WithUnshown returns changes and the live values that the apply changes or removes and that neither an attribute of
// the plan nor one of changes shows, in order of their paths. The live values are those of the object as this run has
// read it. If this run has not read it, WithUnshown returns changes as they are. lost are the managers that own fields
// in another version of the kind and lose some: what the apply changes is a conflict with them.
func (in Prediction) WithUnshown(planned PlannedState, changes []Change, lost []ownership.Holder) []Change {
	live := in.Prior.Live
	if live == nil {
		return changes
	}
	known := in.Known().Union(in.Applied)
	formatter := in.Claims.Formatter(known)
	renderer := in.Intent.Renderer(in.Prior.Object, in.Prior.Snapshot).Knowing(live)
	before := in.Prior.Snapshot.Renderer()
	names, priorNames := renderer.Names(formatter), before.Names(formatter)
	serverFields := record.ServerFields(in.Prior.Object)
	var more []Change
	for _, difference := range projection.Differences(live, in.Outcome(), known) {
		path := difference.Path
		if paths.Touches(serverFields, path) || paths.Touches(in.Asked.added, path) || ownership.HasParts(in.Claims.Own(in.Intent.FieldManager), path) {
			continue // Parts of ours that end are in managed_state. Those of other managers are losses.
		}
		if paths.IsKeyField(path) && in.isShownBeside(path, live) {
			continue
		}
		field := names.Format(path)
		if slices.ContainsFunc(changes, func(c Change) bool { return c.With == field }) {
			continue // Its parts are reported.
		}
		index := slices.IndexFunc(changes, func(c Change) bool { return c.Field == field })
		isLost := len(lost) > 0 && paths.Touches(in.Applied, path)
		if index >= 0 && isLost && len(changes[index].Others) == 0 {
			changes[index].Transition, changes[index].Others = ownership.Taking, lost
		}
		if index >= 0 || in.shows(planned, path, names, priorNames) && !isLost {
			continue
		}
		change := Change{
			Field: field, Transition: ownership.Unclaimed, Others: in.Claims.Holders(path),
			Was: shownValue(path, difference.Before, renderer, before), Becomes: RemovedValue,
			IsExplicit: paths.Touches(paths.OrEmpty(in.Removes), path), IsUnwanted: in.Intent.Remove.Match(path),
		}
		if difference.Presence == projection.Present {
			change.Becomes = renderer.Text(path, difference.After)
		}
		if isLost {
			change.Transition, change.Others = ownership.Taking, lost
		}
		more = append(more, change)
	}
	return append(append(changes, more...), in.undecidedOverLive(changes, more)...)
}

// undecidedOverLive returns the live values that the apply replaces by values that are not known yet, unless the
// attributes or already show that.
func (in Prediction) undecidedOverLive(already ...[]Change) []Change {
	undecided, _ := in.Intent.UndecidedFields(in.Applied)
	formatter := in.Claims.Formatter(in.Known().Union(in.Applied))
	renderer, before := in.Intent.Renderer(in.Prior.Object, in.Prior.Snapshot).Knowing(in.Prior.Live), in.Prior.Snapshot.Renderer()
	live, names := projection.NewReader(in.Prior.Live), renderer.Names(formatter)
	var changes []Change
	paths.Walk(undecided, func(path paths.Path, _ bool) {
		value, presence := live.Lookup(path)
		field := names.Format(path)
		_, shown := in.Prior.ManagedState[before.Names(formatter).Format(path)]
		isReported := slices.ContainsFunc(slices.Concat(already...), func(c Change) bool { return c.Field == field })
		if presence != projection.Present || value == nil || shown || isReported {
			return
		}
		changes = append(changes, Change{
			Field: field, Transition: ownership.Unclaimed, Others: in.Claims.Holders(path),
			Was: shownValue(path, value, renderer, before), Becomes: undecidedValue,
		})
	})
	return changes
}

// isShownBeside reports whether the plan already shows the list item around key, which leaves: by other fields in it,
// or by a key field of ours.
func (in Prediction) isShownBeside(key paths.Path, live map[string]any) bool {
	item := key[:len(key)-1]
	value, _ := projection.Lookup(live, item)
	fields, _ := value.(map[string]any)
	keys := paths.KeyFields(item[len(item)-1])
	if len(fields) > len(keys) {
		return true
	}
	own := in.Claims.Own(in.Intent.FieldManager)
	for name := range keys {
		if own.Has(append(item.Copy(), paths.Field(name))) {
			return true
		}
	}
	return false
}

// shows reports whether managed_state changes at a path, or at an atomic field around it.
func (in Prediction) shows(planned PlannedState, path paths.Path, names, priorNames rendering.Formatter) bool {
	for length := len(path); length > 0; length-- {
		was, had := in.Prior.ManagedState[priorNames.Format(path[:length])]
		if !had {
			continue
		}
		field := names.Format(path[:length])
		is, has := planned.ManagedState[field]
		return !has || is != was || is == rendering.Unstored && slices.Contains(planned.UnknownValues, field)
	}
	return false
}

// LostElsewhere returns the managers that own fields in another version of the kind and lose some by the apply,
// according to the answer of the dry-run. Only the server can compare claims of two versions.
func (in Prediction) LostElsewhere(answered ownership.Claims) []ownership.Holder {
	var lost []ownership.Holder
	for _, claim := range in.Claims.InOtherVersions(in.Intent.Manifest.APIVersion) {
		kept := paths.NewSet()
		for _, now := range answered {
			if now.Manager == claim.Manager {
				kept = now.Fields
			}
		}
		if !claim.Fields.Difference(kept).Empty() {
			lost = append(lost, claim.Holder())
		}
	}
	return lost
}
