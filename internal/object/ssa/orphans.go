package ssa

import (
	"cmp"
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
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
	held, object := after.Fields(), projection.NewReader(live)
	return paths.Filter(own.Leaves().Difference(held), func(path paths.Path) bool {
		value, _ := object.Lookup(path)
		_, isMap := value.(map[string]any)
		_, isList := value.([]any)
		return isMap || isList
	})
}

// empty empties the maps and lists that the apply would make null according to refusal: a GET and a PATCH. If the
// server refuses them without their parts, it removes them: another PATCH. If other managers own parts of all of them,
// our parts leave them, and the rest stays. If we own nothing there, it returns refusal.
func (a *apply) empty(ctx context.Context, api cluster.Interface, refusal error) error {
	prior, own := a.wanted.Prior, a.wanted.FieldManager
	live, err := prior.Read(ctx, api)
	if err != nil {
		return err
	}
	held, err := record.ClaimsOf(prior.Object, live)
	if err != nil {
		return err
	}
	if len(wanted.Emptied(live.Object, held, own, a.emptiedFields(refusal))) == 0 {
		return leaveToOthers(ctx, api, a, live, refusal)
	}
	for _, removes := range []bool{false, true} {
		live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{
			Claims: func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: own} },
			Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
				edits := wanted.Emptied(live, claims, own, a.emptiedFields(refusal))
				for i := range edits {
					edits[i].Remove = removes
				}
				return edits
			},
		})
		if !refusals.IsOfObject(err) {
			break
		}
	}
	if err == nil {
		a.mended(live, held)
	}
	return err
}

// leaveToOthers ends our claims on the parts of the fields that refusal names, and removes those that no other manager
// owns.
func leaveToOthers(
	ctx context.Context, api cluster.Interface, a *apply, live *unstructured.Unstructured, refusal error,
) error {
	own, fields := a.wanted.FieldManager, a.emptiedFields(refusal)
	held, err := record.ClaimsOf(a.wanted.Prior.Object, live)
	if err != nil || wanted.Filled(held, own, fields).Empty() {
		return cmp.Or(err, refusal)
	}
	live, err = record.RewriteAndEdit(ctx, api, a.wanted.Prior.Object, live, record.Rewriting{
		Claims: func(claims ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: own, Release: wanted.Filled(claims, own, fields)}
		},
		Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			return wanted.Stripped(live, claims, own, fields)
		},
	})
	if err != nil {
		return err
	}
	a.mended(live, held)
	a.claimsBefore, err = record.ClaimsOf(a.wanted.Prior.Object, live)
	return err
}

func (a *apply) emptiedFields(refusal error) []paths.Path {
	return refusals.Emptied(refusal, a.wanted.Claims().Own(a.wanted.PreviousManager()))
}
