package ssa

import (
	"fmt"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
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
	// Awaited is what has to come into being before the object can; nil where everything is there.
	Awaited *cluster.Error
	// AwaitsOwn says that a resource which was planned before is to create what is awaited.
	AwaitsOwn bool
	// State is nil while it cannot be known: the kind or the namespace may be created by the same
	// apply, or the object stands in its own way until it is replaced.
	State *PlannedState
	// Adopts says that a new resource takes an object that exists; Transfers are the fields whose shown owner
	// changes by it, in order of their paths.
	Adopts    bool
	Transfers []Transfer
	// Adopted is what is known of the object that is taken.
	Adopted Adopted
	// Changes are what the plan tells of single fields, in order of their paths, those that others lose last.
	Changes []Change
	// Ignored are the texts of the patterns that the configuration has, for a line that adds to them.
	Ignored []string
	// Unmatched are the ignore patterns that cover nothing, UnmatchedSensitive those of sensitive fields.
	Unmatched, UnmatchedSensitive []UnmatchedPattern
	// Immutable are the declared fields whose change the server refused, sorted; for Replace.
	Immutable []string
	// Warnings are those of the server.
	Warnings []string
	// Dropped are the paths of the manifest that are not sent, because only the server writes them.
	Dropped []string
	// Bytes is the size of what the apply sends; 0 while that is not known.
	Bytes int
}

// Foresight says whether a plan knows who will own what.
type Foresight string

// What a plan foresees of the owners.
const (
	// Foreseen: the planned state's View is what the apply leaves.
	Foreseen Foresight = ""
	// Unforeseen: nobody owns anything, and the server will make a manager "before-first-apply" of what
	// the object has at the time of the apply; or somebody owns fields in another version of the kind.
	Unforeseen Foresight = "Unforeseen"
)

// PlannedState are the computed attributes after the apply.
type PlannedState struct {
	// View is empty where Owners is Unforeseen.
	View         ownership.View
	Owners       Foresight
	ManagedState map[string]string
	// UnknownValues are the keys of ManagedState whose value is known after the apply only: digests for which
	// there is no key yet, and write-only values.
	UnknownValues []string
	// UnknownOwners are the fields whose owners are known after the apply only, because others hold them and
	// their value is write-only.
	UnknownOwners []string
}

// Conflicts returns the changes of values that others hold.
func (p Plan) Conflicts() []Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool {
		return !c.Transition.IsConflict() || len(c.Others) == 0
	})
}

// ConflictsError is a plan with conflicts that the configuration does not want.
type ConflictsError struct {
	Plan Plan
}

func (e *ConflictsError) Error() string {
	return fmt.Sprintf("%s: others own %d fields with other values", e.Plan.Object, len(e.Plan.Conflicts()))
}

// tell takes over what a dry-run says, apart from its result.
func (p *Plan) tell(intent Intent, dry cluster.Applied) {
	p.Warnings, p.Bytes = dry.Warnings, dry.Bytes
	p.Dropped = slices.Concat(intent.Manifest.Dropped, dry.Dropped)
}

// Pending reports whether anything about the object differs from what our last apply left: the manifest,
// the patterns, the field manager, what we own, a declared value, what is left to managers that are
// ignored, or a share of managers that are taken over. It needs no call.
func Pending(intent Intent, prior record.Prior) bool {
	if prior.Snapshot.AppliedState == "" || !intent.isSet(prior.Settings) || !slices.Equal(prior.Snapshot.WriteOnly, intent.WriteOnly.Fields) {
		return true
	}
	prior = prior.Unmasked(intent.Manifest.Object)
	snapshot := prior.Snapshot
	claims, fields := snapshot.Claims, snapshot.Fields
	theirs := record.HeldInParts(fields.Empty, claims, intent.FieldManager)
	if !claims.Own(intent.FieldManager).Difference(theirs).Equals(paths.OrEmpty(fields.Declared).Difference(theirs)) {
		return true
	}
	intent = intent.withIgnoredManagers(claims, prior.PreviousManager(intent.FieldManager), snapshot.Values)
	if !slices.Equal(intent.leftTexts(), snapshot.IgnoredByManager) || intent.afterApply(claims).Changes(claims) {
		return true
	}
	return snapshot.LiveState != snapshot.AppliedState
}

// isSet reports whether the arguments of the intent are those of the last apply.
func (i Intent) isSet(last record.Settings) bool {
	if !i.stored().IsText(last.Body) || last.FieldManager != i.FieldManager {
		return false
	}
	if !slices.Equal(record.Texts(i.Sensitive), last.Sensitive) || last.WriteOnlyVersion != i.WriteOnly.Version {
		return false
	}
	return slices.Equal(record.Texts(i.Ignore), last.Ignore)
}
