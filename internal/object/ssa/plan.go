package ssa

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
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
	// Located is true if Object has its namespace: the kind is served, and its scope known.
	Located bool
	// Awaited describes what has to exist before the object can be created; nil if nothing is missing.
	Awaited *cluster.Error
	// Redefined is the CustomResourceDefinition that another resource of the run changes, if that may lift Awaited,
	// which is then the refusal of the object; "" otherwise.
	Redefined string
	// AwaitsOwn is true if a resource which was planned before is to create what is awaited.
	AwaitsOwn bool
	// State is nil while it cannot be known: the kind or the namespace may be created by the same apply, or the old
	// object has the name until it is replaced.
	State *prediction.PlannedState
	// Adopts is true if a new resource adopts an object that exists; Transfers are the fields whose shown
	// owner changes by it, as [prediction.Transfers] returns them.
	Adopts    bool
	Transfers []ownership.Change
	// OfTerraform are the managers under which resources of Terraform write, if this is the first apply to an object
	// of other managers.
	OfTerraform []string
	// IsWrittenByOwn is true if our field manager wrote to the object since our last apply, and what it wrote is not
	// what this plan applies.
	IsWrittenByOwn bool
	// Adopted is what is known of the adopted object, and UID is that of an object to which the first apply applies.
	Adopted record.Adopted
	UID     string
	// Changes are what the plan reports about single fields, in order of their paths, those that other managers lose
	// last.
	Changes []ownership.Change
	// Additions are the fields that others have added to the object and that stay, as far as OnAddition reports them.
	Additions  []prediction.Addition
	OnAddition arguments.AdditionPolicy
	// Ignored are the strings of the configured ignore patterns, for a message that adds to them.
	Ignored []string
	// TakeOver names the managers to take over so that we own alone what the apply removes as an obstacle and they own,
	// too; nil if that does not help.
	TakeOver []string
	// Removed are the strings of the configured remove patterns, for a message that adds to them.
	Removed []string
	// Unmatched are the ignore patterns that cover nothing, UnmatchedSensitive those of sensitive fields.
	Unmatched, UnmatchedSensitive []wanted.UnmatchedPattern
	// UnseenPins are the strings of the patterns of pin_fields that the object has no value for yet.
	UnseenPins []string
	// Applies are the fields to which the apply gives values; nil if they are not known.
	Applies *paths.Set
	// NewItems are the list items that a part, or the first apply to an object of other managers, adds to the object.
	NewItems []ownership.Change
	// Converted are claims that get the API version of Object: the server cannot convert the object to theirs.
	Converted ownership.Claims
	// EndedApplies are claims by applies of managers that are taken over.
	EndedApplies ownership.Claims
	// Lists are those whose lengths are limited.
	Lists []wanted.CountedList
	// Immutable are the declared fields whose change the server refused, sorted, with their values; for Replace.
	// Refusal is its answer.
	Immutable []ownership.Change
	Refusal   error
	// IsWiped is true if managedFields of the object was reset since our last apply.
	IsWiped bool
	// Warnings are those of the server.
	Warnings []string
	// Dropped are the paths of the manifest that are not sent, because only the server writes them.
	Dropped []string
	// Bytes is the size of what the apply sends; 0 while that is not known.
	Bytes int
}

// ClearPredicted takes from the plan what only the answer of the server to the whole body shows.
func (p *Plan) ClearPredicted() {
	p.State, p.Unmatched, p.UnmatchedSensitive, p.UnseenPins = nil, nil, nil, nil
}

// Conflicts returns the changes of values that other managers own.
func (p Plan) Conflicts() []ownership.Change {
	isNone := func(c ownership.Change) bool { return !c.IsConflict() }
	return slices.DeleteFunc(slices.Clone(p.Changes), isNone)
}

// reportAdditions adds to the plan what others have added to the object, as far as args ask for it.
func (p *Plan) reportAdditions(args arguments.Arguments, found []prediction.Addition) {
	p.OnAddition = args.OnAddition
	p.Additions = slices.DeleteFunc(slices.Clone(found), func(a prediction.Addition) bool {
		return !args.OnAddition.Reports(a.IsOfPeople())
	})
}

// refusal returns a *ConflictsError if the plan has conflicts or additions that its arguments refuse; nil otherwise.
// Its plan has no conflicts if the arguments accept those.
func (p *Plan) refusal(args arguments.Arguments) error {
	refused := *p
	if args.OnConflict != arguments.Fail {
		refused.Changes = slices.DeleteFunc(slices.Clone(p.Changes), ownership.Change.IsConflict)
	}
	if len(refused.Conflicts()) == 0 && !p.RefusesAdditions() {
		return nil
	}
	return &ConflictsError{Plan: refused}
}

// RefusesAdditions reports whether others have added what the configuration does not allow.
func (p *Plan) RefusesAdditions() bool {
	return p.OnAddition == arguments.FailOnAddition && len(p.Additions) > 0
}

// KeepsAdditions reports whether the additions stay although the apply removes those that only people and tools own.
func (p *Plan) KeepsAdditions() bool { return p.OnAddition == arguments.RemoveAdditions }

// ConflictsError reports that a plan has conflicts, or finds additions, that the configuration does not want.
type ConflictsError struct {
	Plan Plan
}

func (e *ConflictsError) Error() string {
	return fmt.Sprintf("%s: others own %d fields with other values", e.Plan.Object, len(e.Plan.Conflicts()))
}

// UnpatchableError reports that an object cannot have the fields of a part, because they are immutable.
type UnpatchableError struct {
	Object manifest.Identity
	// Immutable are the fields, as in [Plan].
	Immutable []ownership.Change
}

func (e *UnpatchableError) Error() string {
	return e.Object.String() + " has fields that cannot be changed"
}

// addDryRun adds to the plan what a dry-run reports apart from its result.
func (p *Plan) addDryRun(dry cluster.Applied) {
	p.Warnings, p.Bytes, p.Dropped = dry.Warnings, dry.Bytes, dry.Dropped
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
