package prediction

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Inputs are an apply to an existing object, and the server's answer to its dry-run. A prediction depends on nothing
// else.
type Inputs struct {
	Wanted wanted.Wanted
	// Rewrite is the rewrite of claims before the apply. Body is the body of the apply.
	Rewrite ownership.Rewrite
	Body    map[string]any
	// Result is the object in the answer.
	Result map[string]any
	// PrunesNothing is true if Result still contains the fields that the apply prunes, because the dry-run was under
	// the name of another manager. IsOfNewObject is true if Result is another object, which has none of the live
	// values.
	PrunesNothing, IsOfNewObject bool
	// Tried is the object without the fields that the apply removes, as the server would store it; nil if no dry-run
	// asked for it.
	Tried map[string]any
	// Answered are the claims in the answer. HasMoved is true if another client has written to the object since it was
	// read.
	Answered ownership.Claims
	HasMoved bool
	// Moved is the object as read after the dry-run; nil if no other client has written, or if it was not read again.
	// It may be newer than the answer.
	Moved map[string]any
	// Unsent are the fields that the dry-run sent and that the apply does not send.
	Unsent *paths.Set
	// Applied is the field set of our entry after the apply.
	Applied *paths.Set
	// BecameAtomic are fields that the schema has made atomic since the claims were recorded.
	BecameAtomic *paths.Set
	// Removes contains the fields that the apply removes by a request of its own, because remove_fields covers them.
	Removes *paths.Set
	// Obstacles contains the fields that the apply removes, no matter who owns them, because the server refuses them
	// together with those that the manifest declares.
	Obstacles *paths.Set
	// Forgotten are the fields of ours that leave the body and that managedFields does not record as ours any more.
	Forgotten wanted.Forgotten
}

// NonEmpty returns the applied fields without those that the body gives as empty maps or lists.
func (in Inputs) NonEmpty() *paths.Set {
	return in.Applied.Difference(projection.EmptyCollections(in.Body, in.Applied))
}

// removes returns the fields that the apply removes in addition to those that leave our claim.
func (in Inputs) removes() *paths.Set {
	return paths.OrEmpty(in.Removes).Union(paths.OrEmpty(in.Obstacles)).Union(paths.OrEmpty(in.Forgotten.Removed))
}

// emptyEntries returns the empty maps of ours that the apply removes with the parts that other managers have put into
// them. A claim does not tell such an entry of a map from a field that the kind defines, which stays: the answer does.
func emptyEntries(in Inputs, before ownership.Claims) *paths.Set {
	after := in.Result
	if in.PrunesNothing {
		after = in.Tried
	}
	answer := projection.NewReader(after)
	others := before.Others(in.Wanted.FieldManager).Fields()
	leaving := before.Own(in.Wanted.FieldManager).Difference(in.Applied).Leaves()
	return paths.Filter(leaving, func(path paths.Path) bool {
		return after != nil && !others.Has(path) && ownership.HasParts(others, path) && !answer.Has(path)
	})
}

// RemovesNothing reports whether the apply removes nothing by requests of its own.
func (in Inputs) RemovesNothing() bool { return in.removes().Empty() }

// isForgotten reports whether a field is forgotten and removed with its part of the object.
func (in Inputs) isForgotten(path paths.Path) bool {
	return paths.Touches(paths.OrEmpty(in.Forgotten.Removed), path)
}

// Known returns all fields of the object that are known to have, or to have had, an owner.
func (in Inputs) Known() *paths.Set {
	return in.Wanted.Claims().Fields().Union(in.Wanted.Prior.KeptFields(in.Rewrite))
}

