package patching

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/removals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// Create sends a patch for the first time: one PATCH. It starts from prior, which the plan has read. If prior is empty,
// it waits for the object until ctx ends, and reads it.
func Create(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior, run *registry.Run) (record.Observed, []ssa.Overwritten, error) {
	if !prior.Snapshot.Known() {
		err := registry.AwaitObject(ctx, &run.Waits, func() (err error) {
			prior.Object, err = cluster.Locate(ctx, api, intent.Manifest.Identity)
			if err == nil {
				prior, err = read(ctx, api, intent, prior)
			}
			return err
		})
		if err != nil {
			return record.Observed{}, nil, err
		}
	}
	return Apply(ctx, api, intent, prior)
}

// Apply sends a patch to the object of prior: one PATCH, guarded by the resourceVersion that the plan has read. If
// other clients have written since, it reads the object, evaluates the patch and sends it again. It returns the fields
// that it took from other managers and that they wrote since the plan. A renamed field manager costs two GETs and a
// PATCH more, and fields that leave the patch cost a PATCH more.
func Apply(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (record.Observed, []ssa.Overwritten, error) {
	planned := prior.Live
	prior, err := rename(ctx, api, intent, prior)
	if err != nil {
		return record.Observed{}, nil, err
	}
	a, err := send(ctx, api, intent, prior, false)
	if err != nil {
		return record.Observed{}, nil, err
	}
	targets := a.targets()
	observed, err := a.finish(ctx, api, targets)
	observed.Snapshot.RepeatedConflicts = a.prior.Snapshot.RepeatedConflicts.Next(opponents(a.changes(targets)))
	return observed, a.overwritten(planned), err
}

// rename renames the manager of our claims to the field manager of the intent: a GET, a PATCH and a GET if the last
// apply had another one.
func rename(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (record.Prior, error) {
	previous := prior.PreviousManager(intent.FieldManager)
	if previous == intent.FieldManager {
		return prior, nil
	}
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return prior, err
	}
	_, err = record.RewriteClaims(ctx, api, prior.Object, live, func(ownership.Claims) ownership.Rewrite {
		return ownership.Rewrite{Manager: intent.FieldManager, PreviousManager: previous, Updates: true}
	})
	if err != nil {
		return prior, err
	}
	return read(ctx, api, intent, prior)
}

// finish removes or releases the fields that leave the patch, and returns the object as it is then.
func (a attempt) finish(ctx context.Context, api cluster.Interface, targets *paths.Set) (record.Observed, error) {
	intent, id := a.intent, a.prior.Object
	removed, released := a.leaving(targets)
	live, err := record.RewriteAndEdit(ctx, api, id, a.answer.Object, record.Rewriting{
		Claims: func(ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: intent.FieldManager, Updates: true, Release: released}
		},
		Edits: func(live map[string]any, _ ownership.Claims) []cluster.Edit {
			return removals.WithoutFields(live, paths.Outermost(removed))
		},
	})
	if err != nil {
		return record.Observed{}, err
	}
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return record.Observed{}, err
	}
	own := claims.AsApplied(intent.FieldManager).Own(intent.FieldManager)
	declared := own.Union(targets)
	carried := a.prior.Snapshot
	carried.Sensitive = record.Texts(intent.Sensitive)
	carried.Before = intent.ValuesBefore(a.prior, declared)
	// An update also owns the maps and lists that it creates around its fields. Other managers may add fields there.
	targeted := targets.Union(paths.Filter(own, func(path paths.Path) bool {
		isAround := path[len(path)-1].FieldName != nil && ownership.HasParts(own, path)
		return !isAround && paths.Touches(targets, path)
	}))
	observed, err := record.Describe(live, record.Observation{
		ID: id, FieldManager: intent.FieldManager, Shown: a.prior.View, Carried: carried, IsPart: true, Patch: intent.Patch,
		Fields: record.KnownFields{Declared: declared, Added: intent.AddedBy(a.prior, targeted)},
	})
	observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	observed.Snapshot.Patched = observed.Snapshot.Patched.Applied()
	return observed, err
}
