package record

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patches"
)

// List is a list of an object as a read has seen it. Its strings are those of paths.ID.
type List struct {
	Path string `json:"path"`
	// Entries are its entries, in list order; nil if they are secret.
	Entries []string `json:"entries,omitempty"`
	Length  int      `json:"length"`
}

// Lists are the lists of an object that have owners for each entry, by the string of the pattern that names them.
type Lists map[string][]List

// Next returns the lists that patterns name in a live object, if l are those that the read before has seen.
func (l Lists) Next(
	live map[string]any, patterns paths.Patterns, claims ownership.Claims, renderer rendering.Renderer,
) Lists {
	if len(patterns) == 0 {
		return nil
	}
	known, next := claims.Fields().Union(l.Entries()), Lists{}
	for _, pattern := range patterns {
		seen := []List{}
		for _, found := range projection.Lists(live, pattern, known) {
			if found.Form == projection.Associative {
				seen = append(seen, listOf(found, renderer))
			}
		}
		next[pattern.String()] = seen
	}
	return next
}

// Entries returns the entries of the lists, without those that no manager owned. If a manager owns a list but none of
// its entries, the list is atomic, or the manager has set it to an empty list and no manager owned its entries.
func (l Lists) Entries() *paths.Set {
	var entries []paths.Path
	for _, list := range slices.Concat(slices.Collect(maps.Values(l))...) {
		path, err := paths.ParseID(list.Path)
		for _, id := range list.Entries {
			if entry, failed := paths.ParseID(id); err == nil && failed == nil && entry[0].Index == nil {
				entries = append(entries, append(path.Copy(), entry...))
			}
		}
	}
	return paths.NewSet(entries...)
}

// listOf returns a list with its entries; without any entry if one of them is secret.
func listOf(found projection.FoundList, renderer rendering.Renderer) List {
	list := List{Path: paths.ID(found.Path), Length: len(found.Entries)}
	for _, entry := range found.Entries {
		path := paths.Below(found.Path, entry)
		if len(renderer.RedactedPath(path)) < len(path) {
			list.Entries = nil
			return list
		}
		list.Entries = append(list.Entries, paths.ElementID(entry))
	}
	return list
}

// ListsClaimed returns the lists that a pattern names and of which any manager owns entries.
func ListsClaimed(claims ownership.Claims, pattern paths.Pattern, renderer rendering.Renderer) []List {
	all := claims.Fields()
	var lists []List
	for _, path := range ListsNamed(all, pattern) {
		found := projection.FoundList{Path: path, Entries: paths.Elements(paths.PartsOf(all, path))}
		lists = append(lists, listOf(found, renderer))
	}
	return lists
}

// ListsNamed returns the paths of the lists that a pattern names and of which fields holds entries.
func ListsNamed(fields *paths.Set, pattern paths.Pattern) []paths.Path {
	var found []paths.Path
	var visit func(*paths.Set, paths.Path, paths.Cursor)
	visit = func(fields *paths.Set, at paths.Path, cursor paths.Cursor) {
		for _, part := range paths.Parts(fields) {
			next, path := cursor.Element(part.Element), paths.Below(at, part.Element)
			switch {
			case part.Below == nil || !next.Alive():
			case !next.Matched():
				visit(part.Below, path, next)
			case paths.Parts(part.Below)[0].Element.FieldName == nil:
				found = append(found, path)
			}
		}
	}
	visit(fields, nil, paths.Patterns{pattern}.Start())
	return found
}

// ClaimsOnPatched returns the claims on the object of a patch. Fields that fieldManager owns by updates count as
// applied.
//
// The API server knows one owner of an atomic list: who wrote it last. If the patch sets single entries of it, each
// entry has owners of its own instead. Ours are those of the patch that have its values or that no manager wrote after
// us, and those in declared that have left the patch. All others are those of the list's owners.
func ClaimsOnPatched(
	id manifest.Identity, live *unstructured.Unstructured, fieldManager string, patch patches.Patch,
	declared *paths.Set,
) (ownership.Claims, error) {
	claims, err := ClaimsOf(id, live)
	if err != nil {
		return nil, err
	}
	claims = claims.AsApplied(fieldManager)
	if lists := AtomicLists(live.Object, patch.ListKeys(), claims.Fields()); len(lists) > 0 {
		ours := ourEntries(live, patch, claims.Own(fieldManager), lists, paths.OrEmpty(declared))
		claims = byEntry(claims, lists, ours, fieldManager)
	}
	return claims, nil
}

// AtomicList is a list that has one owner as a whole, and whose entries have keys nevertheless.
type AtomicList struct {
	Path    paths.Path
	Entries []paths.PathElement
}

// AtomicLists returns the lists of an object that keys name and of which no manager owns an entry. known are the fields
// that managers own.
func AtomicLists(live map[string]any, keys []patches.ListKeys, known *paths.Set) []AtomicList {
	var lists []AtomicList
	for _, one := range keys {
		for _, found := range projection.Lists(live, one.Pattern, known) {
			value, _ := projection.Lookup(live, found.Path)
			entries, isList := value.([]any)
			if !isList || paths.PartsOf(known, found.Path) != nil {
				continue
			}
			list := AtomicList{Path: found.Path}
			for _, entry := range entries {
				list.Entries = append(list.Entries, one.Element(entry))
			}
			lists = append(lists, list)
		}
	}
	return lists
}

// ourEntries returns the entries of lists that are ours. own are the fields that managedFields records as ours.
func ourEntries(
	object *unstructured.Unstructured, patch patches.Patch, own *paths.Set, lists []AtomicList, declared *paths.Set,
) *paths.Set {
	all, lastByUs := paths.NewSet(), paths.NewSet()
	for _, list := range lists {
		for _, entry := range list.Entries {
			path := paths.Below(list.Path, entry)
			all.Insert(path)
			if own.Has(list.Path) {
				lastByUs.Insert(path)
			}
		}
	}
	live, kind := object.Object, object.GroupVersionKind()
	targets := patch.Targets(live, kind, all)
	result, err := patch.Apply(live, kind)
	before, after := projection.NewReader(result.Before), projection.NewReader(result.After)
	return paths.Filter(all, func(path paths.Path) bool {
		if !targets.Has(path) {
			return declared.Has(path)
		}
		was, _ := before.Lookup(path)
		is, _ := after.Lookup(path)
		return lastByUs.Has(path) || err == nil && projection.Fingerprint(was) == projection.Fingerprint(is)
	})
}

// byEntry returns claims in which the entries of lists have owners instead of the lists.
func byEntry(claims ownership.Claims, lists []AtomicList, ours *paths.Set, fieldManager string) ownership.Claims {
	split := slices.Clone(claims)
	var last ownership.Claim
	for i, claim := range split {
		for _, list := range lists {
			if !claim.Fields.Has(list.Path) {
				continue
			}
			last = claim
			theirs := paths.NewSet()
			for _, entry := range list.Entries {
				// A manager that applies the list declares the entry in a manifest, no matter who wrote it last.
				isApplied := claim.Operation == metav1.ManagedFieldsOperationApply
				if path := paths.Below(list.Path, entry); !claim.IsOwn(fieldManager) && (isApplied || !ours.Has(path)) {
					theirs.Insert(path)
				}
			}
			split[i].Fields = split[i].Fields.Difference(paths.NewSet(list.Path)).Union(theirs)
		}
	}
	if ours.Empty() {
		return split
	}
	return ownership.Gaining(split, fieldManager, ours, last)
}
