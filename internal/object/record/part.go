package record

import (
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Existed returns a function that reports whether a field that we did not declare before had a value, or part of one,
// when the object was read. Before our first apply, it looks at the object itself. Later it looks only at the snapshot,
// because both of Terraform's plans have that: an unowned field then counts as if all of it had been there. A patch
// that is not server-side apply predicts nothing, so it always looks at the object.
func (p Prior) Existed(fieldManager string) func(paths.Path) bool {
	if p.Live != nil && (p.Snapshot.AppliedState == "" || p.Arguments.Patch != nil) {
		reader := projection.NewReader(p.Live).Exact()
		return func(path paths.Path) bool {
			_, presence := reader.Lookup(path)
			return presence == projection.Present
		}
	}
	fields := p.Snapshot.Fields
	known := p.Snapshot.Claims.Others(
		fieldManager).Fields().Union(paths.OrEmpty(fields.Kept)).Union(paths.OrEmpty(fields.Unowned))
	return func(path paths.Path) bool { return paths.Touches(known, path) }
}

// CoOwned returns the fields of a manager that other managers own too, or of which they own a part.
func (s Snapshot) CoOwned(fieldManager string) *paths.Set {
	others := s.Claims.Others(fieldManager).Fields()
	return paths.Filter(s.Claims.Own(fieldManager), func(path paths.Path) bool { return ownership.Holds(others, path) })
}

// Outermost returns the strings of fields, without those that are part of another one, sorted. A nil set is empty.
func Outermost(fields *paths.Set, names rendering.Formatter) []string {
	var texts []string
	paths.Walk(paths.Outermost(fields), func(path paths.Path, _ bool) { texts = append(texts, names.Format(path)) })
	slices.Sort(texts)
	return slices.Compact(texts)
}

// Unwanted returns the outermost fields of an object that patterns cover, without those that only the server writes.
func Unwanted(live map[string]any, patterns paths.Patterns, claims ownership.Claims) *paths.Set {
	found := paths.NewSet()
	if len(patterns) == 0 {
		return found
	}
	// Claims know of leaves without a value, such as empty lists.
	reader := projection.NewReader(live)
	empty := paths.Filter(claims.Fields().Leaves(), func(leaf paths.Path) bool {
		value, presence := reader.Lookup(leaf)
		return presence == projection.Present && (value == nil || projection.IsEmptyCollection(value))
	})
	covered, _ := projection.Covered(empty, patterns, live)
	leaves := projection.Matching(live, patterns, claims.Fields()).Union(covered.Leaves())
	paths.Walk(leaves.RecursiveDifference(fixedFields(manifest.Identity{})), func(leaf paths.Path, _ bool) {
		for length := 1; length <= len(leaf); length++ {
			if patterns.Match(leaf[:length]) {
				found.Insert(leaf[:length].Copy())
				return
			}
		}
	})
	return found
}
