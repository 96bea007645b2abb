package ssa

import (
	"context"
	"errors"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// applyNoticing applies the body, and returns the fields of other managers that it overwrites or removes and that the
// plan did not show. If the plan takes nothing, the first PATCH is not forced: a conflict then means a write since the
// plan, so a GET shows what was written, and a second PATCH is forced. A plan that takes fields would conflict in any
// case, and no server refuses to remove a list item with what other managers put into it. So such plans are forced at
// once, as is a plan without a planned state; see applyPlanned. With on_conflict = "fail", a conflict is an error,
// unless overrules has the other manager. A plan that promises that a field stays is carried out on the version of the
// object that it knows, forced or not.
func (a *apply) applyNoticing(ctx context.Context, api cluster.Interface) (cluster.Applied, []ownership.Change, error) {
	removes := !a.claimsBefore.Pruned(a.staying(a.claimsBefore)).Empty()
	forced := a.planned.State == nil || removes || a.contests(a.planned.State.Owners)
	options := cluster.ApplyOptions{
		FieldManager: a.wanted.FieldManager, Force: forced && a.wanted.OnConflict != arguments.Fail,
	}
	if !options.Force && !removes && a.planned.Adoption.Giver == "" &&
		!wanted.IsPromised(a.wanted, a.claimsBefore) && !a.unwanted.refuses() {
		// Without force, a conflict tells of writes to our fields. A resourceVersion would fail at any other write,
		// too, such as that of a status.
		a.version = ""
	}
	answer, fields, err := a.applyPlanned(ctx, api, options)
	if options.Force {
		return answer, fields, err
	}
	var conflict *cluster.FieldManagerConflictError
	isFail := a.wanted.OnConflict == arguments.Fail
	if !errors.As(err, &conflict) || isFail && !overrules(a, err) {
		return answer, nil, err
	}
	options.Force = !isFail
	a.meet(ctx, api, conflict.Causes)
	return a.applyPlanned(ctx, api, options)
}

// overrules reports whether an apply has on_conflict = "fail", and may be forced nevertheless: it conflicts only with a
// manager that the server has just created itself, and the resource that gives the object up.
func overrules(a *apply, err error) bool {
	conflict, is := errors.AsType[*cluster.FieldManagerConflictError](err)
	return is && a.wanted.OnConflict == arguments.Fail &&
		conflict.IsOnlyWith(ownership.BeforeFirstApply, a.planned.Adoption.Giver)
}

// meet notes what other clients wrote since the plan, by the causes of a conflict, and reads the object for the values
// that they wrote: a GET. The next apply is for the object as it was read. If the apply is for the version of the plan,
// applyPlanned reads the object.
func (a *apply) meet(ctx context.Context, api cluster.Interface, causes []metav1.StatusCause) {
	// With the values that a look before the apply has seen.
	a.overwritten = withLater(overwritten(causes), a.overwritten)
	if a.version != "" {
		return
	}
	live, err := api.Get(ctx, a.wanted.Prior.Object)
	if err != nil || string(live.GetUID()) != a.wanted.Prior.Snapshot.UID {
		return
	}
	if claims, err := record.ClaimsOf(a.wanted.Prior.Object, live); err == nil {
		a.renew(live, claims)
		a.overwritten = withLater(a.overwritten, a.writtenSince(live, claims))
		a.version = live.GetResourceVersion()
	}
}

// mostLooks is how often an apply looks at an object that other managers keep writing to.
const mostLooks = 3

// applyPlanned applies to the version of the object that the plan knows, if a.version is set: one PATCH. If the object
// has changed since, a GET shows which fields other managers gave other values, and the next PATCH is for the new
// version. Before it, fields that the plan has promised to keep are released if no other manager owns them any more: a
// GET and a PATCH more. Without force, it returns an error if other managers wrote fields that the apply would remove.
func (a *apply) applyPlanned(
	ctx context.Context, api cluster.Interface, options cluster.ApplyOptions,
) (cluster.Applied, []ownership.Change, error) {
	fields := a.overwritten
	for range mostLooks {
		body := wanted.WithMetadata(a.body, "resourceVersion", a.version)
		answer, err := api.Apply(ctx, a.wanted.Prior.Object, body, options)
		if !options.Force && a.version != "" && overrules(a, err) {
			// This version conflicts with no other manager, and the server applies to no later one.
			forced := options
			forced.Force = true
			answer, err = api.Apply(ctx, a.wanted.Prior.Object, body, forced)
		}
		if a.version == "" || cluster.ReasonOf(err) != cluster.ReasonConflict {
			return answer, fields, err
		}
		live, missing := api.Get(ctx, a.wanted.Prior.Object)
		if missing != nil || string(live.GetUID()) != a.wanted.Prior.Snapshot.UID {
			return answer, nil, err
		}
		claims, unreadable := record.ClaimsOf(a.wanted.Prior.Object, live)
		if unreadable != nil {
			return cluster.Applied{}, nil, unreadable
		}
		a.renew(live, claims)
		if wanted.Abandons(a.wanted, claims) {
			if err := a.prepare(ctx, api, true); err != nil || a.done != nil {
				return cluster.Applied{Object: a.done, Outcome: cluster.Updated}, withLater(fields, a.overwritten), err
			}
			fields = withLater(fields, a.overwritten)
		} else {
			fields, a.version = withLater(fields, a.writtenSince(live, claims)), live.GetResourceVersion()
		}
		isRefused := !options.Force && a.wanted.OnConflict == arguments.Fail
		if isRefused && slices.ContainsFunc(fields, func(o ownership.Change) bool { return o.With != "" }) {
			return answer, nil, err
		}
		if refused := refuseWrittenSince(a, live); refused != nil {
			return answer, nil, refused
		}
	}
	// Clients that keep writing must not keep the apply from ending. Its last PATCH has no resourceVersion, so the
	// promised fields are released first.
	if wanted.IsPromised(a.wanted, a.claimsBefore) {
		a.wanted = wanted.Releasing(a.wanted)
		if err := a.prepare(ctx, api, true); err != nil || a.done != nil {
			return cluster.Applied{Object: a.done, Outcome: cluster.Updated}, withLater(fields, a.overwritten), err
		}
		fields = withLater(fields, a.overwritten)
	}
	answer, err := api.Apply(ctx, a.wanted.Prior.Object, a.body, options)
	return answer, fields, err
}

// renew makes a later look at the object what a part has found before its first apply: a destroy removes or restores
// what the apply changes there. If we own more of the object than before, the look shows the work of an apply whose
// answer was lost.
func (a *apply) renew(live *unstructured.Unstructured, claims ownership.Claims) {
	if a.wanted.Prior.Live != nil && claims.Own(
		a.wanted.FieldManager).Difference(a.claimsBefore.Own(a.wanted.FieldManager)).Empty() {
		a.wanted.Prior.Live = live.Object
	}
}

// withLater returns what other clients wrote: what was known, and what the last look at the object tells. The last look
// alone is not enough, because an apply whose answer was lost has already overwritten what was known.
func withLater(known, since []ownership.Change) []ownership.Change {
	isNew := func(o ownership.Change) bool {
		return slices.ContainsFunc(since, func(n ownership.Change) bool { return n.Field == o.Field && n.By == o.By })
	}
	return append(slices.DeleteFunc(slices.Clone(known), isNew), since...)
}

// staying returns the apply of the fields that we owned before and that stay in the body. It removes obstacles.
func (a *apply) staying(claims ownership.Claims) ownership.Apply {
	return ownership.Apply{
		Manager: a.wanted.Manager(),
		Fields:  projection.WithValues(a.wanted.Keys.Complete(a.body), claims.Own(a.wanted.FieldManager)),
		Differs: func(paths.Path) bool { return false },
		Removes: a.removes,
	}
}

// writtenSince returns the fields of the body to which other managers gave other values after the object was read for
// the plan, and those that they wrote since then and that the apply removes.
func (a *apply) writtenSince(live *unstructured.Unstructured, claims ownership.Claims) []ownership.Change {
	others, snapshot := claims.Others(a.wanted.FieldManager), a.wanted.Prior.Unmasked(live.Object).Snapshot
	leaves := others.Fields().Leaves()
	renderer := snapshot.Renderer()
	complete := a.wanted.Keys.Complete(a.body)
	written, now := renderer.Fingerprints(complete, leaves), renderer.Fingerprints(live.Object, leaves)
	shown := a.wanted.LiveRenderer().Knowing(live.Object)
	names, reader := shown.Names(claims.Formatter()), projection.NewReader(live.Object)
	differs, known := prediction.WriteOnlyDiffers(a.wanted, live.Object,
		a.body), snapshot.Claims.Others(a.wanted.FieldManager).Fields()
	var fields []ownership.Change
	note := func(path, with paths.Path, holders []ownership.Holder) {
		value, _ := reader.Lookup(path)
		field := ownership.Change{Field: names.Format(path), Owners: holders, Was: shown.Text(path, value)}
		if with != nil {
			field.With = names.Format(with)
		}
		fields = append(fields, field.ByOwner()...)
	}
	body := projection.NewReader(complete)
	paths.Walk(leaves, func(path paths.Path, _ bool) {
		id := paths.ID(path)
		wanted, isOurs := written[id]
		value, _ := reader.Lookup(path)
		isUnstored := wanted == rendering.UnstoredPrint && now[id] == rendering.UnstoredPrint
		isKnown := !isOurs || now[id] == wanted || now[id] == snapshot.Values[id]
		if isUnstored {
			isKnown = known.Has(path) || !differs(path)
		}
		if isKnown {
			return
		}
		if given, _ := body.Lookup(path); projection.IsEmptyCollection(value) || projection.IsEmptyCollection(given) {
			return
		}
		note(path, nil, others.Holders(path))
	})
	for _, lost := range claims.Predict(a.staying(claims)).Removed {
		if id := paths.ID(lost.Path); now[id] != snapshot.Values[id] {
			note(lost.Path, lost.With, lost.From)
		}
	}
	return fields
}

// contests reports whether the body gives another value to a field that other managers owned when the plan was made.
// Our own claim under a former name is not that of another manager.
func (a *apply) contests(planned ownership.View) bool {
	body, snapshot, own := a.wanted.Keys.Complete(a.body), a.wanted.Prior.Snapshot, a.wanted.FieldManager
	claims := ownership.Rewrite{Manager: own, PreviousManager: a.wanted.PreviousManager()}.Claims(snapshot.Claims)
	others, formatter := claims.Others(own).Fields(), claims.Formatter()
	if prediction.ReplacesAny(body, others) {
		return true
	}
	isOwned := func(path paths.Path) bool {
		_, owned := planned.FieldOwnership[formatter.Format(path)]
		return owned
	}
	fields := others.Leaves().Difference(snapshot.MergedMaps(body, others, isOwned))
	held := claims.Fields()
	paths.Walk(claims.Inner(), func(path paths.Path, _ bool) {
		if isOwned(path) && paths.Filter(wanted.Within(held, []paths.Path{path}), isOwned).Empty() {
			fields.Insert(path)
		}
	})
	written := snapshot.Renderer().Fingerprints(body, fields)
	differs, contested := prediction.WriteOnlyDiffers(a.wanted, a.wanted.Prior.Live, body), false
	paths.Walk(fields, func(path paths.Path, _ bool) {
		value, isGiven := written[paths.ID(path)]
		isSame := value == snapshot.Values[paths.ID(path)] && (value != rendering.UnstoredPrint || !differs(path))
		contested = contested || isGiven && !isSame
	})
	return contested
}

// opponentsOf returns the managers from which an apply took fields back, or removed list items, as planned or not.
func opponentsOf(changes []ownership.Change, overwritten []ownership.Change) []record.Opponent {
	opponents := prediction.Opponents(changes)
	for _, field := range overwritten {
		if field.With == "" {
			opponents = append(opponents, record.Opponent{Field: field.Field, Manager: field.By})
		}
	}
	return opponents
}

func overwritten(causes []metav1.StatusCause) []ownership.Change {
	var fields []ownership.Change
	for _, cause := range causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, ownership.Change{
				Field: strings.TrimPrefix(cause.Field, "."),
				By:    strings.TrimPrefix(cause.Message, "conflict with "),
			})
		}
	}
	slices.SortFunc(fields, func(a, b ownership.Change) int {
		return strings.Compare(a.Field+"\n"+a.By, b.Field+"\n"+b.By)
	})
	return fields
}
