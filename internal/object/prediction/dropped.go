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
func (in Inputs) dropped(already []Change, names rendering.Formatter, renderer rendering.Renderer) []Change {
	if in.Tried == nil || in.RemovesNothing() {
		return nil
	}
	var changes []Change
	known, claims, own := in.Known().Union(in.Applied), in.Wanted.Claims(), in.Wanted.FieldManager
	serverFields := record.ServerFields(in.Wanted.Prior.Object)
	for _, difference := range projection.Differences(in.Outcome(), in.Tried, known) {
		path, field := difference.Path, names.Format(difference.Path)
		isReported := slices.ContainsFunc(already, func(c Change) bool { return c.Field == field })
		if isReported || paths.Touches(serverFields, path) || paths.Touches(in.Unsent, path) {
			continue
		}
		change := Change{
			Field: field, Transition: ownership.Unclaimed, Others: claims.Others(own).HoldersWithin(path),
			Owned: paths.Touches(claims.Own(own), path), Was: renderer.Text(path, difference.Before),
			Becomes: RemovedValue, With: in.removedNames(names), IsExplicit: true, IsDropped: true,
			IsUnwanted: len(in.Wanted.Remove) > 0,
		}
		if len(change.Others) > 0 {
			change.Transition = ownership.Removing
		}
		if len(renderer.RedactedPath(path)) < len(path) {
			change.Was = rendering.Redacted
		}
		if difference.Presence == projection.Present {
			change.Becomes = renderer.Text(path, difference.After)
			if len(change.Others) > 0 {
				change.Transition = ownership.Taking
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

// refilled returns the value that the server gives a field again after the apply has removed it, as a string: a
// default, for instance. It returns "" if the field stays away, or if isUnwanted is false.
func (in Inputs) refilled(isUnwanted bool, path paths.Path, renderer rendering.Renderer) string {
	if !isUnwanted || in.Tried == nil {
		return ""
	}
	value, presence := projection.Lookup(in.Tried, path)
	switch {
	case presence != projection.Present || value == nil:
		return ""
	case renderer.Hides(path, value):
		return rendering.Redacted
	}
	return renderer.Text(path, value)
}

// exceptOwnUpdates returns the managers that lose an unwanted field, without our own: an earlier apply has removed the
// field, and the server has filled it in for us.
func (in Inputs) exceptOwnUpdates(change Change) []ownership.Holder {
	if !change.IsUnwanted {
		return change.Others
	}
	return slices.DeleteFunc(slices.Clone(change.Others), func(holder ownership.Holder) bool {
		return holder.IsUpdater(in.Wanted.FieldManager)
	})
}
