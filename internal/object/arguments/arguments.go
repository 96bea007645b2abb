// Package arguments holds what a user asks of one object.
package arguments

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
)

// Arguments are the arguments of a resource, as the configuration or the state holds them. Nothing in them is mutated.
type Arguments struct {
	// Manifest is the manifest to apply, with its write-only part. It is empty if the state contains none, or if it
	// cannot be parsed.
	Manifest manifest.Manifest
	// Undecided are the values of Manifest that are known only during the apply.
	Undecided []Undecided
	// Ignore covers the fields that are left to other managers.
	Ignore paths.Patterns
	// FieldManager owns what is applied.
	FieldManager string
	// OnConflict describes what happens to a plan that changes values which other managers hold.
	OnConflict ConflictPolicy
	// OnAddition is the policy for fields that other managers have added to the object.
	OnAddition AdditionPolicy
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
	// Patch is sent instead of Manifest, which then only names the object; nil for server-side apply.
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
	// AdoptOwn acts as Adopt if FieldManager owns fields of the object, and as Refuse otherwise.
	AdoptOwn ExistingPolicy = "adopt own"
)

// ListLength describes how many entries the lists that a pattern names may have.
type ListLength struct {
	Pattern paths.Pattern
	// Min and Max are inclusive; 0 means no limit.
	Min, Max int
}

// Equal reports whether a asks the same of an object as before: Manifest without write-only values, or Patch, under the
// same FieldManager, with the same Ignore, Sensitive, Remove, Pin and Repin, and the same version of write-only values.
// Patterns are equal if they are written in the same way. All other arguments need no apply if they change, or need one
// only for some objects.
func (a Arguments) Equal(before Arguments) bool {
	return a.sameBody(before) && a.FieldManager == before.FieldManager &&
		a.WriteOnly.Version == before.WriteOnly.Version &&
		a.Repin == before.Repin && samePatterns(a.Ignore, before.Ignore) &&
		samePatterns(a.Sensitive, before.Sensitive) &&
		samePatterns(a.Remove, before.Remove) && samePatterns(a.Pin, before.Pin)
}

// sameBody reports whether two arguments have the same patch or manifest. No manifest is the same as one that cannot be
// parsed.
func (a Arguments) sameBody(before Arguments) bool {
	if a.Patch != nil || before.Patch != nil {
		return a.Patch != nil && before.Patch != nil && a.Patch.Text == before.Patch.Text
	}
	one, other := a.Stored(), before.Stored()
	if one.Text != "" && one.Text == other.Text {
		return true
	}
	return other.Object != nil && manifest.Equal(one, other)
}

func samePatterns(one, other paths.Patterns) bool {
	return slices.EqualFunc(one, other, func(a, b paths.Pattern) bool { return a.String() == b.String() })
}

// Sends returns the fields that are sent, as part of an object. It returns nil for a JSON patch.
func (a Arguments) Sends() map[string]any {
	if a.Patch == nil {
		return a.Manifest.Object
	}
	body := a.Patch.Sets()
	if a.Manifest.IsSecret() {
		body = manifest.StringDataAsData(body)
	}
	return body
}

// Removes covers the fields that are removed from the object. applied are those that the arguments set.
func (a Arguments) Removes(applied *paths.Set) paths.Patterns {
	if a.Patch == nil {
		return a.Remove
	}
	return slices.Concat(a.Remove, a.Patch.Removes(applied))
}

// Undecided is a value of a manifest that is known only during the apply. A plan uses a stand-in.
type Undecided struct {
	// At leads to the value by names and positions.
	At paths.Path
	// IsOpen is true if the value may be a map or a list, whose fields are not known then. The manifest lacks the
	// value.
	IsOpen bool
}

// NamesObject reports whether the value is part of the identity of the manifest's object.
func (u Undecided) NamesObject() bool {
	switch paths.Format(u.At) {
	case "apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace":
		return true
	}
	return len(u.At) == 0
}

