package engine

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// ShareOf returns the fields of an object that a resource applies and removes, for the other resources of the run.
// planned is its plan. If that applies nothing, the fields are those of the last apply. If the server refuses the
// stand-ins for values that are not known yet, they are those of the body. snapshot comes from private state. hasState
// is false for a new resource; one with a snapshot is the create half of a replacement.
func ShareOf(
	id manifest.Identity, args arguments.Arguments, planned ssa.Plan, snapshot record.Snapshot, hasState bool,
) run.Share {
	state, last := snapshot.UID+" "+paths.OrEmpty(snapshot.Fields.Declared).String(), record.Snapshot{}
	if hasState {
		last = snapshot
	}
	share := run.Share{
		FieldManager: args.FieldManager, IsPart: args.IsPart, Fields: planned.Applies,
		Removes: record.PatternsFor(id, args.Removes()),
	}
	if share.Fields == nil && last.Fields.Declared != nil && planned.Action != ssa.Update {
		share.Fields = last.Fields.Declared.Difference(paths.OrEmpty(last.Fields.Empty))
		if body := args.Sends(); args.Patch != nil && body != nil {
			share.Fields = projection.WithValues(body, share.Fields) // Its manager may own more of an atomic field.
		}
	}
	if share.Fields == nil {
		share.Body = args.Sends()
	}
	switch {
	case hasState:
		share.State = state
	case snapshot.Known():
		share.Replaces = state
	}
	names := paths.NewFormatter(paths.OrEmpty(share.Fields))
	hidden := record.Hidden{Sensitive: paths.Texts(args.Sensitive), WriteOnly: args.WriteOnly.Fields}
	share.Names = record.RendererOf(id, hidden, nil).Names(names)
	return share
}

// write calls do with prior, in its turn among the resources of the run that write to the object. Server-side apply
// removes a map or list with its last owned field, together with the fields in it that other resources of the run have
// released. So the prior that do gets keeps the values of fields that they owned, and does not contain their claims any
// more.
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
