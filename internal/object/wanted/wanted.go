package wanted

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Wanted is what an apply has to do to one object: the arguments, and what follows from them and from what is known of
// the object. [For] makes it. Nothing changes it later: methods that add to it return another one.
type Wanted struct {
	arguments.Arguments

	// Prior is what is known of the object. It is empty for a new object.
	Prior record.Prior
	// Guesses is true if Manifest contains values that our last apply did not send, because the values of the
	// configuration are not known yet. The server may refuse the dry-run because of them.
	Guesses bool
	// blind are the places of those values that the object does not have either.
	blind []paths.Path

	// AsWritten is Manifest without pinned values; empty if no value is pinned.
	AsWritten manifest.Manifest
	// Pins are all values that another client chose and that we own. Pinned are their fields without those in list
	// items that the object lacks. Moved are the pinned fields that the manifest contained until now.
	Pins          record.Pins
	Pinned, Moved *paths.Set
	// Unpinned covers the fields that are not pinned any more. Repinned are the list items whose pins get new values.
	Unpinned paths.Patterns
	Repinned *paths.Set
	// PinnedItems are the list items of other managers in which we pin something, or did before.
	PinnedItems *paths.Set

	// IgnoredByManager covers the fields that IgnoreManagers leaves to other managers.
	IgnoredByManager paths.Patterns
	// Preserved are the fields of ours that leave the manifest of a part and keep their values. All other fields of
	// ours that leave the manifest are pruned: the apply removes them.
	Preserved *paths.Set
	// Promised are the fields of ours that leave the manifest and of which the plan says that they stay, because other
	// managers own them too; see [Promising]. It is nil in a plan.
	Promised *paths.Set
}

// For returns what arguments want of the object of prior. prior is empty for a new object.
func For(a arguments.Arguments, prior record.Prior) Wanted {
	w := Wanted{Arguments: a, Prior: prior}
	if a.Patch != nil {
		return ofPatch(w, prior)
	}
	for _, add := range steps {
		w = add(w)
	}
	return w
}

// Claims returns the claims of the last read.
func (w Wanted) Claims() ownership.Claims { return w.Prior.Snapshot.Claims }

// PreviousManager returns the field manager of our last apply.
func (w Wanted) PreviousManager() string { return w.Prior.PreviousManager(w.FieldManager) }

// Ignored returns the patterns of all fields that are left to other managers: what is ignored, and what is not pinned
// any more.
func (w Wanted) Ignored() paths.Patterns { return slices.Concat(w.LeftAlone(), w.Unpinned) }

// LeftAlone returns the patterns of the fields that the configuration leaves to other managers.
func (w Wanted) LeftAlone() paths.Patterns { return slices.Concat(w.Ignore, w.IgnoredByManager) }

// Sent returns the fields that an apply gives values, as far as they are known without the object.
func (w Wanted) Sent() map[string]any {
	if w.Patch != nil {
		return w.Patch.Values()
	}
	return w.Split(nil)
}

// Manager returns the manager of an apply, as managedFields lists it.
func (w Wanted) Manager() ownership.Manager {
	return ownership.Manager{
		Name:       w.FieldManager,
		Operation:  metav1.ManagedFieldsOperationApply,
		APIVersion: w.Manifest.APIVersion,
	}
}

// Body returns the body of an apply to an existing object: the manifest without ignored fields, and with
// uid, so that the server refuses to apply it to another object of the same name.
func (w Wanted) Body(known *paths.Set, uid string) map[string]any {
	return WithUID(w.Split(known), uid)
}

// Split returns the manifest without ignored fields. Of a part, the list items that other managers own, too, are in the
// order of the live object, if it was read: the server would give the object the order of the part, and the next plan
// of who created the items would set it back.
func (w Wanted) Split(known *paths.Set) map[string]any {
	body := projection.SplitBody(w.Manifest.Object, w.Ignored(), known).Body
	if !w.IsPart || w.Prior.Live == nil {
		return body
	}
	return projection.Arranged(body, projection.Orders(w.Prior.Live, ofOthers(w, w.Claims())))
}

// SharesLists reports whether args apply part of an object in which other managers own several list items that the
// part contains, too, so that the order of these items depends on the live object.
func SharesLists(args arguments.Arguments, prior record.Prior) bool {
	w := Wanted{Arguments: args, Prior: prior}
	return args.IsPart && len(projection.Orders(args.Manifest.Object, ofOthers(w, w.Claims()))) > 0
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

// Stored returns the manifest as the state holds it.
func (w Wanted) Stored() manifest.Manifest {
	switch {
	case w.WriteOnly.Stored.Object != nil:
		return w.WriteOnly.Stored
	case w.AsWritten.Object != nil:
		return w.AsWritten
	}
	return w.Manifest
}