// UndecidedOf returns the values with their paths in the manifest of an object: the stringData of a Secret is in its
// data.
func UndecidedOf(object manifest.Identity, values []Undecided) []Undecided {
	if !object.IsSecret() {
		return values
	}
	placed := slices.Clone(values)
	for i, value := range placed {
		if len(value.At) > 0 && value.At[0].FieldName != nil && *value.At[0].FieldName == "stringData" {
			placed[i].At = append(paths.FieldPath("data"), value.At[1:]...)
		}
	}
	return placed
}

// AdditionPolicy is the policy for fields that other managers have added to an object.
type AdditionPolicy string

// The policies, as the configuration writes them.
const (
	// WarnOfPeople is the policy of a configuration that names none: a warning about fields that people have added by
	// commands.
	WarnOfPeople AdditionPolicy = ""
	// Allow reports nothing.
	Allow AdditionPolicy = "allow"
	// Warn reports what people and their tools have added.
	Warn AdditionPolicy = "warn"
	// FailOnAddition refuses the plan.
	FailOnAddition AdditionPolicy = "fail"
	// RemoveAdditions removes what only people and their tools own, and reports the rest.
	RemoveAdditions AdditionPolicy = "remove"
)

// Reports reports whether a plan reports an addition. byPerson is true if a person has written to it by a command.
func (p AdditionPolicy) Reports(byPerson bool) bool {
	return p != Allow && (byPerson || p != WarnOfPeople)
}

// Left lists the fields that a configuration leaves to other managers: those that patterns cover, and all fields of
// named managers, whose names may end in *.
type Left struct {
	Fields   paths.Patterns
	Managers []string
	// Body determines the list items that positions in Fields mean.
	Body map[string]any
}

// To reports whether all fields of a manager are left to it.
func (l Left) To(manager string) bool {
	return slices.ContainsFunc(l.Managers, func(name string) bool { return ownership.IsCalled(manager, name) })
}

// Left returns what a configuration leaves to other managers.
func (a Arguments) Left() Left { return Left{a.Ignore, a.IgnoreManagers, a.Manifest.Object} }

// WriteOnly is the part of a manifest that is stored nowhere. The zero value is empty.
type WriteOnly struct {
	// Version shows an edit of the values, which are compared with nothing, because they may differ in each run.
	Version string
	// Fields are the paths of its fields, as sorted strings.
	Fields []string
	// Stored is the manifest without the write-only part; empty if there is no write-only part.
	Stored manifest.Manifest
}

// Patterns covers the fields of the part.
func (w WriteOnly) Patterns() paths.Patterns { return paths.PatternsOf(w.Fields) }

// MergeWriteOnly returns the arguments with the fields of part in Manifest. Every failure is a *manifest.Error or a
// *manifest.OtherObjectError.
func (a Arguments) MergeWriteOnly(part manifest.Partial) (Arguments, error) {
	merged, fields, err := a.Manifest.Overlay(part)
	if err != nil {
		return a, err
	}
	var names []string
	for _, field := range fields {
		names = append(names, paths.Format(paths.FieldPath(field...)))
	}
	slices.Sort(names)
	a = a.WithUnknownWriteOnly(slices.Compact(names))
	a.Manifest = merged
	return a, nil
}

// WithUnknownWriteOnly returns the arguments with write-only fields whose values are not known yet. They can be
// compared with other arguments, and cannot be applied.
func (a Arguments) WithUnknownWriteOnly(fields []string) Arguments {
	a.WriteOnly.Fields, a.WriteOnly.Stored = fields, a.Manifest
	return a
}

// Stored returns the manifest as the state holds it: without its write-only part.
func (a Arguments) Stored() manifest.Manifest {
	if a.WriteOnly.Stored.Object != nil {
		return a.WriteOnly.Stored
	}
	return a.Manifest
}

// HasManifestOf reports whether other has the same manifest, apart from its form, and the same version of the
// write-only part.
func (a Arguments) HasManifestOf(other Arguments) bool {
	return manifest.Equal(a.Stored(), other.Stored()) && a.WriteOnly.Version == other.WriteOnly.Version
}