// PlannedState returns the attributes after the apply, and the changes of single fields that the plan reports.
func (in Inputs) PlannedState() (PlannedState, []ownership.Change) {
	snapshot := in.Wanted.Prior.Snapshot
	written := snapshot.Renderer().Fingerprints(in.Body, in.Applied)
	before := in.Rewrite.Claims(in.Wanted.Claims()).ReconcileWithSchema(in.BecameAtomic)
	held := before.Fields()
	body := projection.NewReader(in.Body)
	differs := WriteOnlyDiffers(in.Wanted, in.Wanted.Prior.Live, in.Body)
	kept := keptInNewVersion(in, before)
	foreseen := before.Predict(ownership.Apply{
		Manager: in.Wanted.Manager(),
		Fields:  in.Applied,
		Differs: func(leaf paths.Path) bool {
			id := paths.ID(leaf)
			// All write-only values have this one fingerprint, so it does not tell them apart.
			if written[id] == rendering.UnstoredPrint && snapshot.Values[id] == rendering.UnstoredPrint {
				return differs(leaf)
			}
			if _, isRead := snapshot.Values[id]; !isRead && kept.Has(leaf) {
				return false
			}
			return written[id] != snapshot.Values[id] && !merges(in, held, leaf, body)
		},
		IsWhole:  snapshot.IsWhole(held),
		IsAbsent: snapshot.IsAbsent(held),
		Replaces: func(leaf paths.Path) bool { return replaces(held, leaf, body) },
		Removes:  in.removes().Union(emptyEntries(in, before)),
	})
	takeOver := in.Wanted.AfterApply(foreseen.After)
	foreseen.After = takeOver.Claims(foreseen.After)
	formatter := foreseen.After.Formatter(in.Wanted.Claims().Fields(), in.Applied)
	renderer := in.Wanted.LiveRenderer()
	names, shown := renderer.Names(formatter), in.NonEmpty()
	owned := foreseen.After.WithoutStatusWriters(in.Applied)
	planned := PlannedState{
		Shown: record.Shown{
			Owners:       owned.CoOwners(names).Flatten(in.Wanted.Prior.Owners),
			ManagedState: renderer.State(in.Result, shown, formatter),
			Pinned:       in.Wanted.Pins.Held(projection.WithValues(in.Result, shown)).Text(renderer),
			Added:        record.Outermost(wanted.AddedBy(in.Wanted.Arguments, in.Wanted.Prior, in.Applied), names),
		},
		Unknown: Unknown{UnknownOwners: unknownOwners(in, before, names)},
	}
	planned.AddedByOthers = additionsAfter(in, foreseen.After, names)
	planned.Additions = additions.Show(planned.AddedByOthers, in.Wanted.Prior.Additions)
	// Patches may name the same items in different orders. With an order in its state, each would set back the other's.
	if !in.Wanted.IsPart {
		maps.Copy(planned.ManagedState, renderer.Orders(in.Result, in.Wanted.Stored().Object, shown, formatter))
	}
	// The prior state shows values by the sensitive_fields of the last apply. They compare only if shown likewise.
	asBefore := snapshot.Renderer().State(in.Result, shown, formatter)
	found := in.changes(foreseen, asBefore, formatter)
	changes := slices.Concat(found.reported, in.reordered(shown, formatter),
		in.undeclared(foreseen.After.Others(in.Wanted.FieldManager), formatter))
	planned.UnknownValues = UnknownValues(planned.ManagedState, in.Applied, in.Wanted, names)
	planned.Conflicts, planned.Rewritten, planned.Removed = found.conflicts, found.rewritten, found.removed
	undecided, _ := in.Wanted.UndecidedFields(in.Applied)
	planned.ConflictsUnknown = !paths.OrEmpty(undecided).Empty()
	planned.FieldsUnknown = FieldsUnknown(in.Wanted, in.Body, in.Result, in.Applied)
	// An object without managers gets one from the server, which owns all fields that the object contains at that time.
	if held.Empty() || in.leavesNobody(before) || in.changesElsewhere(foreseen.After, planned) {
		planned.Owners, planned.OwnersUnknown = ownership.View{}, true
	}
	planned.OwnersUnknown = planned.OwnersUnknown || in.isObstructed(held) || in.mayKeepMaps(before, takeOver)
	return planned, changes
}

// keptInNewVersion returns the fields that other managers own after the dry-run of an apply that changes the API
// version. The snapshot, which was read in another version, lacks the values of those that only the new version has.
func keptInNewVersion(in Inputs, before ownership.Claims) *paths.Set {
	version, _ := in.Body["apiVersion"].(string)
	name := in.Wanted.Manager().Name
	if !slices.ContainsFunc(before, func(c ownership.Claim) bool { return c.IsOwn(name) && c.APIVersion != version }) {
		return paths.NewSet()
	}
	return in.Answered.Others(name).Fields()
}

// mayKeepMaps reports whether a manager to be taken over keeps a map or list itself only if the apply gives a field in
// it another value, and that value may be another one in Terraform's second plan: the manager loses the field alone if
// it is taken, and the map with it if it is shared.
func (in Inputs) mayKeepMaps(before ownership.Claims, takeOver ownership.Rewrite) bool {
	mayChange := mayChange(in.Wanted, in.Applied)
	return slices.ContainsFunc(before, func(claim ownership.Claim) bool {
		uncertain := paths.Filter(claim.Fields, mayChange)
		if uncertain.Empty() || !takeOver.TakesOver(claim.Manager) {
			return false
		}
		robbed := claim
		robbed.Fields = claim.Fields.Difference(uncertain)
		shared, taken := takeOver.Claims(ownership.Claims{claim}), takeOver.Claims(ownership.Claims{robbed})
		return !shared.Fields().Equals(taken.Fields())
	})
}

// isObstructed reports whether the apply removes obstacles that have owners. They follow from the live object, from
// which other clients may have removed them before Terraform's second plan.
func (in Inputs) isObstructed(held *paths.Set) bool {
	return !paths.Filter(paths.OrEmpty(in.Obstacles), func(path paths.Path) bool {
		return paths.Touches(held, path)
	}).Empty()
}

