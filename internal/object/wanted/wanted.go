package wanted

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// Wanted is the work of an apply to one object: the arguments, and the conclusions from them and from the state and the
// snapshot of the object. [For] makes it. Nothing changes it later: methods that add to it return another one.
type Wanted struct {
	arguments.Arguments

	// Prior holds the state and the snapshot of the object. It is empty for a new object.
	Prior record.Prior
	// Keys are those that list items of our last apply left to their defaults.
	Keys projection.DefaultKeys
	// HasStandIns is true if Manifest contains values that our last apply did not send, because the values of the
	// configuration are not known yet. The server may refuse the dry-run because of them.
	HasStandIns bool
	// standInPaths lead to those values that the object does not have either.
	standInPaths []paths.Path

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
	// Promised are the fields of ours that leave the manifest and of which the plan reports that they stay, because
	// other managers own them too; see [Promising]. It is nil in a plan.
	Promised *paths.Set
}

// For returns what arguments want of the object of prior. prior is empty for a new object.
func For(a arguments.Arguments, prior record.Prior) Wanted {
	w := Wanted{Arguments: a, Prior: prior, Keys: prior.DefaultKeys().Assuming(a.Manifest.Object)}
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

// Ignored returns the patterns of all fields that are left to other managers: those that are ignored, and those that
// are not pinned any more.
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
	return ownership.Applier(w.FieldManager, w.Manifest.APIVersion)
}

// Body returns the body of an apply to an existing object: the manifest without ignored fields, and with uid, which
// makes the server refuse to apply it to another object of the same name.
func (w Wanted) Body(known *paths.Set, uid string) map[string]any {
	return WithUID(w.Split(known), uid)
}

// Split returns the manifest without ignored fields. Of a part, the list items that we do not own alone are in the
// order of the live object, if it was read: the server would give the object the order of the part, and the next plan
// of who created the items would set it back.
func (w Wanted) Split(known *paths.Set) map[string]any {
	body := projection.SplitBody(w.Manifest.Object, w.Ignored(), known, w.Keys).Body
	if !w.IsPart || w.Prior.Live == nil {
		return body
	}
	return projection.Arranged(body, sharedOrders(w))
}

// sharedOrders returns the orders that lists have in the live object, without the items that only we own.
func sharedOrders(w Wanted) []projection.Order {
	// Those of the snapshot may be older: a reset of managedFields leaves none.
	claims, err := record.ClaimsOf(w.Prior.Object, &unstructured.Unstructured{Object: w.Prior.Live})
	if err != nil {
		claims = w.Claims()
	}
	own, others := claims.Own(w.FieldManager).Union(claims.Own(w.PreviousManager())), ofOthers(w, claims)
	var shared []projection.Order
	for _, order := range projection.Orders(w.Prior.Live, claims.Fields()) {
		order.Items = slices.DeleteFunc(order.Items, func(item paths.PathElement) bool {
			at := paths.Below(order.Path, item)
			return paths.Touches(own, at) && !paths.Touches(others, at)
		})
		if len(order.Items) > 1 {
			shared = append(shared, order)
		}
	}
	return shared
}

