package record

import (
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
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
