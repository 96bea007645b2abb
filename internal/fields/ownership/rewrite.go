package ownership

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// Rewrite is an edit of managedFields that gives up or moves claims and changes no value. A field with its zero value
// does nothing.
type Rewrite struct {
	// Manager is our own field manager.
	Manager string
	// Subresource is the subresource through which we write. Claims through it have an empty Subresource; see
	// [ParseSubresource].
	Subresource string
	// Updates is true if our own claims are those of updates, not those of applies.
	Updates bool
	// PreviousManager is the name under which we applied before, whose claim becomes Manager's.
	PreviousManager string
	// Release holds the fields that our own claim loses.
	Release *paths.Set
	// Add holds the fields that our own claim gains.
	Add *paths.Set
	// Take holds the fields that our own claim gains, and that every other claim, of applies or updates, loses with
	// everything inside.
	Take *paths.Set
	// TakeAs is our manager. If it has no claim, it gets one for the fields that it gains. Without a name, it gets
	// none.
	TakeAs Manager
	// TakeOver names the managers that lose Declared, field by field, and Removed with everything inside. Managers that
	// write through a subresource lose nothing. A name may end in *.
	TakeOver          []string
	Declared, Removed *paths.Set
	// Refilled holds the fields that every other claim loses with everything inside: they were removed, and the server
	// has filled them in again. Managers that write through a subresource lose nothing.
	Refilled *paths.Set
	// Version is the API version that our own claims get; "" if they keep theirs.
	Version string
	// Versions are the API versions whose claims, of all managers, get the version Convertible. No field changes.
	Versions    []string
	Convertible string
	// Disown reports whether a manager loses all fields that it owns outside of the subresource status. Nil names no
	// manager.
	Disown func(Manager) bool
	// Now is the time of a claim of ours that has none; see [Rewrite.Entries]. The zero time gives it none.
	Now time.Time
	// Tracks is true if a rewrite that ends every claim leaves a placeholder, which makes the server keep recording
	// owners.
	Tracks bool
}

// Claims returns claims after the rewrite, without mutating them. A claim without fields is left out.
func (r Rewrite) Claims(claims Claims) Claims {
	claims = r.withOwnClaim(claims)
	after, _ := rewrite(r, claims,
		func(c Claim) (Manager, *paths.Set, error) { return c.Manager, c.Fields, nil },
		func(c Claim, manager Manager, fields *paths.Set) (Claim, error) {
			c.Manager, c.Fields = manager, fields
			return c, nil
		})
	return after
}

// Changes reports whether the rewrite changes anything about claims.
func (r Rewrite) Changes(claims Claims) bool {
	return slices.ContainsFunc(r.withOwnClaim(claims), func(c Claim) bool {
		manager, fields := r.edit(c.Manager, c.Fields)
		return manager != c.Manager || !fields.Equals(c.Fields)
	})
}

// withOwnClaim returns claims with one of ours that gains fields. claims are not mutated.
func (r Rewrite) withOwnClaim(claims Claims) Claims {
	managerOf := func(c Claim) Manager { return c.Manager }
	return withOwn(r, claims, managerOf, Claim{Manager: r.TakeAs, Fields: paths.NewSet()})
}

// withOwn returns claims in any form, and own after them if we gain fields and none of claims is ours.
func withOwn[T any](r Rewrite, claims []T, managerOf func(T) Manager, own T) []T {
	isOwn := func(claim T) bool {
		manager := managerOf(claim)
		return r.isOwn(manager, r.Manager) || r.isOwn(manager, r.PreviousManager)
	}
	if r.TakeAs.Name == "" || slices.ContainsFunc(claims, isOwn) {
		return claims
	}
	return append(slices.Clone(claims), own)
}

