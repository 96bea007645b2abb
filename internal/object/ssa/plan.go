package ssa

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
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

// Plan is what an apply of an intent will do, as a pure function of the intent, the prior state and what
// the server makes of our body.
type Plan struct {
	Action Action
	Object manifest.Identity
	// Located says that Object has its namespace: the kind is served, and its scope known.
	Located bool
	// Awaited says what has to exist before the object can be created; nil if nothing is missing.
	Awaited *cluster.Error
	// AwaitsOwn says that a resource which was planned before is to create what is awaited.
	AwaitsOwn bool
	// State is nil while it cannot be known: the kind or the namespace may be created by the same apply, or the old
	// object has the name until it is replaced.
	State *prediction.PlannedState
	// Adopts says that a new resource adopts an object that exists; Transfers are the fields whose shown
	// owner changes by it, in order of their paths.
	Adopts    bool
	Transfers []Transfer
	// Adopted is what is known of the adopted object.
	Adopted Adopted
	// Changes are what the plan reports about single fields, in order of their paths, those that others lose last.
	Changes []prediction.Change
	// Ignored are the texts of the configured ignore patterns, for a message that adds to them.
	Ignored []string
	// Unmatched are the ignore patterns that cover nothing, UnmatchedSensitive those of sensitive fields.
	Unmatched, UnmatchedSensitive []intents.UnmatchedPattern
	// UnseenPins are the texts of the patterns of pin_fields that the object has no value for yet.
	UnseenPins []string
	// Targets are the fields to which a patch that is not server-side apply gives values, sorted; State is nil then.
	Targets []string
	// NewItems are the list items that a part adds to its object.
	NewItems []NewItem
	// Lists are those whose lengths are limited.
	Lists []intents.CountedList
	// Immutable are the declared fields whose change the server refused, sorted; for Replace.
	Immutable []string
	// Warnings are those of the server.
	Warnings []string
	// Dropped are the paths of the manifest that are not sent, because only the server writes them.
	Dropped []string
	// Bytes is the size of what the apply sends; 0 while that is not known.
	Bytes int
}

// Conflicts returns the changes of values that others hold.
func (p Plan) Conflicts() []prediction.Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c prediction.Change) bool {
		return !c.Transition.IsConflict() || len(c.Others) == 0
	})
}

// ConflictsError says that a plan has conflicts that the configuration does not want.
type ConflictsError struct {
	Plan Plan
}

func (e *ConflictsError) Error() string {
	return fmt.Sprintf("%s: others own %d fields with other values", e.Plan.Object, len(e.Plan.Conflicts()))
}

// addDryRun adds to the plan what a dry-run says apart from its result.
func (p *Plan) addDryRun(intent intents.Intent, dry cluster.Applied) {
	p.Warnings, p.Bytes = dry.Warnings, dry.Bytes
	p.Dropped = slices.Concat(intent.Manifest.Dropped, dry.Dropped)
}

// Transfer is a field that gets another owner.
type Transfer struct {
	Field string
	// From is "" for a field that nobody owned, or that is new.
	From, To string
}

// Adopted is what speaks against the adoption of an object.
type Adopted struct {
	// BySameManager says that our field manager owns fields of it: another configuration may manage it.
	BySameManager bool
	// ByControllers says that nobody but controllers wrote it.
	ByControllers bool
}
