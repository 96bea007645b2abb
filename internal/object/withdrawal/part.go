// Package withdrawal takes back what was applied to an object of another client, when its resource is destroyed.
//
//	live, err := withdrawal.TakeBackPart(ctx, api, args, prior)  // a part
//	live, err := withdrawal.TakeBack(ctx, api, args, prior, releases) // a JSON, merge or strategic merge patch
//
// A field that we added goes, and a field to restore gets its value from before. All others keep their values.
//
// # What stays, stays
//
// The plan of a destroy reports for each field what becomes of it, by the snapshot of the last read. If it reports that
// a field keeps its value because other managers own it too, and they give it up before the destroy, the destroy ends
// our claim and keeps the value: no manager owns it then. If other managers come to own a field that was to be removed
// or restored, it keeps their value.
package withdrawal

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// promised returns the fields of ours of which the plan of the destroy reports that they keep their values, because
// other managers owned them too when the object was read.
func promised(prior record.Prior, live *unstructured.Unstructured) *paths.Set {
	shared := prior.Snapshot.CoOwned(prior.Arguments.FieldManager)
	return prior.Snapshot.Renderer().UnmaskSet(shared, live.Object)
}

// TakeBackPart takes a part back from the object of prior, whose snapshot is of the last read: fields that we added
// and no other manager owns are removed, fields to restore get their values from before, and everything else keeps
// its value. So does what other managers owned at that read, even if they have given it up since. TakeBackPart
// returns the object as it is then; on an error, as it was last seen, which is nil if the GET failed. It costs a GET
// and a PATCH, and a GET and a PATCH more if values that were there before us stay, or are restored, and another
// PATCH if the server refuses to restore them together with the removals.
func TakeBackPart(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (*unstructured.Unstructured, error) {
	live, err := prior.Read(ctx, api)
	if err != nil {
		return nil, err
	}
	// Other resources of the run may have given fields up meanwhile.
	kept := promised(prior, live).Union(paths.OrEmpty(prior.Snapshot.Fields.Kept))
	if live, err = takeBackForgotten(ctx, api, prior, live, kept); err != nil {
		return live, err
	}
	// Values are restored while our claims are there: these tell which fields only we own.
	if len(prior.Snapshot.Before) > 0 || !prior.Snapshot.Obstacles.IsEmpty() {
		send := func(edits record.Editing) (*unstructured.Unstructured, error) {
			live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{
				Claims: keepClaims(args.FieldManager), Edits: edits,
			})
			return live, err
		}
		live, err = sendPart(prior.Unmasked(live.Object), kept, send)
	}
	if err == nil {
		live, err = record.RewriteClaims(ctx, api, prior.Object, live, func(claims ownership.Claims) ownership.Rewrite {
			// The PATCH that restored values left an update entry under our name. Its claims end here.
			updated := ownership.Rewrite{Manager: args.FieldManager, TakeOver: []string{args.FieldManager}}
			updated.Declared = claims.Fields()
			updated.Release = kept.Difference(claims.Others(args.FieldManager).Fields())
			return updated
		})
	}
	if err != nil {
		return live, err
	}
	now, err := record.Describe(live, record.Observation{
		ID: prior.Object, FieldManager: args.FieldManager, Fields: prior.Snapshot.Fields, Owners: prior.Owners,
		Carried: prior.Snapshot, IsPart: true,
	})
	if err != nil {
		return live, err
	}
	prior.Snapshot, prior.Owners, prior.Live = now.Snapshot, now.Owners, now.Live
	// The apply below removes what counts as added. Fields that stay according to the plan of the destroy must not be
	// removed.
	fields := &prior.Snapshot.Fields
	fields.Kept = paths.OrEmpty(fields.Kept).Union(kept)
	fields.Declared = paths.OrEmpty(fields.Declared).Difference(kept)
	fields.Added = paths.OrEmpty(fields.Added).Difference(kept)
	if prior.Snapshot.Claims.Own(args.FieldManager).Empty() {
		return live, nil
	}
	left, _, err := ssa.UpdateObject(ctx, api, args, prior, ssa.Plan{Object: prior.Object})
	if err != nil {
		return live, err
	}
	return &unstructured.Unstructured{Object: left.Live}, nil
}

