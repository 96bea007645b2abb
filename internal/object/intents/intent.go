package intents

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Intent is what the user asks of one object.
type Intent struct {
	Manifest manifest.Manifest
	// Undecided are the values of Manifest that are known only during the apply.
	Undecided []Undecided
	// Ignore covers the fields that are left to others.
	Ignore paths.Patterns
	// FieldManager owns what is applied.
	FieldManager string
	// OnConflict says what happens to a plan that changes values which others hold.
	OnConflict ConflictPolicy
	// Existing says what to do if the object to create already exists.
	Existing ExistingPolicy
	// TakeOver names the managers whose claims on declared fields end; see ownership.Rewrite.
	TakeOver []string
	// Sensitive covers fields whose values are secret.
	Sensitive paths.Patterns
	// WriteOnly is the part of Manifest that is stored nowhere; see MergeWriteOnly.
	WriteOnly WriteOnly
	// IgnoreManagers names managers whose fields are left to them; a name may end in *.
	IgnoreManagers []string
	// Pin covers the fields whose first values somebody else chooses, and which we own from then on. A changed Repin
	// asks for new values.
	Pin   paths.Patterns
	Repin string
	// Lengths limits how many entries lists have.
	Lengths []ListLength
	// Restores says that taking back a part gives its fields the values from before it.
	Restores bool
	// Remove covers fields of others that the object shall not have.
	Remove paths.Patterns
	// Patch is what is sent instead of Manifest, which then only names the object; nil for server-side apply.
	Patch *patches.Patch
	// IsPart says that Manifest is part of an object that somebody else created; see WithLeaving.
	IsPart bool

	// asWritten is Manifest without pins, if there are any. pins are all pins. moved are the pinned fields that were in the
	// manifest until now. pinned are the pinned fields without those in missing list items. unpinned covers the fields that are
	// not pinned any more. repinned are the list items whose pins get new values. othersItems are the list items in which we
	// pin something, or did before. See WithPins.
	asWritten   manifest.Manifest
	pins        record.Pins
	moved       *paths.Set
	pinned      *paths.Set
	unpinned    paths.Patterns
	repinned    *paths.Set
	othersItems *paths.Set
	// leaving are fields of ours that leave the manifest and keep their values; see WithLeaving.
	leaving *paths.Set
	// ignoredByManager covers what IgnoreManagers leave to others; see WithIgnoredManagers.
	ignoredByManager paths.Patterns
}

// Undecided is a value of a manifest that is known only during the apply. A plan uses a stand-in.
type Undecided struct {
	// At leads to the value by names and positions.
	At paths.Path
	// IsOpen says that the value may be a map or a list, so that nobody knows which fields it has. The manifest then lacks the
	// value.
	IsOpen bool
}

// IsUndecided reports whether parts of the manifest are known only during the apply.
func (i Intent) IsUndecided() bool { return len(i.Undecided) > 0 }

// ConflictPolicy says what to do with a plan that would change values which other managers hold.
type ConflictPolicy string

// The policies, as the configuration writes them.
const (
	// Force applies anyway, and warns.
	Force ConflictPolicy = "force"
	// Fail refuses the plan, and an apply that meets a conflict which the plan did not know.
	Fail ConflictPolicy = "fail"
)

// Ignored returns the patterns of every field that is left to others: what is ignored, and what is not pinned any more.
func (i Intent) Ignored() paths.Patterns { return slices.Concat(i.leftAlone(), i.unpinned) }

// leftAlone returns the patterns of the fields that the configuration leaves to others.
func (i Intent) leftAlone() paths.Patterns { return slices.Concat(i.Ignore, i.ignoredByManager) }

// Sent returns the fields to which the intent gives values, as far as they are known without the object.
func (i Intent) Sent() map[string]any {
	if i.Patch != nil {
		return i.Patch.Values()
	}
	return i.Split(nil)
}

// Manager returns the manager that an apply of the intent has in managedFields.
func (i Intent) Manager() ownership.Manager {
	return ownership.Manager{
		Name:       i.FieldManager,
		Operation:  metav1.ManagedFieldsOperationApply,
		APIVersion: i.Manifest.APIVersion,
	}
}

// Body returns the body of an apply to an existing object: the manifest without ignored fields, and with
// uid, so that the server refuses to apply it to another object of the same name.
func (i Intent) Body(known *paths.Set, uid string) map[string]any {
	return WithUID(i.Split(known), uid)
}

// Split returns the manifest without ignored fields.
func (i Intent) Split(known *paths.Set) map[string]any {
	return projection.SplitBody(i.Manifest.Object, i.Ignored(), known).Body
}

// WithUID returns body with the uid of the object that it is for. body is not mutated.
func WithUID(body map[string]any, uid string) map[string]any { return WithMetadata(body, "uid", uid) }

// WithMetadata returns body with a field of metadata; body as it is if value is "". body is not mutated.
func WithMetadata(body map[string]any, field, value string) map[string]any {
	if value == "" {
		return body
	}
	metadata, _ := body["metadata"].(map[string]any)
	guarded := make(map[string]any, len(metadata)+1)
	for key, value := range metadata {
		guarded[key] = value
	}
	guarded[field] = value
	out := make(map[string]any, len(body))
	for key, value := range body {
		out[key] = value
	}
	out["metadata"] = guarded
	return out
}

// ExistingPolicy says what to do if the object that a resource creates already exists.
type ExistingPolicy string

// The policies.
const (
	// Refuse leaves the object alone and returns an *AlreadyExistsError.
	Refuse ExistingPolicy = ""
	// Adopt applies to the object as an update does.
	Adopt ExistingPolicy = "adopt"
)