// Entries returns managedFields after the rewrite, status included. It does not mutate entries. An entry that the
// rewrite does not change stays the same, byte for byte, unless it is ours and gets a time.
//
// The server gives no time to the entry of a first apply that changes no value, as after an import. Without one, it
// would seem to be older than the entries that it was made from.
//
// The result may be an empty list, never nil. The server treats a list without entries, or with a single empty entry,
// as a reset, and forgets every owner. If the list is null or missing, the server assumes a writer that does not know
// managedFields, and restores the old entries. After a reset it records no owners until the next apply, which makes a
// manager named before-first-apply the owner of everything in the object, unless Tracks is set.
func (r Rewrite) Entries(entries []metav1.ManagedFieldsEntry) ([]metav1.ManagedFieldsEntry, error) {
	entries = withOwn(r, entries, r.managerOf, metav1.ManagedFieldsEntry{
		Manager: r.TakeAs.Name, Operation: r.TakeAs.Operation, APIVersion: r.TakeAs.APIVersion,
		Subresource: r.Subresource, FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1("{}"),
	})
	after, err := rewrite(r, entries,
		func(entry metav1.ManagedFieldsEntry) (Manager, *paths.Set, error) {
			fields, err := parseFields(entry)
			if err != nil {
				err = fmt.Errorf("managedFields entry of %q: %w", entry.Manager, err)
			}
			return r.managerOf(entry), fields, err
		},
		func(entry metav1.ManagedFieldsEntry, manager Manager, fields *paths.Set) (metav1.ManagedFieldsEntry, error) {
			raw, err := paths.MarshalSet(fields)
			if err != nil {
				return entry, fmt.Errorf("managedFields entry of %q: %w", entry.Manager, err)
			}
			entry.Manager, entry.APIVersion = manager.Name, manager.APIVersion
			entry.FieldsV1 = metav1.NewFieldsV1(string(raw))
			return entry, nil
		})
	r.date(after)
	if err != nil || !r.Tracks || len(after) > 0 || len(entries) == 0 {
		return after, err
	}
	left, err := Placeholder(entries[0].APIVersion)
	return append(after, left), err
}

// date gives our entries a time that have none: Now, or that of the newest entry, whose clock is the server's.
func (r Rewrite) date(entries []metav1.ManagedFieldsEntry) {
	if r.Now.IsZero() {
		return
	}
	at := metav1.NewTime(r.Now.UTC().Truncate(time.Second))
	for _, entry := range entries {
		if entry.Time != nil && at.Before(entry.Time) {
			at = *entry.Time
		}
	}
	for i, entry := range entries {
		if entry.Time == nil && r.isOwn(r.managerOf(entry), r.Manager) {
			entries[i].Time = &at
		}
	}
}

// managerOf returns the manager of an entry as [ParseSubresource] does.
func (r Rewrite) managerOf(entry metav1.ManagedFieldsEntry) Manager {
	manager := managerOf(entry)
	if r.Subresource == "" {
		return manager
	}
	return manager.within(r.Subresource)
}

// edited is a claim in any form, before and after an edit.
type edited[T any] struct {
	claim   T
	was     Manager
	held    *paths.Set
	manager Manager
	kept    *paths.Set
}

func (e edited[T]) gone() bool { return e.kept.Empty() && !e.held.Empty() }

func (e edited[T]) changed() bool { return e.manager != e.was || !e.kept.Equals(e.held) }

// rewrite edits claims in any form: read takes one apart, write puts it together again.
func rewrite[T any](
	r Rewrite, claims []T, read func(T) (Manager, *paths.Set, error), write func(T, Manager, *paths.Set) (T, error),
) ([]T, error) {
	all := make([]edited[T], 0, len(claims))
	for _, claim := range claims {
		was, held, err := read(claim)
		if err != nil {
			return nil, err
		}
		manager, kept := r.edit(was, held)
		all = append(all, edited[T]{claim, was, held, manager, kept})
	}
	unite(r, all)
	after := make([]T, 0, len(all))
	for _, e := range all {
		// An entry that was empty before the rewrite stays, as does every other one that it does not change.
		if e.gone() {
			continue
		}
		if e.changed() {
			var err error
			if e.claim, err = write(e.claim, e.manager, e.kept); err != nil {
				return nil, err
			}
		}
		after = append(after, e.claim)
	}
	return slices.Clip(after), nil
}

// unite merges the claims that are one for the server after the edit into the first of them: those of a renamed
// manager, and those of a manager in several API versions. A manager that updates keeps a claim for each API version.
func unite[T any](r Rewrite, all []edited[T]) {
	for i := range all {
		first := slices.IndexFunc(all[:i], func(e edited[T]) bool { return r.areOne(e.manager, all[i].manager) })
		// Two entries that the rewrite does not touch stay as they are, byte for byte.
		if first < 0 || !all[first].changed() && !all[i].changed() {
			continue
		}
		all[first].kept = all[first].kept.Union(all[i].kept)
		all[i].kept = paths.NewSet()
	}
}

