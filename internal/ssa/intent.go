package ssa

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// Intent is what the user asks of one object.
type Intent struct {
	Manifest manifest.Manifest
	// Ignore covers the fields that are left to others.
	Ignore paths.Patterns
	// FieldManager owns what is applied.
	FieldManager string
	// OnConflict says what a plan does that changes values which others hold.
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

	// ignoredByManager covers what IgnoreManagers leave to others; see facing.
	ignoredByManager paths.Patterns
}

// ConflictPolicy says what to do with a plan that would change values which other managers hold.
type ConflictPolicy string

// The policies, as the configuration writes them.
const (
	// Force applies anyway, and warns.
	Force ConflictPolicy = "force"
	// Fail refuses the plan, and an apply that meets a conflict which the plan did not know.
	Fail ConflictPolicy = "fail"
)

// ignored covers every field that is left to others.
func (i Intent) ignored() paths.Patterns { return slices.Concat(i.Ignore, i.ignoredByManager) }

// manager returns the entry that applies of the intent write.
func (i Intent) manager() ownership.Manager {
	return ownership.Manager{
		Name:       i.FieldManager,
		Operation:  metav1.ManagedFieldsOperationApply,
		APIVersion: i.Manifest.APIVersion,
	}
}

// body returns what is sent once the object exists: the manifest without ignored fields, and uid, which the
// server refuses to apply to another object of the same name.
func (i Intent) body(known *paths.Set, uid string) map[string]any {
	return withUID(i.split(known), uid)
}

// split returns the manifest without ignored fields.
func (i Intent) split(known *paths.Set) map[string]any {
	return projection.SplitBody(i.Manifest.Object, i.ignored(), known).Body
}

func withUID(body map[string]any, uid string) map[string]any { return withMetadata(body, "uid", uid) }

// withMetadata returns body with a field of metadata, without it where value is "". body is not mutated.
func withMetadata(body map[string]any, field, value string) map[string]any {
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

// NotIgnorableError is a pattern of ignore_fields that reaches into something with one owner as a whole.
type NotIgnorableError struct {
	Pattern string
	// Whole is the text of the smallest field that can be ignored instead.
	Whole string
	Why   projection.AtomicReason
}

func (e *NotIgnorableError) Error() string {
	if e.Why == projection.ItemKey {
		return e.Pattern + " is part of the key of the list item " + e.Whole + ", which can only be ignored as a whole"
	}
	return e.Pattern + " lies inside " + e.Whole + ", which is atomic: the API server gives it one owner as a whole"
}

// checkSeparable returns an *NotIgnorableError for the first pattern whose fields cannot be released alone.
func (i Intent) checkSeparable(known *paths.Set) error {
	split := projection.SplitBody(i.Manifest.Object, i.Ignore, known)
	if len(split.Inseparable) == 0 {
		return nil
	}
	first := split.Inseparable[0]
	return &NotIgnorableError{
		Pattern: i.Ignore[first.Pattern].String(),
		Whole:   paths.NewFormatter(known).Format(first.Whole),
		Why:     first.Why,
	}
}

// checkIgnorable returns checkSeparable towards an object that exists. Claims alone do not tell what is atomic: an
// entry may hold a map by itself, and none of its parts. So before the error there is a dry-run of the whole
// manifest, and the fields that it applies count.
func (i Intent) checkIgnorable(ctx context.Context, api cluster.Interface, prior record.Prior, known *paths.Set) error {
	refusal := i.checkSeparable(known)
	if refusal == nil {
		return nil
	}
	asked := i.dryRunUnderAnotherName(withUID(i.Manifest.Object, prior.Snapshot.UID))
	dry, err := asked.send(ctx, api, prior.Object)
	if err != nil {
		return refusal
	}
	answered, err := record.ClaimsOf(prior.Object, dry.Object)
	if err != nil {
		return err
	}
	return i.checkSeparable(answered.Own(asked.manager))
}

// unmatched returns those of patterns that cover nothing in the manifest, in the live object or in what anybody
// owns.
func (i Intent) unmatched(patterns paths.Patterns, live map[string]any, known *paths.Set) []string {
	matched := map[int]bool{}
	for _, object := range []map[string]any{i.Manifest.Object, live} {
		for _, index := range projection.SplitBody(object, patterns, known).Matched {
			matched[index] = true
		}
	}
	_, covered := projection.Covered(known, patterns, i.Manifest.Object)
	for _, index := range covered {
		matched[index] = true
	}
	var unmatched []string
	for index, pattern := range patterns {
		if !matched[index] {
			unmatched = append(unmatched, pattern.String())
		}
	}
	return unmatched
}
