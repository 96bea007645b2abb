package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
)

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