func (r Rewrite) areOne(one, other Manager) bool {
	return one == other || !r.Updates && r.isOwn(one, r.Manager) && r.isOwn(other, r.Manager)
}

func (r Rewrite) isOwn(manager Manager, name string) bool {
	if r.Updates {
		return manager.IsUpdater(name)
	}
	return manager.IsOwn(name)
}

// edit returns one claim after the rewrite.
func (r Rewrite) edit(manager Manager, held *paths.Set) (Manager, *paths.Set) {
	if r.PreviousManager != "" && r.isOwn(manager, r.PreviousManager) {
		manager.Name = r.Manager
	}
	switch {
	case r.Version != "" && r.isOwn(manager, r.Manager):
		manager.APIVersion = r.Version
	case slices.Contains(r.Versions, manager.APIVersion):
		manager.APIVersion = r.Convertible
	}
	switch {
	case r.Disown != nil && r.Disown(manager) && manager.isApply():
		return manager, paths.NewSet()
	case r.Disown != nil && r.Disown(manager):
		return manager, held.Difference(held.RecursiveDifference(statusFields))
	case r.isOwn(manager, r.Manager):
		kept := without(held, r.Release)
		for _, gained := range []*paths.Set{r.Add, r.Take} {
			if gained != nil {
				kept = kept.Union(gained)
			}
		}
		return manager, kept
	case r.TakesOver(manager):
		kept := without(held, r.Declared)
		if r.Removed != nil {
			kept = kept.RecursiveDifference(r.Removed)
		}
		return manager, r.untaken(r.unfilled(manager, withoutShells(held, kept)))
	default:
		return manager, r.untaken(r.unfilled(manager, held))
	}
}

// unfilled returns what another manager keeps of held without Refilled.
func (r Rewrite) unfilled(manager Manager, held *paths.Set) *paths.Set {
	if r.Refilled == nil || manager.Subresource != "" {
		return held
	}
	return withoutShells(held, held.RecursiveDifference(r.Refilled))
}

// untaken returns what another manager keeps of the fields that it holds.
func (r Rewrite) untaken(held *paths.Set) *paths.Set {
	if r.Take == nil {
		return held
	}
	return held.RecursiveDifference(r.Take)
}

// TakesOver reports whether a manager is one that loses claims to us.
func (r Rewrite) TakesOver(manager Manager) bool {
	isCalled := func(requested string) bool { return IsCalled(manager.Name, requested) }
	return manager.Subresource == "" && slices.ContainsFunc(r.TakeOver, isCalled)
}

// withoutShells returns kept without the maps, lists and items of which held has parts and kept has none: a manager
// that owns nothing in a map any more has no reason to keep the map.
func withoutShells(held, kept *paths.Set) *paths.Set {
	if kept.Equals(held) {
		return kept
	}
	full := paths.Filter(kept, func(path paths.Path) bool { return HasParts(kept, path) || !HasParts(held, path) })
	if full.Equals(kept) {
		return kept
	}
	return withoutShells(held, full)
}

func without(held, fields *paths.Set) *paths.Set {
	if fields == nil {
		return held
	}
	return held.Difference(fields)
}

// An object without managers is a trap: the API server records no owners of later writes to it, and the next
// server-side apply makes BeforeFirstApply an owner of all its fields. A field that the applier drops later then stays
// on the object. A claim of BeforeFirstApply on the object's name, which no client can change and no apply claims,
// keeps the server recording: fields without an owner stay without one, and the applier is the only owner of the fields
// that it applies.

var placeholderFields = paths.NewSet(paths.FieldPath("metadata", "name"))

// IsPlaceholder reports whether the claim stands for no owner of any field; see [Rewrite.Tracks].
func (c Claim) IsPlaceholder() bool {
	return c.IsUpdater(BeforeFirstApply) && c.Fields.Equals(placeholderFields)
}

// Placeholder returns the entry of a claim for which [Claim.IsPlaceholder] is true. Without any entry, the next
// server-side apply would make before-first-apply the owner of all fields.
func Placeholder(apiVersion string) (metav1.ManagedFieldsEntry, error) {
	raw, err := paths.MarshalSet(placeholderFields)
	return metav1.ManagedFieldsEntry{
		Manager: BeforeFirstApply, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: apiVersion,
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(string(raw)),
	}, err
}
