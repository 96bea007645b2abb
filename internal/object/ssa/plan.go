package ssa

import (
	"errors"
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Action is what a plan will do.
type Action string

// The actions of a plan.
const (
	// Create: the object is new, or nothing can be said of it yet.
	Create Action = "Create"
	// NoChange: the object is as our last apply left it.
	NoChange Action = "NoChange"
	// Update: an apply is needed.
	Update Action = "Update"
	// Replace: the server does not allow the change; see Plan.Immutable.
	Replace Action = "Replace"
)

// Plan is what an apply will do, as a pure function of the arguments, the prior state and what the server makes of our
// body.
type Plan struct {
	Action Action
	Object manifest.Identity
	// Replaces is the uid of the object that a new one replaces, if only a taint or -replace requests that.
	Replaces string
	// Awaited is what the apply waits for before it can apply the object.
	Awaited Awaited
	// State is nil while it cannot be known: the kind or the namespace may be created by the same apply, or the old
	// object keeps the name until it is replaced.
	State *prediction.PlannedState
	// Immutable is why the object has to be replaced; for Replace.
	Immutable Immutable
	// Adoption is of the object that a new resource takes over; the zero value without one.
	Adoption Adoption
	// Changes are what the plan reports about single fields, in order of their paths, those that other managers lose
	// last.
	Changes   []ownership.Change
	Additions Additions
	Managers  Managers
	Items     Items
	Unmatched wanted.Unmatched
	Lines     Lines
	// Applies are the fields to which the apply gives values; nil if they are not known.
	Applies *paths.Set
	// Filled are fields of other managers that the API server has filled in; nil if the plan has not looked for them.
	Filled *paths.Set
	// Becomes is the object as the apply leaves it; nil if that is not known. It may lack defaults.
	Becomes map[string]any
	// Remarks are those of the dry-run.
	Remarks cluster.Remarks
}

// ClearPredicted takes from the plan what only the answer of the server to the whole body shows.
func (p *Plan) ClearPredicted() { p.State, p.Unmatched = nil, wanted.Unmatched{} }

// Conflicts returns the changes of values that other managers own.
func (p Plan) Conflicts() []ownership.Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c ownership.Change) bool { return !c.IsConflict() })
}

// refusal returns a *ConflictsError if the plan has conflicts or additions that its arguments refuse; nil otherwise.
// Its plan has no conflicts if the arguments accept those.
func (p *Plan) refusal(args arguments.Arguments) error {
	refused := *p
	if args.OnConflict != arguments.Fail {
		refused.Changes = slices.DeleteFunc(slices.Clone(p.Changes), ownership.Change.IsConflict)
	}
	if len(refused.Conflicts()) == 0 && !p.Additions.AreRefused() {
		return nil
	}
	return &ConflictsError{Plan: refused}
}

// Losing returns a replacement with the fields of other managers that the new object lacks: the conflicts and additions
// of update, the plan of an update to the same values, or of refusal, a [*ConflictsError] of it.
func (p Plan) Losing(update Plan, refusal error) (Plan, error) {
	refused, is := errors.AsType[*ConflictsError](refusal)
	if is {
		update = refused.Plan
	}
	p.Changes, p.Additions = update.Conflicts(), update.Additions
	if is {
		return p, &ConflictsError{Plan: p}
	}
	return p, refusal
}

// ConflictsError reports that a plan has conflicts, or finds additions, that the configuration does not want.
type ConflictsError struct {
	Plan Plan
}

func (e *ConflictsError) Error() string {
	return fmt.Sprintf("%s: others own %d fields with other values", e.Plan.Object, len(e.Plan.Conflicts()))
}

// UnreplaceableError reports that only a replacement could give an object its values, and that the resource may not
// replace it.
type UnreplaceableError struct {
	Object manifest.Identity
	// IsPart is true if the resource applies a part of the object; otherwise it adopts it.
	IsPart bool
	// Fields are as in [Immutable].
	Fields []ownership.Change
}

func (e *UnreplaceableError) Error() string {
	return e.Object.String() + " has fields that cannot be changed"
}

// KeepUndecided plans the values from before if only values that are not known yet may need the apply.
func (p *Plan) KeepUndecided(args arguments.Arguments, prior record.Prior) {
	if args.IsUndecided() && p.State != nil && !wanted.PendingAnyway(args, prior) {
		*p.State = p.State.OrAsBefore(prior)
	}
}

// Divergence returns the declared fields that an apply left otherwise than its plan showed, because other clients wrote
// in between, sorted, without those in overwritten.
func (p Plan) Divergence(observed record.Observed, overwritten []ownership.Change) []string {
	if p.State == nil {
		return nil
	}
	return slices.DeleteFunc(prediction.Divergence(*p.State, observed), func(field string) bool {
		return slices.ContainsFunc(overwritten, func(o ownership.Change) bool { return o.Field == field })
	})
}

