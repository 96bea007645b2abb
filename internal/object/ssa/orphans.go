package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// removeOrphans removes the parts that left the body together with our claim on the whole field. The server prunes only
// fields that our entry holds by name. If the schema has split the field since, our entry contained only the whole, and
// its parts would stay without an owner. It sends nothing if no field was split, or if the body of our last apply is
// not known. Otherwise it gets the names of the parts from a dry-run of that body. If parts have left the body, it adds
// them to our entry, and applies the body once more. answer is that of the apply.
func (a *apply) removeOrphans(
	ctx context.Context, api cluster.Interface, answer cluster.Applied,
) (cluster.Applied, error) {
	w, prior, manager := a.wanted, a.wanted.Prior, wanted.DryRunManager(a.wanted.FieldManager)
	after, err := record.ClaimsOf(prior.Object, answer.Object)
	if err != nil {
		return answer, err
	}
	split := splitSince(w.Claims().Own(w.FieldManager), after, answer.Object.Object)
	if split.Empty() || prior.LastBody() == nil {
		return answer, nil
	}
	last := prior.LastBody()
	dry, err := api.Apply(ctx, prior.Object, wanted.WithUID(last, prior.Snapshot.UID),
		cluster.ApplyOptions{FieldManager: manager, DryRun: true, Force: true})
	switch cluster.ReasonOf(err) {
	case cluster.ReasonInvalid, cluster.ReasonBadRequest, cluster.ReasonSchemaMismatch, cluster.ReasonServer:
		return answer, nil // A body that the new schema refuses has no parts that it could name.
	}
	if err != nil {
		return answer, err
	}
	named, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return answer, err
	}
	held := named.Own(manager)
	orphaned := held.Difference(held.RecursiveDifference(split)).Difference(split).Difference(after.Fields())
	ignored, _ := projection.Covered(orphaned, w.Ignored(), last)
	orphaned = orphaned.Difference(ignored)
	if orphaned.Empty() {
		return answer, nil
	}
	_, err = record.RewriteClaims(ctx, api, prior.Object, answer.Object, func(ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{Manager: w.FieldManager, Add: orphaned}
	})
	if err != nil {
		return answer, err
	}
	return api.Apply(ctx, prior.Object, a.body, cluster.ApplyOptions{
		FieldManager: w.FieldManager, Force: w.OnConflict != arguments.Fail,
	})
}

// splitSince returns the fields that own held as a whole and that no manager holds as a whole any more, although they
// have values.
func splitSince(own *paths.Set, after ownership.Claims, live map[string]any) *paths.Set {
	split, held, object := paths.NewSet(), after.Fields(), projection.NewReader(live)
	paths.Walk(own.Leaves(), func(path paths.Path, _ bool) {
		value, _ := object.Lookup(path)
		if _, isMap := value.(map[string]any); isMap && !held.Has(path) {
			split.Insert(path)
		}
		if _, isList := value.([]any); isList && !held.Has(path) {
			split.Insert(path)
		}
	})
	return split
}