// merges reports whether the body gives an empty map or list that the server merges into the live one. That takes
// nothing from any manager: the live one has parts with owners of their own, or keeps its content. An empty atomic map
// or list replaces it instead.
func merges(in Inputs, held *paths.Set, leaf paths.Path, body *projection.Reader) bool {
	written, _ := body.Lookup(leaf)
	if !projection.IsEmptyCollection(written) {
		return false
	}
	if ownership.HasParts(held, leaf) {
		return !replaces(held, leaf, body)
	}
	return keepsUnowned(in, leaf)
}

// keepsUnowned reports whether a map or list that the body gives without content keeps content that no manager owns. It
// had content at the last read: the answer also shows what was written since.
func keepsUnowned(in Inputs, leaf paths.Path) bool {
	if projection.IsEmptyPrint(in.Wanted.Prior.Snapshot.Values[paths.ID(leaf)]) {
		return false
	}
	merged, presence := projection.Lookup(in.Result, leaf)
	return presence == projection.Present && merged != nil && !projection.IsEmptyCollection(merged)
}

// unknownOwners returns the fields whose owners are known only after the apply, sorted: those of [UnknownOwners], and
// those of other managers that the body gives as empty maps or lists and whose content no manager owns. Such content
// may be gone in Terraform's second plan, in which the apply then takes the field.
func unknownOwners(in Inputs, before ownership.Claims, names rendering.Formatter) []string {
	fields := UnknownOwners(before, in.Applied, in.Wanted, names)
	held, others := before.Fields(), before.Others(in.Wanted.FieldManager).Fields()
	paths.Walk(projection.EmptyCollections(in.Body, in.Applied).Intersection(others), func(path paths.Path, _ bool) {
		if !ownership.HasParts(held, path) && keepsUnowned(in, path) {
			fields = append(fields, names.Format(path))
		}
	})
	return sortUnique(fields)
}

// leavesNobody reports whether the apply gives fields to an object that no manager owns any more, because our fields
// were removed first to keep the values next to them.
func (in Inputs) leavesNobody(before ownership.Claims) bool {
	kept := in.Wanted.Prior.KeptFields(in.Rewrite)
	if kept.Empty() || wanted.IsBare(in.Body) {
		return false
	}
	own := in.Wanted.FieldManager
	return before.Others(own).Fields().Empty() && projection.WithValues(in.Body, before.Own(own)).Empty() &&
		len(wanted.PrunedAsAWhole(before, own, in.Wanted.Keys.Complete(in.Body), kept)) > 0
}

// foreign returns those of claims that other managers have in another version of the kind.
func (in Inputs) foreign(claims ownership.Claims) ownership.Claims {
	return claims.Others(in.Wanted.FieldManager).InOtherVersions(in.Wanted.Manifest.APIVersion)
}

// changesElsewhere reports whether the apply may change foreign claims in a way that only the server knows, because it
// converts values for them. predicted are the claims after the apply. Claims that the apply converts count as foreign:
// whether it has to convert them may change before Terraform's second plan.
func (in Inputs) changesElsewhere(predicted ownership.Claims, planned PlannedState) bool {
	if len(planned.UnknownValues) == 0 && maps.Equal(planned.ManagedState, in.Wanted.Prior.ManagedState) {
		return false
	}
	rewrite := in.Rewrite
	rewrite.Versions = nil
	foreign := in.foreign(rewrite.Claims(in.Wanted.Claims()))
	return len(foreign) > 0 && !in.answersAlike(foreign, predicted)
}

// answersAlike reports whether an apply that changes the API version of our claim leaves the foreign claims in the
// dry-run's answer as predicted: then the fields of all managers have the same paths in both versions. An answer about
// another object than the one that was read, or a later state of it, counts as alike: if owners are known in
// Terraform's first plan, they must not become unknown in the second because other clients wrote in between.
func (in Inputs) answersAlike(foreign, predicted ownership.Claims) bool {
	switch {
	case !in.changesVersion() || in.Wanted.IsUndecided():
		return false
	case in.HasMoved || in.IsOfNewObject:
		return true
	}
	return !slices.ContainsFunc(foreign, func(claim ownership.Claim) bool {
		return !in.Answered.FieldsOf(claim.Manager).Equals(predicted.FieldsOf(claim.Manager))
	})
}

// changesVersion reports whether our claim is in another API version than the one that the apply has.
func (in Inputs) changesVersion() bool {
	return slices.ContainsFunc(in.Wanted.Claims(), func(c ownership.Claim) bool {
		return c.IsOwn(in.Wanted.PreviousManager()) && c.APIVersion != in.Wanted.Manifest.APIVersion
	})
}

// lostElsewhere returns the managers that own fields in another version of the kind and lose some by the apply,
// according to the answer of the dry-run. Only the server can compare claims of two versions.
func (in Inputs) lostElsewhere() []ownership.Holder {
	if in.IsOfNewObject {
		return nil
	}
	var lost []ownership.Holder
	for _, claim := range in.foreign(in.Wanted.Claims()) {
		if !claim.Fields.Difference(in.Answered.FieldsOf(claim.Manager)).Empty() {
			lost = append(lost, claim.Holder())
		}
	}
	return lost
}
