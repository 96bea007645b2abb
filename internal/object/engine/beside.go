package engine

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// write calls do with prior, in its turn among the resources of the run that write to the object. Server-side apply
// removes a map or list with the last field that has an owner, and with what others of the run have let go in it. So
// the prior keeps the values of what these owned, and knows no more that they own it.
func (e Work) write(prior record.Prior, do func(record.Prior) error) error {
	manager := e.Args.FieldManager
	owned := prior.Snapshot.Claims.AsApplied(manager).Own(manager)
	return e.Run.Objects.Write(prior.Snapshot.UID, manager, owned, func(before map[string]*paths.Set) error {
		kept := &prior.Snapshot.Fields.Kept
		for _, fields := range before {
			*kept = paths.OrEmpty(*kept).Union(fields)
		}
		hasWritten := func(claim ownership.Claim) bool { return before[claim.Name] != nil }
		prior.Snapshot.Claims = slices.DeleteFunc(slices.Clone(prior.Snapshot.Claims), hasWritten)
		return do(prior)
	})
}

// forgetHeld takes from the kept fields of a snapshot those that write has added to before, and that other managers
// still own: they were kept in case these let them go.
func forgetHeld(observed *record.Snapshot, kept, before *paths.Set, manager string) {
	held := paths.OrEmpty(kept).Difference(paths.OrEmpty(before)).Intersection(observed.Claims.Others(manager).Fields())
	if !held.Empty() {
		observed.Fields.Kept = paths.OrEmpty(observed.Fields.Kept).Difference(held)
	}
}
