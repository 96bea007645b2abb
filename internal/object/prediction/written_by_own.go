package prediction

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// IsWrittenByOwn reports whether our field manager wrote something to the object since our last apply that neither that
// apply nor this one declares: other fields, or another value that no other manager owns.
func (in Inputs) IsWrittenByOwn(changes []Change) bool {
	snapshot, w := in.Wanted.Prior.Snapshot, in.Wanted
	if !snapshot.WrittenByOwn || w.PreviousManager() != w.FieldManager {
		return false
	}
	own := w.Claims().Own(w.FieldManager)
	return !own.Equals(paths.OrEmpty(snapshot.Fields.Declared)) && !own.Equals(in.Applied) ||
		slices.ContainsFunc(changes, func(c Change) bool { return c.Transition.IsConflict() && len(c.Others) == 0 })
}