// HasOrder reports whether a part of an object contains a list of several maps. If the live list contains items of
// other managers, too, the order depends on the live object.
func HasOrder(part any) bool {
	switch part := part.(type) {
	case map[string]any:
		for _, field := range part {
			if HasOrder(field) {
				return true
			}
		}
	case []any:
		maps := 0
		for _, item := range part {
			if _, isMap := item.(map[string]any); isMap {
				maps++
			}
			if maps > 1 || HasOrder(item) {
				return true
			}
		}
	}
	return false
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
	maps.Copy(guarded, metadata)
	guarded[field] = value
	out := make(map[string]any, len(body))
	maps.Copy(out, body)
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

// step derives a part of the work from one argument and from the prior, and returns the Wanted with it.
type step func(Wanted) Wanted

// steps are taken in this order.
var steps = []step{
	// The first step, because all others compare the manifest with the object: the manifest gets stand-ins for the
	// values that are not known yet. They come from the state, in which list items that are secret are written out.
	standIn,
	// A snapshot contains digests instead of secret list items. From here on Prior contains those items that the
	// manifest contains, stand-ins too, and those that the live object contains, if this run has read it.
	unmask,
	// The manifest gets the pinned values. The steps below treat a pin as a declared field.
	pin,
	// It reads and changes only the managers to take over. Its place is before the claims are looked at.
	takeOverSource,
	// After the pins: if an ignored manager owns a pinned field, the pin ends.
	ignoreManagers,
	// After all that is ignored is known.
	keepReleased,
	// After the steps that change the content of the manifest: a field that it declares is not an addition.
	removeAdditions,
	// The last step: the fields that leave a part are those that no step above has put into the manifest.
	preserve,
}

// unmask gives Prior the list items of the manifest and of the live object instead of their digests.
func unmask(w Wanted) Wanted {
	w.Prior = w.Prior.Unmasked(w.Manifest.Object)
	if w.Prior.Live != nil {
		w.Prior = w.Prior.Seen(w.Prior.Live)
	}
	return w
}

// ignoreManagers leaves to the managers of IgnoreManagers what they own by the snapshot.
func ignoreManagers(w Wanted) Wanted {
	return w.Ignoring(w.Claims(), w.PreviousManager(), w.Prior.Snapshot.Values)
}

// ofPatch returns what is wanted by a patch that is not server-side apply. The object of prior, not the manifest, has
// the items that the snapshot contains as digests. No step applies: this patch claims nothing, and its plan predicts
// nothing.
func ofPatch(w Wanted, prior record.Prior) Wanted {
	w.Prior = prior.Seen(prior.Live)
	return w
}

// takeOverSource also takes over the managers under which the source of a moved state wrote, until our first apply. It
// does nothing if no managers are taken over.
func takeOverSource(w Wanted) Wanted {
	if w.Prior.Snapshot.Moved && len(w.TakeOver) > 0 {
		w.TakeOver = slices.Concat(w.TakeOver, w.Prior.Snapshot.MovedFrom)
	}
	return w
}

// Renderer returns the renderer that shows values as the arguments ask. snapshot contains what the last read knows of
// the secrets of the object. Without a key, which an object gets when it is first read, secret values are redacted.
func (w Wanted) Renderer(id manifest.Identity, snapshot record.Snapshot) rendering.Renderer {
	hidden := record.Hidden{Sensitive: paths.Texts(w.Sensitive), WriteOnly: w.WriteOnly.Fields, Copied: snapshot.Copied}
	return record.RendererOf(id, hidden, snapshot.DigestKey).Knowing(w.Stored().Object)
}

// LiveRenderer returns the Renderer of the object of Prior.
func (w Wanted) LiveRenderer() rendering.Renderer {
	return w.Renderer(w.Prior.Object, w.Prior.Snapshot)
}

// Copied returns the patterns of the annotations and labels that contain secret values: those that were seen in the
// object of snapshot, and those of the manifest. Write-only values do not count: Terraform's two plans may see
// different ones.
func (w Wanted) Copied(snapshot record.Snapshot) []string {
	return paths.Texts(w.Renderer(w.Manifest.Identity, snapshot).Copied)
}

// Secrets returns the values of the configuration that no message may quote.
func (w Wanted) Secrets() rendering.Secrets {
	objects := []map[string]any{w.Manifest.Object, w.Stored().Object}
	if w.Patch != nil {
		objects = append(objects, w.Patch.Values())
	}
	return w.Renderer(w.Manifest.Identity, record.Snapshot{}).Secrets(w.Manifest.String(), objects...)
}

// DryRunManager returns the manager name of a dry-run that must not remove anything: a manager that owns nothing
// removes nothing, and the server makes the same of the body.
func DryRunManager(fieldManager string) string {
	const suffix = "-plan"
	if len(fieldManager)+len(suffix) > validation.FieldManagerMaxLength {
		fieldManager = strings.ToValidUTF8(fieldManager[:validation.FieldManagerMaxLength-len(suffix)], "")
	}
	return fieldManager + suffix
}

// Observe describes an object that we just applied as w wants it. The fields that we own now, and are not about to
// release, count as declared. answer is the server's answer to the apply, live the object after claims were rewritten.
func Observe(w Wanted, id manifest.Identity, answer, live *unstructured.Unstructured) (record.Observed, error) {
	prior := w.Prior
	claims, err := record.ClaimsOf(id, live)
	if err != nil {
		return record.Observed{}, err
	}
	var lost paths.Patterns
	if len(w.IgnoreManagers) > 0 {
		left, others := w.IgnoredByManager, claims.Others(w.FieldManager).Fields().Leaves()
		values := w.Renderer(id, prior.Snapshot).Fingerprints(live.Object, others)
		// The apply may have changed what ignored managers own. With patterns from before it, the next plan would find
		// something pending.
		w = w.Ignoring(claims, w.FieldManager, values)
		lost = givenUp(w, left, claims)
	}
	own := claims.Own(w.FieldManager)
	declared := own.Difference(w.Released(own))
	answered, err := record.ClaimsOf(id, answer)
	if err != nil {
		return record.Observed{}, err
	}
	// In the answer, the initial values of ignored fields are still ours. In live, they may have no owner any more.
	kept := w.KeptBy(answered, prior.Snapshot.Fields, declared)
	carried := prior.Snapshot
	carried.Sensitive, carried.WriteOnly = paths.Texts(w.Sensitive), w.WriteOnly.Fields
	carried.Copied, carried.Doubtful = w.Copied(prior.Snapshot), nil
	carried.Before = ValuesBefore(w.Arguments, prior, declared)
	carried.Pins = w.PinsAfter(live.Object, claims, declared)
	observed, err := record.Describe(live, record.Observation{
		ID:           id,
		FieldManager: w.FieldManager,
		Fields: record.KnownFields{
			Declared: declared, Empty: projection.EmptyCollections(w.Manifest.Object, declared), Kept: kept,
			Added: AddedBy(w.Arguments, prior, declared), Filled: prior.Snapshot.Fields.Filled,
		},
		Owners:    prior.Owners,
		Carried:   carried,
		Pin:       w.Pin,
		Lists:     w.Lists(),
		IsPart:    w.IsPart,
		Remove:    w.Remove,
		Left:      w.Left(),
		Additions: prior.Additions,
		Body:      w.Stored().Object,
	})
	w.IgnoredByManager = slices.Concat(w.IgnoredByManager, lost)
	observed.Snapshot.IgnoredByManager = w.LeftTexts()
	// The values that the server or a webhook has made of ours count as applied. Only a later change is drift.
	observed.Snapshot.AppliedState, observed.Snapshot.Candidates = observed.Snapshot.LiveState, nil
	return observed, err
}
