package prediction

import (
	"maps"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// PlannedState returns the attributes after the apply, and what the plan reports about single fields.
func (in Prediction) PlannedState() (PlannedState, []Change) {
	snapshot := in.Prior.Snapshot
	written := snapshot.Renderer().Fingerprints(in.Body, in.Applied)
	before := in.Rewrite.Claims(in.Claims).ReconcileWithSchema(in.BecameAtomic)
	held := before.Fields()
	body, answer := projection.NewReader(in.Body), projection.NewReader(in.Result)
	differs := WriteOnlyDiffers(in.Intent, in.Prior, in.Body)
	foreseen := before.Predict(ownership.Apply{
		Manager: in.Intent.Manager(),
		Fields:  in.Applied,
		Differs: func(leaf paths.Path) bool {
			id := paths.ID(leaf)
			if written[id] == rendering.UnstoredPrint && snapshot.Values[id] == rendering.UnstoredPrint {
				return differs(leaf)
			}
			return written[id] != snapshot.Values[id] && !merges(held, leaf, body, answer)
		},
		IsWhole:  snapshot.IsWhole(held),
		IsAbsent: snapshot.IsAbsent(held),
		Replaces: func(leaf paths.Path) bool { return replaces(held, leaf, body) },
		Removes:  in.Removes,
	})
	foreseen.After = in.Intent.AfterApply(foreseen.After).Claims(foreseen.After)
	formatter := foreseen.After.Formatter(in.Claims.Fields(), in.Applied)
	renderer := in.Intent.Renderer(in.Prior.Object, snapshot)
	names, shown := renderer.Names(formatter), in.Applied.Difference(projection.EmptyCollections(in.Body, in.Applied))
	planned := PlannedState{
		View:          foreseen.After.CoOwners(names).Flatten(in.Prior.View),
		ManagedState:  renderer.State(in.Result, shown, formatter),
		Pinned:        in.Intent.Pins().Held(projection.WithValues(in.Result, shown)).Text(renderer),
		UnknownOwners: UnknownOwners(before, in.Applied, in.Intent, names),
		Added:         record.Outermost(in.Intent.AddedBy(in.Prior, in.Applied), names),
	}
	changes := in.changes(foreseen, snapshot.Renderer().State(in.Result, shown, formatter), formatter)
	planned.UnknownValues = UnknownValues(planned.ManagedState, in.Applied, in.Intent, in.Prior, names)
	_, planned.FieldsUnknown = in.Intent.UndecidedFields(projection.WithValues(in.Result, in.Applied))
	// An object without managers gets one from the server, which owns all fields that the object has by then. Claims on
	// another version of the kind change with values that only the server can convert.
	foreign := in.Claims.InOtherVersions(in.Intent.Manifest.APIVersion)
	if held.Empty() || in.leavesNobody(before) || len(foreign) > 0 && !maps.Equal(planned.ManagedState, in.Prior.ManagedState) {
		planned.View, planned.Owners = ownership.View{}, Unforeseen
	}
	return planned, changes
}

// merges reports whether the body gives an empty map or list that the server merges into the live one. That takes
// nothing from any manager: the live one has parts with owners of their own, or keeps its content. An empty atomic map
// or list replaces it instead.
func merges(held *paths.Set, leaf paths.Path, body, result *projection.Reader) bool {
	written, _ := body.Lookup(leaf)
	if !projection.IsEmptyCollection(written) {
		return false
	}
	if ownership.HasParts(held, leaf) {
		return !replaces(held, leaf, body)
	}
	merged, presence := result.Lookup(leaf)
	return presence == projection.Present && !projection.IsEmptyCollection(merged)
}

// leavesNobody reports whether the apply gives fields to an object that no manager owns any more, because our fields
// were removed first to keep the values next to them.
func (in Prediction) leavesNobody(before ownership.Claims) bool {
	kept := in.Prior.KeptFields(in.Rewrite)
	if kept.Empty() || intents.IsBare(in.Body) {
		return false
	}
	own := in.Intent.FieldManager
	return before.Others(own).Fields().Empty() && projection.WithValues(in.Body, before.Own(own)).Empty() && len(in.Intent.Endangered(before, in.Body, kept)) > 0
}
