package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// maybeFilled returns the fields of an object to which we have applied nothing that may be additions, and that the API
// server may have filled in for its creator.
func maybeFilled(args arguments.Arguments, prior record.Prior) *paths.Set {
	if args.IsPart || prior.Snapshot.AppliedState != "" {
		return paths.NewSet()
	}
	declared := projection.WithValues(args.Manifest.Object, prior.Snapshot.Claims.Fields())
	return prior.Snapshot.MaybeFilled(args.FieldManager, declared)
}

// filled returns those of maybe that the API server fills in by itself, and those that prior knows: one dry-run of a
// new object under another name, if that may show more. If the server refuses it, as for a CustomResourceDefinition, or
// the user may not create, they are those that prior knows.
func filled(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior, maybe *paths.Set,
) (*paths.Set, error) {
	known, snapshot := paths.OrEmpty(prior.Snapshot.Fields.Filled), prior.Snapshot
	if maybe = maybe.Difference(known); maybe.Empty() {
		return known, nil
	}
	id := prior.Object
	id.Name = cluster.DryRunName(id.Name)
	dry, err := api.Apply(ctx, id, manifest.Identified(args.Manifest.Object, id), cluster.ApplyOptions{
		FieldManager: wanted.DryRunManager(args.FieldManager), DryRun: true, New: true,
	})
	switch cluster.ReasonOf(err) {
	case cluster.ReasonWebhookUnreachable, cluster.ReasonNotYetAdmitted, cluster.ReasonNamespaceTerminating,
		cluster.ReasonConflict:
		return known, nil // They are about creates alone.
	}
	switch {
	case cluster.IsRefusal(err), cluster.MissingRightOf(err) != nil:
		return known, nil //nolint:nilerr // Less is known then.
	case err != nil:
		return known, err
	}
	prints := snapshot.Renderer().Fingerprints(dry.Object.Object, maybe)
	return known.Union(paths.Filter(maybe, func(path paths.Path) bool {
		id := paths.ID(path)
		print, has := prints[id]
		return has && print == snapshot.Values[id]
	})), nil
}
