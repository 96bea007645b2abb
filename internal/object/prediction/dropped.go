package prediction

import (
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// dropped returns the values that the server changes or removes by itself because the apply removes other fields by a
// request of its own: sessionAffinityConfig with sessionAffinity, or the node ports of a Service with its type. Only
// the dry-run of that request shows them. It returns nil without one, and leaves out what already reports.
func (in Inputs) dropped(
	already []ownership.Change, names rendering.Formatter, renderer rendering.Renderer,
) []ownership.Change {
	if in.Tried == nil || in.RemovesNothing() {
		return nil
	}
	var changes []ownership.Change
	known, claims, own := in.Known().Union(in.Applied), in.Wanted.Claims(), in.Wanted.FieldManager
	serverFields := record.ServerFields(in.Wanted.Prior.Object)
	for _, difference := range projection.Differences(in.Outcome(), in.Tried, known) {
		path, field := difference.Path, names.Format(difference.Path)
		isReported := slices.ContainsFunc(already, func(c ownership.Change) bool { return c.Field == field })
		if isReported || paths.Touches(serverFields, path) || paths.Touches(in.Unsent, path) {
			continue
		}
		change := ownership.Change{
			Field: field, What: ownership.Unclaimed, Owners: claims.Others(own).HoldersWithin(path),
			Owned: paths.Touches(claims.Own(own), path), Was: renderer.Text(path, difference.Before),
			Becomes: ownership.RemovedValue, With: in.removedNames(names), Why: ownership.Dropped,
		}
		if len(change.Owners) > 0 {
			change.What = ownership.Removing
		}
		if len(renderer.RedactedPath(path)) < len(path) {
			change.Was = rendering.Redacted
		}
		if difference.Presence == projection.Present {
			change.Becomes = renderer.Text(path, difference.After)
			if len(change.Owners) > 0 {
				change.What = ownership.Taking
			}
		}
		changes = append(changes, change)
	}
	return changes
}

// removedNames returns the outermost fields that the apply removes by requests of its own, as a list.
func (in Inputs) removedNames(names rendering.Formatter) string {
	var fields []string
	paths.Walk(paths.Outermost(in.removes()), func(path paths.Path, _ bool) {
		fields = append(fields, names.Format(path))
	})
	return strings.Join(fields, ", ")
}

// whyRemoved returns why something is removed, with or without the fields of ours around it. isExplicit is true if the
// apply removes it by a request of its own, isObstacle if the server refuses it together with the body.
func (in Inputs) whyRemoved(path paths.Path, isExplicit, isObstacle bool) ownership.Why {
	switch isUnwanted := in.Wanted.Remove.Match(path); {
	case isUnwanted && (isExplicit || isObstacle):
		return ownership.Unwanted
	case isObstacle:
		return ownership.Obstacle
	case isExplicit:
		return ownership.Dropped
	case isUnwanted:
		return ownership.Covered
	}
	return ""
}

// refill completes the change of a field at path that an apply removes, if remove_fields covers removed, which is the
// field or the one with which it is removed. It notes the value that the server sets again, a default for instance. It
// drops our own manager's updates from the owners that lose the field: they come from the server, which filled the
// field in again after an earlier apply of ours removed it.
func (in Inputs) refill(change *ownership.Change, path, removed paths.Path, renderer rendering.Renderer) {
	if !in.Wanted.Remove.Match(removed) {
		return
	}
	change.Owners = slices.DeleteFunc(slices.Clone(change.Owners), func(holder ownership.Holder) bool {
		return holder.IsUpdater(in.Wanted.FieldManager)
	})
	value, presence := projection.Lookup(in.Tried, path)
	switch {
	case in.Tried == nil || presence != projection.Present || value == nil:
	case renderer.Hides(path, value):
		change.Refilled = rendering.Redacted
	default:
		change.Refilled = renderer.Text(path, value)
	}
}
