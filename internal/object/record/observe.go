package record

import (
	"context"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
)

// Observe reads the object: one GET. If the object or its kind is gone, cluster.IsGone is true for the
// error. That also holds if our create got no answer and another client created the object.
func Observe(ctx context.Context, api cluster.Interface, fieldManager string, prior Prior) (Observed, error) {
	if prior.IsMoved() {
		return observeMoved(ctx, api, fieldManager, prior)
	}
	live, err := cluster.Get(ctx, api, prior.Object)
	if err != nil {
		return Observed{}, err
	}
	return ObserveLive(live, fieldManager, prior)
}

// ObserveLive does what [Observe] does, with an object that was just read. The state must not be a moved one.
func ObserveLive(live *unstructured.Unstructured, fieldManager string, prior Prior) (Observed, error) {
	if prior.Snapshot.OutcomeUnknown {
		if err := requireOurs(prior.Object, live, fieldManager); err != nil {
			return Observed{}, err
		}
	}
	carried := prior.Snapshot
	if !carried.Known() {
		claims, err := Observation{ID: prior.Object, FieldManager: fieldManager,
			Patch: prior.Arguments.Patch}.claimsOf(live)
		if err != nil {
			return Observed{}, err
		}
		carried.Fields.Declared = AsData(prior.Object, claims.Own(fieldManager))
		carried.Fields.Added = prior.addedOf(carried.Fields.Declared)
		carried.Fields.Kept = projection.Matching(live.Object, prior.Arguments.Ignore, claims.Fields())
		carried.AppliedState = lostState
		carried.Sensitive, carried.Doubtful = paths.Texts(prior.Arguments.Sensitive), prior.doubtful(live.Object)
	}
	if err := carried.beginAgain(live, prior, fieldManager); err != nil {
		return Observed{}, err
	}
	observed, err := Describe(live, Observation{
		ID: prior.Object, FieldManager: fieldManager, Fields: carried.Fields, Owners: prior.Owners, Carried: carried,
		Pin: prior.Arguments.Pin, Lists: prior.Arguments.Lists(), IsPart: prior.Arguments.IsPart,
		Remove: prior.Arguments.Remove, Left: prior.Arguments.Left(), Additions: prior.Additions,
		Patch: prior.Arguments.Patch, Body: prior.Arguments.Manifest.Object, Keys: prior.keysOfPins(),
	})
	observed.Snapshot.Move = carried.Move
	observed.Snapshot.Unfinished = prior.Snapshot.Unfinished && prior.former(observed.UID) == ""
	observed.Snapshot.WrittenByOwn = carried.WrittenByOwn || carried.isOlder(observed.Snapshot, fieldManager)
	if observed.Snapshot.Claims.Own(fieldManager).Empty() {
		observed.Snapshot.Former = prior.former(observed.UID)
	}
	return observed, err
}

// beginAgain forgets the fields that a part has applied to its object if live is another object. If we own nothing of
// live, it also forgets the values from before our first apply.
func (s *Snapshot) beginAgain(live *unstructured.Unstructured, prior Prior, fieldManager string) error {
	if !prior.Arguments.IsPart || !s.Known() || s.UID == string(live.GetUID()) {
		return nil
	}
	s.Fields, s.AppliedState = KnownFields{}, lostState
	claims, err := Observation{ID: prior.Object, FieldManager: fieldManager,
		Patch: prior.Arguments.Patch}.claimsOf(live)
	if err == nil && claims.Own(fieldManager).Empty() {
		s.Restorable = Restorable{}
	}
	return err
}

// isOlder reports whether fieldManager has applied to the object of a snapshot since.
func (s Snapshot) isOlder(now Snapshot, fieldManager string) bool {
	before, after := s.Claims.TimeOf(fieldManager), now.Claims.TimeOf(fieldManager)
	return s.UID == now.UID && s.AppliedState != "" && !s.IsLost() && !before.IsZero() && after.After(before)
}

// IsLost reports whether the state does not show what our last apply left: the snapshot is lost, or is of an object
// that was created again, or of a part of which something has failed after the apply.
func (s Snapshot) IsLost() bool { return s.AppliedState == lostState }

// Lost returns the snapshot for a state that does not show the apply before it.
func (s Snapshot) Lost() Snapshot {
	s.AppliedState = lostState
	return s
}

// lostState is the AppliedState of an object whose snapshot is lost: Terraform drops it if the provider
// is killed during an apply. It equals no digest, so the next plan applies again.
const lostState = "lost"

