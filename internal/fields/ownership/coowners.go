package ownership

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// CoOwners maps the path of each owned field, as a string, to its managers, in the API server's order. Fields with the
// same managers may share a list. Do not mutate it.
type CoOwners map[string][]Manager

// Formatter returns a formatter that prints no two paths of the claims and of further sets as the same string.
func (c Claims) Formatter(further ...*paths.Set) *paths.Formatter {
	sets := make([]*paths.Set, 0, len(c)+len(further))
	for _, claim := range c {
		sets = append(sets, claim.Fields)
	}
	return paths.NewFormatter(append(sets, further...)...)
}

// CoOwners lists the managers of every field that any claim holds, under its path as formatter prints it. If a
// formatter prints several paths as the same string, a manager that owns several of them is listed for each. A
// placeholder owns nothing.
func (c Claims) CoOwners(formatter interface{ Format(paths.Path) string }) CoOwners {
	owners := make(CoOwners, c.mostFields())
	for _, claim := range c {
		if claim.IsPlaceholder() {
			continue
		}
		// Neighbouring fields usually have the same owners, and share a list of them.
		var before, with []Manager
		paths.Each(claim.Fields, func(path paths.Path) {
			text := formatter.Format(path)
			if listed := owners[text]; with == nil || !slices.Equal(listed, before) {
				before, with = listed, append(slices.Clip(listed), claim.Manager)
			}
			owners[text] = with
		})
	}
	return owners
}

// WithoutStatusWriters returns the claims without the fields that only controllers own, through the subresource status,
// and that are not declared, such as the revision of a Deployment. Like the status, they are written after each apply.
func (c Claims) WithoutStatusWriters(declared *paths.Set) Claims {
	isStatus := func(claim Claim) bool { return claim.Subresource == "status" && claim.Writer() == Controller }
	if !slices.ContainsFunc(c, isStatus) {
		return c
	}
	shown, kept := slices.Clone(c), paths.OrEmpty(declared)
	for _, claim := range c {
		if !isStatus(claim) {
			kept = kept.Union(claim.Fields)
		}
	}
	for i, claim := range c {
		if isStatus(claim) {
			shown[i].Fields = claim.Fields.Intersection(kept)
		}
	}
	return shown
}

// mostFields returns the size of the largest claim.
func (c Claims) mostFields() int {
	most := 0
	for _, claim := range c {
		most = max(most, claim.Fields.Size())
	}
	return most
}

// View is the flattened form of a co-owner map, as attributes show it.
type View struct {
	// FieldOwnership maps each owned field to the name of one owner.
	FieldOwnership map[string]string
	// CoOwners maps each field that several names own to those names, sorted.
	CoOwners map[string][]string
}

// owners returns the sorted names that the view shows for a field.
func (v View) owners(field string) []string {
	if names, several := v.CoOwners[field]; several {
		return names
	}
	if name, one := v.FieldOwnership[field]; one {
		return []string{name}
	}
	return nil
}

// Flatten names one owner for each field: the first in the API server's order, or, if the owners of the field are those
// in the view shown before, the owner shown there. Entry times move on every write, and a new order alone must not look
// like a transfer.
func (o CoOwners) Flatten(shown View) View {
	view := View{FieldOwnership: make(map[string]string, len(o)), CoOwners: map[string][]string{}}
	for field, managers := range o {
		names := namesOf(managers)
		owner := managers[0].Name
		if before := shown.FieldOwnership[field]; before != "" && slices.Equal(names, shown.owners(field)) {
			owner = before
		}
		view.FieldOwnership[field] = owner
		if len(names) > 1 {
			view.CoOwners[field] = names
		}
	}
	return view
}

func namesOf(managers []Manager) []string {
	names := make([]string, 0, len(managers))
	for _, manager := range managers {
		names = append(names, manager.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Lost returns the owners that the view shows for a field and that the later view does not, sorted.
func (v View) Lost(later View, field string) []string {
	still := later.owners(field)
	return slices.DeleteFunc(slices.Clone(v.owners(field)), func(name string) bool {
		return slices.Contains(still, name)
	})
}
