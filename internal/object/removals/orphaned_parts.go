package removals

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// OrphanedParts removes the parts that left the body together with our claim on the whole field. The server prunes only
// fields that our entry holds by name. If the schema has split the field since, our entry held only the whole, and its
// parts would stay without an owner. OrphanedParts sends nothing if no field was split, or if the body of our last
// apply is not known. Otherwise it gets the names of the parts from a dry-run of that body. If parts have left the
// body, it adds them to our entry, and applies the body of a once more.
func OrphanedParts(ctx context.Context, api cluster.Interface, a prediction.Attempt, answer cluster.Applied) (cluster.Applied, error) {
	intent, prior := a.Intent, a.Prior
	after, err := record.ClaimsOf(prior.Object, answer.Object)
	if err != nil {
		return answer, err
	}
	split := splitSince(a.Claims.Own(intent.FieldManager), after, answer.Object.Object)
	if split.Empty() || prior.LastBody() == nil {
		return answer, nil
	}
	last := prior.LastBody()
	manager := prediction.DryRunManager(intent.FieldManager)
	dry, err := api.Apply(ctx, prior.Object, intents.WithUID(last, prior.Snapshot.UID),
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
	ignored, _ := projection.Covered(orphaned, intent.Ignored(), last)
	orphaned = orphaned.Difference(ignored)
	if orphaned.Empty() {
		return answer, nil
	}
	_, err = record.RewriteClaims(ctx, api, prior.Object, answer.Object, func(ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{Manager: intent.FieldManager, Add: orphaned}
	})
	if err != nil {
		return answer, err
	}
	return api.Apply(ctx, prior.Object, a.Body, cluster.ApplyOptions{FieldManager: intent.FieldManager, Force: intent.OnConflict != intents.Fail})
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
