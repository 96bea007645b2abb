package engine

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// ShareOf returns what a resource does to the fields of an object, for the other resources of the run. planned is its
// plan; if that applies nothing, the fields are those of the last apply, and if the server refuses the stand-ins for
// values that are not known yet, those of the body. snapshot is what private state has, and hasState is false for a new
// resource; if that has a snapshot, it is the create half of a replacement.
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
