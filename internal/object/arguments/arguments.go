// Package arguments holds what a user asks of one object.
package arguments

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
)

// Arguments are the arguments of a resource, as the configuration or the state holds them. Nothing in them is mutated.
type Arguments struct {
	// Manifest is what is applied, with its write-only part. It is empty if the state has none, or if it cannot be
	// parsed.
	Manifest manifest.Manifest
	// Undecided are the values of Manifest that are known only during the apply.
	Undecided []Undecided
	// Ignore covers the fields that are left to other managers.
	Ignore paths.Patterns
	// FieldManager owns what is applied.
	FieldManager string
	// OnConflict describes what happens to a plan that changes values which other managers hold.
	OnConflict ConflictPolicy
	// Existing describes what to do if the object to create already exists.
	Existing ExistingPolicy
	// TakeOver names the managers whose claims on declared fields end; see [ownership.Rewrite].
	TakeOver []string
	// Sensitive covers fields whose values are secret.
	Sensitive paths.Patterns
	// WriteOnly is the part of Manifest that is stored nowhere; see [Arguments.MergeWriteOnly].
	WriteOnly WriteOnly
	// IgnoreManagers names managers whose fields are left to them; a name may end in *.
	IgnoreManagers []string
	// Pin covers the fields whose first values another manager chooses, and which we own from then on. A changed Repin
	// asks for new values.
	Pin   paths.Patterns
	Repin string
	// Lengths limits how many entries lists have.
	Lengths []ListLength
	// Restores is true if taking back a part gives its fields the values from before it.
	Restores bool
	// Remove covers fields of other managers that are removed from the object.
	Remove paths.Patterns
	// Patch is what is sent instead of Manifest, which then only names the object; nil for server-side apply.
	Patch *patches.Patch
	// IsPart is true if Manifest is part of an object that another client created.
	IsPart bool
}

// Lists returns the patterns of Lengths.
func (a Arguments) Lists() paths.Patterns {
	var lists paths.Patterns
	for _, limit := range a.Lengths {
		lists = append(lists, limit.Pattern)
	}
	return lists
}

// IsUndecided reports whether parts of the manifest are known only during the apply.
func (a Arguments) IsUndecided() bool { return len(a.Undecided) > 0 }

// ConflictPolicy describes what to do with a plan that would change values which other managers hold.
type ConflictPolicy string

// The policies, as the configuration writes them.
const (
	// Force applies anyway, and warns.
	Force ConflictPolicy = "force"
	// Fail refuses the plan, and an apply that meets a conflict which the plan did not know.
	Fail ConflictPolicy = "fail"
)

// ExistingPolicy describes what to do if the object that a resource creates already exists.
type ExistingPolicy string

// The policies.
const (
	// Refuse leaves the object alone and returns an *AlreadyExistsError.
	Refuse ExistingPolicy = ""
	// Adopt applies to the object as an update does.
	Adopt ExistingPolicy = "adopt"
	// AdoptOwn does what Adopt does for an object of which FieldManager owns fields, and what Refuse does for others.
	AdoptOwn ExistingPolicy = "adopt own"
)

// ListLength describes how many entries the lists that a pattern names may have.
type ListLength struct {
	Pattern paths.Pattern
	// Min and Max are inclusive; 0 is no limit.
	Min, Max int
	// Enforce removes the newest entries of other managers until Max is kept.
	Enforce bool
}