// Awaited is what an apply waits for before it can apply the object. It is the zero value if nothing is missing.
type Awaited struct {
	// Err describes what is missing; nil if nothing is.
	Err *cluster.Error
	// Redefined is the CustomResourceDefinition that another resource of the run changes, if that may lift Err, which
	// is then the refusal of the object; "" otherwise.
	Redefined string
	// IsPlanned is true if a resource which was planned before is to create what is awaited.
	IsPlanned bool
	// IsPrerequisite is true if nothing is known of the object before: its namespace, because nothing serves its kind,
	// or the object itself, of which the resource applies a part.
	IsPrerequisite bool
}

// notReady returns run.NotReady of an error. If that is nil, a keeps the error.
func (a *Awaited) notReady(err error) error {
	if errors.As(err, &a.Err) && run.NotReady(err) == nil {
		return nil
	}
	// errors.As has set it, also for an error that no wait can lift.
	a.Err = nil
	return err
}

// AwaitObject returns nil if the object, its kind or its namespace does not exist yet according to err, and then keeps
// err.
func (a *Awaited) AwaitObject(err error) error {
	a.IsPrerequisite = true
	if cluster.ReasonOf(err) == cluster.ReasonNotFound && errors.As(err, &a.Err) {
		return nil
	}
	return a.notReady(err)
}

// ForgiveWebhook takes the error of a plan whose dry-run met a webhook that could not be reached. In the first
// round it returns nil, the plan describes what it awaits, and the computed values are unknown. Otherwise it
// returns the error: values that the first plan knew must not become unknown.
func (p *Plan) ForgiveWebhook(err error, round run.Round) error {
	if round != run.FirstRound || cluster.ReasonOf(err) != cluster.ReasonWebhookUnreachable {
		return err
	}
	p.State = nil
	return p.Awaited.notReady(err)
}

// Immutable is why an object has to be replaced.
type Immutable struct {
	// Fields are the declared fields whose change the server refused, sorted, with their values.
	Fields []ownership.Change
	// Refusal is the answer of the server; nil if the object shows without one that it cannot have the values.
	Refusal error
}

// Adoption is what is known of an object that exists and has no state, and that the first apply takes over.
type Adoption struct {
	record.Adopted
	UID string
	// Transfers are the fields whose shown owner changes by it, as [prediction.Transfers] returns them.
	Transfers []ownership.Change
}

// IsPlanned reports whether there is an adoption.
func (a Adoption) IsPlanned() bool { return a.UID != "" }

// Additions are the fields that other managers have added to the object, and that stay.
type Additions struct {
	// Fields are those that Policy reports.
	Fields []prediction.Addition
	// Policy is on_addition; "" if the plan has not looked for additions.
	Policy arguments.AdditionPolicy
}

func additionsOf(policy arguments.AdditionPolicy, found []prediction.Addition) Additions {
	return Additions{Policy: policy, Fields: slices.DeleteFunc(slices.Clone(found), func(a prediction.Addition) bool {
		return !policy.Reports(a.IsOfPeople())
	})}
}

// AreRefused reports whether other managers have added fields that the configuration does not allow.
func (a Additions) AreRefused() bool {
	return a.Policy == arguments.FailOnAddition && len(a.Fields) > 0
}

// AreKept reports whether they stay although the apply removes those that only people and tools own.
func (a Additions) AreKept() bool { return a.Policy == arguments.RemoveAdditions }

// Managers are what a plan reports of the entries in managedFields as a whole.
type Managers struct {
	// OfTerraform are the managers under which resources of Terraform write, if the plan adopts the object.
	OfTerraform []string
	// IncludeOwn is true if our field manager wrote to the object since our last apply, and what it wrote is not what
	// this plan applies, or before the first apply of a part.
	IncludeOwn bool
	// AreReset is true if managedFields was reset since our last apply.
	AreReset bool
	// Converted are claims that get the API version of the plan: the server cannot convert the object to theirs.
	Converted ownership.Claims
	// Ended are claims by applies of managers that are taken over.
	Ended ownership.Claims
}

// note adds what the prediction of an apply shows, of which changes are reported.
func (m *Managers) note(predicted prediction.Inputs, changes []ownership.Change) {
	w := predicted.Wanted
	m.Ended, m.IncludeOwn = wanted.EndedApplies(w, predicted.Applied), predicted.IsWrittenByOwn(changes)
}

// Items are what a plan reports about the items of lists.
type Items struct {
	// New are those that a part, or the first apply to an object of other managers, adds to the object.
	New []ownership.Change
	// Counted are the lists whose lengths are limited.
	Counted []wanted.CountedList
}

// Lines are the values of arguments for the lines that a message proposes.
type Lines struct {
	// Ignored and Removed are the strings of the configured patterns, to which a message adds.
	Ignored, Removed []string
	// TakeOver names the managers to take over so that we own alone what the apply removes as an obstacle and they own,
	// too; nil if that does not help.
	TakeOver []string
}

func linesOf(args arguments.Arguments) Lines {
	return Lines{Ignored: paths.Texts(args.Ignore), Removed: paths.Texts(args.Remove)}
}
