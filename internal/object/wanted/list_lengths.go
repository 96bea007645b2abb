package wanted

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// CountedList is a list whose length is limited, as it is after an apply.
type CountedList struct {
	arguments.ListLength
	Field  string
	Length int
	// Form reports whether the list can be counted.
	Form projection.ListForm
	// Undeclared are the entries of which we own no part, in list order; none if they are secret.
	Undeclared []Entry
	// Gone are the strings of pinned entries that the list does not contain.
	Gone []string
}

// Entry is an entry of a list.
type Entry struct {
	Field string
	// Owners are the managers that own the entry, or a part of it.
	Owners []ownership.Holder
}

// Excess returns the number of entries beyond Max; 0 if Max is 0.
func (l CountedList) Excess() int {
	if l.Max == 0 {
		return 0
	}
	return max(0, l.Length-l.Max)
}

// Lacks returns how many entries are missing to reach Min.
func (l CountedList) Lacks() int { return max(0, l.Min-l.Length) }

// Count returns the lists that Lengths limits, once we own the fields of own. claims are those on the object before.
// The result depends only on the last read. If that read did not count a list, Count uses the claims on it.
func (w Wanted) Count(claims ownership.Claims, own *paths.Set) []CountedList {
	prior := w.Prior
	if len(w.Lengths) == 0 {
		return nil
	}
	renderer := w.LiveRenderer()
	c := counter{
		wanted: w, claims: claims, before: claims.Own(w.FieldManager), own: own,
		others: claims.Others(w.FieldManager).Fields(), kept: paths.OrEmpty(prior.Snapshot.Fields.Kept),
		names: renderer.Names(claims.Formatter(own, paths.OrEmpty(w.Pins.Items))),
	}
	var counted []CountedList
	for _, limit := range w.Lengths {
		found, isCounted := prior.Snapshot.Lists[limit.Pattern.String()]
		if !isCounted {
			found = record.ListsClaimed(claims, limit.Pattern, renderer)
		}
		counted = append(counted, c.lists(limit, found)...)
	}
	return counted
}

// Uncountable returns the fields of a live object that Lengths names and that have no entries with owners of their own.
func (w Wanted) Uncountable(live map[string]any, claims ownership.Claims) []CountedList {
	var uncountable []CountedList
	known := claims.Fields().Union(w.Prior.Snapshot.Lists.Entries())
	names := w.Renderer(w.Manifest.Identity, record.Snapshot{}).Names(claims.Formatter())
	for _, limit := range w.Lengths {
		for _, found := range projection.Lists(live, limit.Pattern, known) {
			if found.Form != projection.Associative {
				uncountable = append(uncountable, CountedList{
					ListLength: limit, Field: names.Format(found.Path), Form: found.Form,
				})
			}
		}
	}
	return uncountable
}

type counter struct {
	wanted Wanted
	claims ownership.Claims
	// before and own are our fields before and after the apply.
	before, own *paths.Set
	others      *paths.Set
	kept        *paths.Set
	names       rendering.Formatter
}

// lists returns the lists that were found, and those that our fields add.
func (c counter) lists(limit arguments.ListLength, found []record.List) []CountedList {
	var counted []CountedList
	seen := map[string]bool{}
	for _, list := range found {
		path, err := paths.ParseID(list.Path)
		if err != nil {
			continue // The strings are ours.
		}
		seen[list.Path] = true
		counted = append(counted, c.list(limit, path, list))
	}
	for _, path := range record.ListsNamed(c.own, limit.Pattern) {
		if list := (record.List{Path: paths.ID(path)}); !seen[list.Path] {
			counted = append(counted, c.list(limit, path, list))
		}
	}
	if len(counted) == 0 && !limit.Pattern.HasWildcard() {
		counted = append(counted, CountedList{
			ListLength: limit, Field: limit.Pattern.String(), Form: projection.Associative,
		})
	}
	return counted
}

// list returns one list after the apply.
func (c counter) list(limit arguments.ListLength, path paths.Path, seen record.List) CountedList {
	list := CountedList{
		ListLength: limit, Field: c.names.Format(path), Form: projection.Associative, Length: seen.Length,
	}
	known, unnamed := map[string]bool{}, 0
	for _, id := range seen.Entries {
		element, err := paths.ParseID(id)
		if err != nil {
			continue // The strings are ours.
		}
		entry := append(path.Copy(), element...)
		known[id] = true
		if element[0].Index != nil {
			unnamed++ // No manager owns this entry. An entry that we are about to own may be this one.
		}
		switch {
		case ownership.Holds(c.own, entry):
		case c.prunes(entry):
			list.Length--
		default:
			list.Undeclared = append(list.Undeclared, Entry{
				Field: c.names.Format(entry), Owners: c.claims.Others(c.wanted.FieldManager).HoldersWithin(entry),
			})
		}
	}
	if seen.Entries == nil && seen.Length > 0 {
		return list // The entries are secret.
	}
	added := 0
	for _, element := range paths.Elements(paths.PartsOf(c.own, path)) {
		if !known[paths.ElementID(element)] {
			added++
		}
	}
	list.Length += max(0, added-unnamed)
	list.Gone = c.gone(path)
	return list
}

// prunes reports whether an apply removes an entry because it is not in our fields any more.
func (c counter) prunes(entry paths.Path) bool {
	return ownership.Holds(c.before, entry) && !ownership.Holds(c.others, entry) && !ownership.Holds(c.kept, entry)
}

// gone returns the strings of the pinned entries that a list does not have.
func (c counter) gone(list paths.Path) []string {
	var gone []string
	paths.Walk(paths.OrEmpty(c.wanted.Pins.Items), func(item paths.Path, _ bool) {
		if len(item) == len(list)+1 && item[:len(list)].Equals(list) && !ownership.Holds(c.own, item) {
			gone = append(gone, c.names.Format(item))
		}
	})
	return gone
}
