package ssa

import (
	"maps"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

func (in Prediction) plannedState() (PlannedState, []Change) {
	snapshot := in.prior.Snapshot
	written := snapshot.Renderer().Fingerprints(in.body, in.applied)
	before := in.rewrite.Claims(in.claims).ReconcileWithSchema(in.becameAtomic)
	held := before.Fields()
	body, answer := projection.NewReader(in.body), projection.NewReader(in.result)
	foreseen := before.Predict(ownership.Apply{
		Manager: in.intent.manager(),
		Fields:  in.applied,
		Differs: func(leaf paths.Path) bool {
			id := paths.ID(leaf)
			return written[id] != snapshot.Values[id] && !merges(held, leaf, body, answer)
		},
		IsWhole:  snapshot.IsWhole(held),
		IsAbsent: snapshot.IsAbsent(held),
		Replaces: func(leaf paths.Path) bool { return replaces(held, leaf, body) },
	})
	foreseen.After = in.intent.afterApply(foreseen.After).Claims(foreseen.After)
	formatter := foreseen.After.Formatter(in.claims.Fields(), in.applied)
	renderer := in.intent.renderer(in.prior.Object, snapshot.DigestKey)
	names, shown := renderer.Names(formatter), in.applied.Difference(projection.EmptyCollections(in.body, in.applied))
	planned := PlannedState{
		View:          foreseen.After.CoOwners(names).Flatten(in.prior.View),
		ManagedState:  renderer.State(in.result, shown, formatter),
		UnknownOwners: unknownOwners(before, in.intent, names),
	}
	changes := in.changes(foreseen, snapshot.Renderer().State(in.result, shown, formatter), formatter)
	planned.UnknownValues = unknownValues(planned.ManagedState, in.applied, in.intent, names)
	// An object without any manager gets one from the server, with all that the object has by then. Claims on
	// another version of the kind change with values that only the server can convert.
	foreign := in.claims.InOtherVersions(in.intent.Manifest.APIVersion)
	if held.Empty() || in.leavesNobody(before) || len(foreign) > 0 && !maps.Equal(planned.ManagedState, in.prior.ManagedState) {
		planned.View, planned.Owners = ownership.View{}, Unforeseen
	}
	return planned, changes
}

// merges reports whether the body gives a map or list that is empty and that the server merges into what is
// there, which takes nothing from anybody: it has parts with owners of their own, or keeps its content. An
// empty atomic one replaces it instead.
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

// leavesNobody reports whether the apply meets an object that nobody owns any more, because our fields were removed to
// keep what is beside them, and gives it something.
func (in Prediction) leavesNobody(before ownership.Claims) bool {
	kept := in.prior.KeptFields(in.rewrite)
	if kept.Empty() || isBare(in.body) {
		return false
	}
	own := in.intent.FieldManager
	return before.Others(own).Fields().Empty() && projection.WithValues(in.body, before.Own(own)).Empty() && len(in.intent.endangered(before, in.body, kept)) > 0
}
