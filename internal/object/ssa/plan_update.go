package ssa

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// PlanUpdate plans an apply to the object of prior: one dry-run. wanted.Pending reports whether an apply
// is needed. PlanUpdate returns a *ConflictsError if the plan has conflicts that the arguments refuse.
func PlanUpdate(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (Plan, error) {
	plan := Plan{Action: Update, Object: prior.Object, Lines: linesOf(args)}
	plan.Managers.AreReset = wanted.IsWiped(prior)
	maybe := maybeFilled(args, prior)
	var err error
	if plan.Filled, err = filled(ctx, api, args, prior, maybe); err != nil {
		return plan, err
	}
	prior.Snapshot.Fields.Filled = plan.Filled
	a := newApply(args, prior)
	dry, err := a.try(ctx, api)
	if err != nil && a.wanted.HasStandIns && cluster.IsRefusal(err) {
		return planDecided(ctx, api, args, prior)
	}
	if err != nil {
		return plan, plan.refused(ctx, api, a, err)
	}
	plan.Remarks, plan.Managers.Converted = dry.Remarks, a.wanted.Claims().InVersions(a.rewrite.Versions)
	predicted, err := a.predict(ctx, api, dry)
	if err != nil {
		return plan, err
	}
	if err := refuse(plan.Object, a.wanted.Uncountable(dry.Object.Object, predicted.Answered)); err != nil {
		return plan, err
	}
	if err := plan.count(a.wanted.Count(a.rewrite.Claims(a.wanted.Claims()), predicted.Applied)); err != nil {
		return plan, err
	}
	if predicted, err = a.tried(ctx, api, predicted); err != nil {
		return plan, plan.refused(ctx, api, a, err)
	}
	plan.Unmatched = a.wanted.Unmatched(dry.Object.Object, a.known().Union(predicted.Applied), predicted.Answered)
	planned, changes := predicted.PlannedState()
	plan.State = &planned
	planned.PinsUnknown = a.wanted.IsUndecided() && len(plan.Unmatched.Pins) > 0 ||
		wanted.AddsPins(args, a.wanted.Prior) || a.gainsPins(dry.Object, predicted.Answered)
	if a.wanted.IsUndecided() {
		// What the server fills in may depend on a value that is not known yet.
		planned.FieldsUnknown = planned.FieldsUnknown || !maybe.Empty()
		plan.Unmatched.Pins = nil // A value that is not known yet may bring them. The plan of the apply knows it.
	}
	plan.Items.New, plan.Applies = predicted.NewItems(), predicted.NonEmpty()
	if !a.wanted.HasStandIns {
		plan.Becomes = predicted.Final()
	}
	plan.Changes = predicted.WithUnshown(planned, changes)
	// The answer also has what another client wrote since the read. Another look tells that from what the apply does.
	if predicted.HasMoved && len(plan.Changes) > len(changes) {
		if live, err := api.Get(ctx, prior.Object); err == nil && live.GetUID() == dry.Object.GetUID() {
			predicted.Moved = live.Object
		}
		plan.Changes = predicted.WithUnshown(planned, changes)
	}
	plan.Managers.note(predicted, plan.Changes)
	plan.Lines.TakeOver = obstacles.TakeOverShared(plan.Changes, a.wanted.TakeOver)
	// The first plan for an object of other managers always lists what it leaves to them.
	if prior.Snapshot.AppliedState != "" || args.OnAddition == arguments.FailOnAddition {
		plan.Additions = additionsOf(args.OnAddition, planned.AddedByOthers)
	}
	if prior.Live == nil && args.OnConflict == arguments.Fail {
		plan.leaveToServer()
	}
	return plan, plan.refusal(args)
}

// leaveToServer removes those conflicts from the plan that do not exist if a write-only value is the live one, which
// this run has not read. The API server knows, and the apply is not forced.
func (p *Plan) leaveToServer() {
	p.Changes = slices.DeleteFunc(p.Changes, func(c ownership.Change) bool {
		return c.IsConflict() && c.What != ownership.Removing && slices.Contains(p.State.UnknownOwners, c.Field)
	})
}

// planDecided plans an apply without the stand-ins that the server refuses, and without values after it, which the plan
// of the apply knows. If the server refuses that, too, the plan reports nothing.
func planDecided(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (Plan, error) {
	// An answer made from the object instead, as for users who may only read, would know no list item without an owner.
	if decided := wanted.Decided(args, prior); len(decided.Undecided) < len(args.Undecided) {
		plan, err := PlanUpdate(ctx, api, decided, prior)
		if _, isConflict := errors.AsType[*ConflictsError](err); err == nil || isConflict {
			plan.ClearPredicted()
			return plan, err
		}
	}
	return Plan{Action: Update, Object: prior.Object}, nil
}

// refused turns the plan into a replacement if the server refuses the change as immutable, and reports nothing of the
// apply if the refusal may be about stand-ins, together with which the server may refuse any other value. It returns
// any other refusal, explained. If an ignored field cannot be released alone, that is the better explanation.
func (p *Plan) refused(ctx context.Context, api cluster.Interface, a *apply, refusal error) error {
	if kept, is := errors.AsType[*obstacles.KeptError](refusal); is {
		p.Action, p.Immutable.Fields = Replace, kept.Fields
		return nil
	}
	if refusals.Immutable(refusal) != nil {
		p.Action, p.Immutable = Replace, Immutable{Fields: a.refused().Immutable(refusal), Refusal: refusal}
		return nil
	}
	if a.wanted.IsUndecided() && refusals.IsOfObject(refusal) {
		return nil
	}
	if whole := a.checkIgnorable(ctx, api, a.wanted.Prior.NonEmpty(a.wanted.Claims(),
		a.wanted.FieldManager).Union(a.wanted.Prior.DeclaredBefore())); whole != nil {
		return whole
	}
	if pins := a.pinsRefused(ctx, api, refusal); pins != nil {
		return pins
	}
	acceptedAsNew := func() bool { return !a.wanted.IsPart && refusedAsNew(ctx, api, a) == nil }
	return obstacles.OfChange(a.refused().Explain(refusal), acceptedAsNew)
}

// checkIgnorable returns [wanted.Wanted.CheckSeparable] for an object that exists. Claims alone do not show what is
// atomic: an entry may hold a map by itself, and none of its parts. So before it returns the error, it sends a dry-run
// of the whole manifest, and checks the fields that the dry-run applies.
func (a *apply) checkIgnorable(ctx context.Context, api cluster.Interface, known *paths.Set) error {
	refusal := a.wanted.CheckSeparable(known)
	if refusal == nil {
		return nil
	}
	asked := a.dryRunUnderAnotherName(wanted.WithUID(a.wanted.Manifest.Object, a.wanted.Prior.Snapshot.UID))
	dry, err := asked.send(ctx, api, a.wanted.Prior.Object)
	if err != nil {
		return refusal
	}
	answered, err := record.ClaimsOf(a.wanted.Prior.Object, dry.Object)
	if err != nil {
		return err
	}
	return a.wanted.CheckSeparable(answered.Own(asked.Manager))
}

// predict returns what the answer of a dry-run shows about the apply.
func (a *apply) predict(ctx context.Context, api cluster.Interface, dry cluster.Applied) (prediction.Inputs, error) {
	prior, result := a.wanted.Prior, dry.Object.Object
	answered, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return prediction.Inputs{}, err
	}
	applied := a.asked.applied(answered, a.wanted.Keys.Complete(a.body))
	if lost, gained := a.changedMeanwhile(ctx, api, dry.Object); !lost.Empty() || !gained.Empty() {
		result, _ = projection.Strip(projection.Graft(result, a.body, lost), gained).(map[string]any)
		applied = applied.Union(lost)
	}
	becameAtomic := prediction.BecameAtomic(a.wanted, a.body, answered, a.asked.Manager, result)
	becameAtomic = becameAtomic.Union(a.becameAtomicBeside(ctx, api, answered, result))
	whole := prior.NonEmpty(a.wanted.Claims().ReconcileWithSchema(becameAtomic), a.wanted.FieldManager).Union(applied)
	if err := a.checkIgnorable(ctx, api, whole); err != nil {
		return prediction.Inputs{}, err
	}
	predicted := a.predicted(result, applied, becameAtomic)
	predicted.Answered, predicted.HasMoved = answered, a.hasMoved(dry.Object)
	return predicted, refusals.CutNumbers(prior.Object, a.body, result, applied)
}

// predicted returns the inputs of the planned state, by the server's result of the apply.
func (a *apply) predicted(result map[string]any, applied, becameAtomic *paths.Set) prediction.Inputs {
	return prediction.Inputs{
		Wanted: a.wanted, Rewrite: a.rewrite, Body: a.body, Result: result, Applied: applied,
		BecameAtomic:  becameAtomic,
		PrunesNothing: a.asked.IsUnderAnotherName, IsOfNewObject: a.asked.IsOfNewObject, Unsent: a.asked.added,
		Removes:   wanted.Unwanted(a.wanted.Arguments, a.wanted.Prior),
		Obstacles: paths.OrEmpty(a.removes),
		Forgotten: wanted.ForgottenOf(a.wanted),
	}
}

// becameAtomicBeside returns the fields that the schema has made atomic, and of which only other managers own parts, in
// addition to the map or list itself. The answer would show the same claims if those parts had just been removed. So,
// if there are such fields, a dry-run of the live values finds out. If the server refuses it, the claims count as they
// were recorded.
func (a *apply) becameAtomicBeside(
	ctx context.Context, api cluster.Interface, answered ownership.Claims, result map[string]any,
) *paths.Set {
	manager := a.asked.Manager
	answer := projection.NewReader(result)
	maybe := paths.Filter(a.wanted.Claims().MayHaveBecomeAtomic(prediction.Unwritten(a.wanted.Claims(), answered,
		manager), manager), func(path paths.Path) bool {
		value, presence := answer.Lookup(path)
		return presence == projection.Present && !projection.IsEmptyCollection(value) &&
			prediction.IsLikeBefore(value, a.wanted.Claims().Fields(), path)
	})
	if maybe.Empty() {
		return maybe
	}
	dry, err := a.dryRunUnderAnotherName(projection.Graft(a.asked.Body, result, maybe)).send(ctx, api,
		a.wanted.Prior.Object)
	if err != nil {
		return paths.NewSet()
	}
	claims, err := record.ClaimsOf(a.wanted.Prior.Object, dry.Object)
	if err != nil {
		return paths.NewSet()
	}
	fields := claims.Own(wanted.DryRunManager(a.wanted.FieldManager))
	return paths.Filter(maybe, func(path paths.Path) bool {
		return fields.Has(path) && !ownership.HasParts(fields, path)
	})
}

// ListsError reports that lists of an object are too short, or cannot be counted.
type ListsError struct {
	Object manifest.Identity
	Lists  []wanted.CountedList
}

func (e *ListsError) Error() string {
	return fmt.Sprintf("%s: %d lists are too short, or cannot be counted", e.Object, len(e.Lists))
}

// PlanNothing returns the plan of an object that needs no apply, with its lists. It sends nothing.
func PlanNothing(args arguments.Arguments, prior record.Prior) (Plan, error) {
	plan := Plan{Action: NoChange, Object: prior.Object, Lines: linesOf(args)}
	if len(args.Lengths) == 0 && len(prior.Additions) == 0 {
		return plan, nil
	}
	w := wanted.For(args, prior)
	plan.Additions = additionsOf(args.OnAddition, prediction.Additions(w))
	if err := plan.refusal(args); err != nil {
		return plan, err
	}
	if err := refuse(plan.Object, w.Uncountable(prior.Live, w.Claims())); err != nil {
		return plan, err
	}
	return plan, plan.count(w.Count(w.Claims(), w.Claims().Own(w.FieldManager)))
}

// count fills in the lists of a plan. It returns a *ListsError if lists are too short.
func (p *Plan) count(lists []wanted.CountedList) error {
	p.Items.Counted = lists
	return refuse(p.Object, slices.DeleteFunc(slices.Clone(lists), func(list wanted.CountedList) bool {
		return list.Lacks() == 0
	}))
}

// refuse returns the *ListsError of lists; nil without lists.
func refuse(id manifest.Identity, lists []wanted.CountedList) error {
	if len(lists) == 0 {
		return nil
	}
	return &ListsError{Object: id, Lists: lists}
}