// takeBackForgotten takes back the fields of a part that managedFields does not record as ours any more, without
// kept: one PATCH if there are any. Fields that other managers own by now, or have changed, stay as they are.
func takeBackForgotten(
	ctx context.Context, api cluster.Interface, prior record.Prior, live *unstructured.Unstructured, kept *paths.Set,
) (*unstructured.Unstructured, error) {
	claims, err := record.ClaimsOf(prior.Object, live)
	if err != nil {
		return live, err
	}
	if prior.Arguments.Patch != nil {
		claims = claims.AsApplied(prior.Arguments.FieldManager)
	}
	prior.Snapshot.Claims = claims // The destroy of a resource without a block may have an older snapshot.
	forgotten := wanted.ForgottenPart(prior).Difference(kept)
	if forgotten.Empty() {
		return live, nil
	}
	w := wanted.For(prior.Arguments, prior)
	return record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{
		Claims: keepClaims(w.FieldManager),
		Edits: func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			ours := wanted.StillForgotten(w, forgotten, live, claims)
			return takingBack(live, ours, prior.Snapshot)
		},
	})
}

// keepClaims returns a rewrite that changes no claims.
func keepClaims(fieldManager string) func(ownership.Claims) ownership.Rewrite {
	return func(ownership.Claims) ownership.Rewrite { return ownership.Rewrite{Manager: fieldManager} }
}

// sendPart sends the removals and the restored values of a part together, because the server may accept neither alone.
// If it refuses that, sendPart sends the restored values without the removals.
func sendPart(
	prior record.Prior, kept *paths.Set, send func(record.Editing) (*unstructured.Unstructured, error),
) (*unstructured.Unstructured, error) {
	own, snapshot := prior.Arguments.FieldManager, prior.Snapshot
	if snapshot.Obstacles.IsEmpty() {
		after, err := send(func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			return takingBack(live, onlyOurs(claims, own, kept.Union(claims.Others(own).Fields())), snapshot)
		})
		if cluster.ReasonOf(err) != cluster.ReasonInvalid {
			return after, err
		}
	}
	return send(func(live map[string]any, claims ownership.Claims) []cluster.Edit {
		return restoringPart(live, claims, own, snapshot, kept)
	})
}

// takingBack returns the edits that remove what we added of ours, which only we own, and then give the other fields of
// ours their values from before.
func takingBack(live map[string]any, ours *paths.Set, snapshot record.Snapshot) []cluster.Edit {
	removed := wanted.Withdrawn(ours, snapshot.Fields.Added)
	rest, _ := projection.Strip(live, removed).(map[string]any)
	return append(wanted.WithoutFields(live, removed), restoring(rest, ours.Leaves(), snapshot.Before)...)
}

// restoringPart returns the edits that give the fields of a part that only we own their values from before. If
// obstacles are restored, the fields that we added are removed with the same request: the server takes only
// one of the two.
func restoringPart(
	live map[string]any, claims ownership.Claims, own string, snapshot record.Snapshot, kept *paths.Set,
) []cluster.Edit {
	theirs := kept.Union(claims.Others(own).Fields())
	ours := claims.Own(own).Leaves().Difference(theirs)
	withdrawn := wanted.Withdrawn(onlyOurs(claims, own, theirs), snapshot.Fields.Added)
	rest, _ := projection.Strip(live, withdrawn).(map[string]any)
	obstacles := wanted.Restorable(snapshot.Obstacles, projection.NewReader(rest).Has)
	if obstacles.Empty() {
		return restoring(live, ours, snapshot.Before)
	}
	values := snapshot.Obstacles.Values
	whole := projection.Graft(rest, values, projection.WithItemKeys(values, obstacles))
	return append(between(live, whole), restoring(whole, ours, snapshot.Before)...)
}

// onlyOurs returns what we own and theirs does not have.
func onlyOurs(claims ownership.Claims, own string, theirs *paths.Set) *paths.Set {
	return paths.Filter(claims.Own(own), func(path paths.Path) bool { return !ownership.Holds(theirs, path) })
}