// addedOf returns those of own that the state shows as added, where the snapshot is lost.
func (p Prior) addedOf(own *paths.Set) *paths.Set {
	// The state holds strings that we wrote. A string with a secret key has the digest of the key, and matches no
	// field.
	shown, err := paths.ParseAll(p.Added)
	if err != nil || len(shown) == 0 {
		return nil
	}
	return paths.Filter(own, PatternsFor(p.Object, shown).Match)
}

// doubtful returns the patterns of the fields that may be write-only if the snapshot is lost: if there were write-only
// fields, only the snapshot listed them.
func (p Prior) doubtful(live map[string]any) []string {
	if p.Arguments.WriteOnly.Version == "" {
		return nil
	}
	var fields []string
	for name := range live {
		fields = append(fields, paths.Format(paths.FieldPath(name)))
	}
	slices.Sort(fields)
	return fields
}

// Observation holds the inputs of a reading of a live object, apart from the object.
type Observation struct {
	ID manifest.Identity
	// FieldManager is ours; "" after an import, when the manager of the object is not known yet.
	FieldManager string
	Fields       KnownFields
	// Owners are those that the state shows.
	Owners ownership.View
	// Carried is the snapshot of the previous read. Its records of the last apply are carried over, until a read after
	// an apply sets them again. Its patterns of secrets apply to this read.
	Carried Snapshot
	// Pin covers the fields to pin. Those without a value in the object are skipped.
	Pin paths.Patterns
	// Lists names the lists whose entries are to be remembered.
	Lists paths.Patterns
	// IsPart is true if we apply part of the object.
	IsPart bool
	// Remove covers the fields of other managers that are to be removed.
	Remove paths.Patterns
	// Left are the fields that the configuration leaves to other managers, and Additions are those that the state
	// shows.
	Left      arguments.Left
	Additions additions.ByField
	// Patch is the patch that is sent to the object; nil for server-side apply.
	Patch *patches.Patch
	// Body is the body of our last apply as stored in the state, for the order of its lists; nil if there was none. Its
	// list items leave Keys to their defaults.
	Body map[string]any
	Keys projection.DefaultKeys
}

// fieldsIn returns what is known of the fields of a live object, and those that the server has put back.
func (o Observation) fieldsIn(
	live map[string]any, claims ownership.Claims, renderer rendering.Renderer,
) (KnownFields, Refilled) {
	fields := o.Fields.in(live, renderer)
	if fields.Unowned, fields.Hollow = nil, nil; o.IsPart {
		fields.Unowned = projection.Unowned(live, claims.Fields().Union(fixedFields(o.ID)))
		hollow, content := hollowIn(live, claims.Others(o.FieldManager).Fields().Union(fields.Unowned), claims.Fields())
		fields.Unowned, fields.Hollow = fields.Unowned.Union(content), hollow
	}
	fields.Unwanted = Unwanted(live, o.Remove, claims)
	refilled := o.Carried.Refilled.of(fields.Unwanted, renderer)
	fields.Unwanted = refilled.Without(fields.Unwanted, live, renderer)
	return fields, refilled
}

// ordered returns the body whose lists have an order; nil for a part, because several can name the same items in
// different orders.
func (o Observation) ordered() map[string]any {
	if o.IsPart {
		return nil
	}
	return o.Body
}

// Describe returns a live object as the computed attributes show it, with the snapshot of it.
func Describe(live *unstructured.Unstructured, o Observation) (Observed, error) {
	claims, err := o.claimsOf(live)
	if err != nil {
		return Observed{}, err
	}
	renderer, copied := o.renderer(live.Object, claims)
	fields, refilled := o.fieldsIn(live.Object, claims, renderer)
	formatter := claims.Formatter(fields.Declared)
	shown := fields.Declared.Difference(withoutEmpty(fields.Empty, claims, o.FieldManager))
	state := renderer.State(live.Object, shown, formatter)
	orders := renderer.Orders(live.Object, o.ordered(), shown, formatter)
	maps.Copy(state, orders)
	leaves := claims.Others(o.FieldManager).Fields().Leaves()
	prints := renderer.Fingerprints(live.Object, leaves.Union(claims.Inner()))
	filled := fields.Declared.Difference(fields.Empty)
	pins := o.pins(live.Object, filled, claims, renderer)
	liveState := DigestOf(withOrders(pins.statePrints(live.Object, shown.Leaves(), renderer), orders))
	patched, held := o.patched(live.Object, claims, renderer, fields.Declared)
	seen := Snapshot{
		Claims: held, Foreign: Foreign{Values: prints}, Controllers: additions.Controllers(live.GetManagedFields()),
	}
	fields.Filled = o.filled(live, fields.Filled, seen)
	seen.Fields = fields
	added := o.additions(live.Object, held, fields.Declared, seen, renderer)
	owned := claims.WithoutStatusWriters(fields.Declared)
	observed := Observed{
		Object: o.ID, UID: string(live.GetUID()), Live: live.Object,
		Shown: Shown{
			Owners: owned.CoOwners(renderer.Names(formatter)).Flatten(o.Owners), ManagedState: state,
			Pinned:   pins.Held(filled.RecursiveDifference(pins.Gone(claims))).Text(renderer),
			Unwanted: renderer.State(live.Object, fields.Unwanted, formatter),
			Added:    Outermost(fields.Added, renderer.Names(formatter)), Additions: additions.Show(added, o.Additions),
		},
		Snapshot: Snapshot{
			Object: o.ID,
			Sighting: Sighting{
				UID: string(live.GetUID()), Cluster: o.Carried.Cluster, ResourceVersion: live.GetResourceVersion(),
			},
			Claims:      nonEmpty(held),
			Controllers: seen.Controllers,
			Fields:      fields,
			Pins:        pins,
			Lists:       o.Carried.Lists.Next(live.Object, o.Lists, claims, renderer),
			Foreign: Foreign{
				Values: prints, Candidates: o.candidates(live.Object, held, seen, renderer),
				Kinds: kindsOf(live.Object, leaves, prints),
			},
			Digests:           Digests{LiveState: liveState, AppliedState: o.Carried.AppliedState},
			IgnoredByManager:  o.Carried.IgnoredByManager,
			RepeatedConflicts: o.Carried.RepeatedConflicts,
			Restorable:        o.Carried.Restorable,
			Refilled:          refilled,
			Patched:           patched,
			Secrecy:           o.Carried.Secrecy,
		},
	}
	observed.Snapshot.Copied, observed.Snapshot.DigestKey = copied, renderer.DigestKey
	observed.Snapshot.mask(renderer)
	return observed, nil
}

// pins returns the current pins of an object: those that were carried and are applied, and new ones.
func (o Observation) pins(
	live map[string]any, filled *paths.Set, claims ownership.Claims, renderer rendering.Renderer,
) Pins {
	carried := o.Carried.Pins.applied(filled)
	pins := carried.With(live, carried.New(Pinnable(live, o.Pin, claims, renderer)))
	unowned := projection.UnownedItems(live, paths.OrEmpty(pins.Fields), claims.Fields())
	pins.Unowned = projection.WithoutValues(o.Keys.Complete(o.Body), unowned)
	return pins
}

// withOrders returns the fingerprints of fields with the orders of lists that differ from the manifest.
func withOrders(prints, orders map[string]string) map[string]string {
	if len(orders) == 0 {
		return prints
	}
	all := maps.Clone(prints)
	if all == nil {
		all = map[string]string{}
	}
	for list, order := range orders {
		all["order of "+list] = order
	}
	return all
}

// claimsOf returns the claims on a live object. Fields that the field manager of a patch owns by updates count as
// applied.
func (o Observation) claimsOf(live *unstructured.Unstructured) (ownership.Claims, error) {
	if o.Patch == nil {
		return ClaimsOf(o.ID, live)
	}
	return ClaimsOnPatched(o.ID, live, o.FieldManager, *o.Patch, o.Fields.Declared)
}

// patched returns what is known of the effect of the patch on a live object, and the claims as ClaimsWith returns them.
// Without a patch, it returns the claims unchanged.
func (o Observation) patched(
	live map[string]any, claims ownership.Claims, renderer rendering.Renderer, declared *paths.Set,
) (Patched, ownership.Claims) {
	if o.Patch == nil {
		return Patched{}, claims
	}
	seen := Patched{Left: o.Carried.Patched.Left, Now: remaining(live, o, claims, renderer)}
	return seen, seen.ClaimsWith(claims, o.FieldManager, declared)
}

// remaining returns the digest of the fields that the patch of an observation would change, with their live values.
func remaining(live map[string]any, o Observation, claims ownership.Claims, renderer rendering.Renderer) string {
	result, err := o.Patch.Apply(live, schema.FromAPIVersionAndKind(o.ID.APIVersion, o.ID.Kind))
	switch {
	case err != nil:
		return doesNotFit
	case result.InEffect:
		return ""
	}
	values := map[string]string{}
	for _, change := range projection.Changes(result.Before, result.After, claims.Fields()) {
		values[paths.ID(renderer.MaskPath(change.Path))] = renderer.Fingerprint(change.Path, change.Before)
	}
	return DigestOf(values)
}