// between returns the edits that make after of live, apart from metadata.
func between(live, after map[string]any) []cluster.Edit {
	var edits []cluster.Edit
	for _, name := range slices.Sorted(maps.Keys(live)) {
		value, stays := after[name]
		if name != "metadata" && projection.Fingerprint(value) != projection.Fingerprint(live[name]) {
			edits = append(edits, cluster.Edit{Pointer: []string{name}, Value: value, Remove: !stays})
		}
	}
	return edits
}

// restoring returns the edits that give the fields of ours, which only we own, their values in before, by paths.ID.
func restoring(live map[string]any, ours *paths.Set, before map[string]json.RawMessage) []cluster.Edit {
	var edits []cluster.Edit
	reader := projection.NewReader(live)
	paths.Walk(projection.Exactly(live, ours), func(path paths.Path, _ bool) {
		pointer, has := reader.Pointer(path)
		if value, known := before[paths.ID(path)]; known && has {
			edits = append(edits, cluster.Edit{Pointer: pointer, Value: value})
		}
	})
	return edits
}

// TakeBackOnly takes some fields of a part or a patch back, because another resource has applied the others under the
// same field manager: these and their claims stay. keeps is true if all values stay. Fields that other managers own
// keep their values, as in [TakeBack]. It returns the object as it is then. It costs a GET and a PATCH, and one PATCH
// more if values are restored.
func TakeBackOnly(
	ctx context.Context, api cluster.Interface, prior record.Prior, fields *paths.Set, keeps bool,
) (*unstructured.Unstructured, error) {
	live, err := prior.Read(ctx, api)
	if err != nil {
		return nil, err
	}
	own, kept := prior.Arguments.FieldManager, promised(prior, live)
	fields = prior.Snapshot.Renderer().UnmaskSet(fields, live.Object)
	prior = prior.Unmasked(live.Object)
	giveUp := func(updates bool) func(ownership.Claims) ownership.Rewrite {
		return func(ownership.Claims) ownership.Rewrite {
			return ownership.Rewrite{Manager: own, Updates: updates, Tracks: true, Release: fields}
		}
	}
	claims, edits := giveUp(prior.Arguments.Patch != nil), record.NoEdits
	if prior.Object.Subresource != "" {
		claims = keepClaims(own)
	}
	if !keeps {
		edits = func(live map[string]any, claims ownership.Claims) []cluster.Edit {
			theirs := claims.AsApplied(own).Others(own).Fields().Union(kept)
			ours := paths.Filter(fields, func(path paths.Path) bool { return !ownership.Holds(theirs, path) })
			return takingBack(live, ours, prior.Snapshot)
		}
	}
	live, err = record.RewriteAndEdit(ctx, api, prior.Object, live, record.Rewriting{Claims: claims, Edits: edits})
	if err != nil {
		return nil, err
	}
	// The edits leave an update of ours that owns the restored values.
	return record.RewriteClaims(ctx, api, prior.Object, live, giveUp(true))
}

// Try returns the live object of prior as the server would leave it after a part or a patch is taken back. It sends the
// removals and restored values of [TakeBackPart] or [TakeBack] as a dry-run, and those of a part without the removals
// if the server refuses them together. It returns nil if nothing changes, and if the server refuses the removals of a
// part that restores no value: the apply then looks for the fields that it can remove.
func Try(ctx context.Context, api cluster.Interface, prior record.Prior) (*unstructured.Unstructured, error) {
	live := &unstructured.Unstructured{Object: prior.Live}
	prior = prior.Unmasked(prior.Live)
	own, kept := prior.Arguments.FieldManager, promised(prior, live)
	send := func(edits []cluster.Edit) (*unstructured.Unstructured, error) {
		if len(edits) == 0 {
			return nil, nil
		}
		return api.Patch(ctx, prior.Object, cluster.Patch{
			FieldManager: own, ResourceVersion: live.GetResourceVersion(), Edits: edits, DryRun: true,
		})
	}
	if prior.Arguments.Patch != nil {
		return send(takingBackPatch(prior.Arguments, prior, prior.Live, kept))
	}
	return sendPart(prior, kept, func(edits record.Editing) (*unstructured.Unstructured, error) {
		return send(edits(prior.Live, prior.Snapshot.Claims))
	})
}
