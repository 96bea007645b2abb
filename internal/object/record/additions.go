package record

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// AdditionsTo returns the additions to an object with these claims, of which fieldManager applies all and the
// configuration contains the fields declared. Of seen, only Values, Controllers and Fields.Filled count.
func AdditionsTo(
	claims ownership.Claims, fieldManager string, left arguments.Left, declared *paths.Set, seen Snapshot,
) []additions.Addition {
	search := seen.search()
	search.FieldManager, search.Declared = fieldManager, declared
	search.Left, search.Body, search.IsLeftTo = left.Fields, left.Body, left.To
	return search.In(claims)
}

// search returns a search that knows the object of the snapshot, but no configuration.
func (s Snapshot) search() additions.Search {
	return additions.Search{
		Controllers: s.Controllers, Filled: s.Fields.Filled,
		IsEmpty: func(leaf paths.Path) bool { return projection.IsEmptyPrint(s.Values[paths.ID(leaf)]) },
	}
}

// MaybeFilled returns what [additions.Search.MaybeFilled] does, for the claims of the snapshot of an object to which
// fieldManager applies the fields declared.
func (s Snapshot) MaybeFilled(fieldManager string, declared *paths.Set) *paths.Set {
	search := s.search()
	search.FieldManager, search.Declared = fieldManager, declared
	return search.MaybeFilled(s.Claims)
}

// filled returns the fields of other managers that no client has written. Of kubectl apply, these are the ones that its
// annotation does not contain, and of other creators those of known that still have the values of the last read. seen
// has the claims and values of this read.
func (o Observation) filled(live *unstructured.Unstructured, known *paths.Set, seen Snapshot) *paths.Set {
	if o.IsPart || o.Patch != nil {
		return nil
	}
	doubtful := seen.MaybeFilled(o.FieldManager, o.Fields.Declared)
	if doubtful.Empty() {
		return nil
	}
	all, written := additions.ByKubectl(live.GetAnnotations(), seen.Claims)
	return paths.Filter(doubtful, func(path paths.Path) bool {
		if all != nil && all.Has(path) {
			return !written.Has(path)
		}
		id := paths.ID(path)
		was, has := o.Carried.Values[id]
		return paths.OrEmpty(known).Has(path) && (!has || was == seen.Values[id])
	})
}

// candidates returns the values of the fields that may be additions, by paths.ID; nil once we have applied to the
// object. Only the plan knows the configuration, which decides whether they are additions, and Terraform's second plan
// does not read the object.
func (o Observation) candidates(
	live map[string]any, claims ownership.Claims, seen Snapshot, renderer rendering.Renderer,
) map[string]string {
	if o.IsPart || o.Patch != nil || o.Carried.AppliedState != "" {
		return nil
	}
	valueOf, values := additions.ValuesOf(live, renderer), map[string]string{}
	paths.Walk(seen.search().Candidates(claims), func(path paths.Path, _ bool) {
		values[paths.ID(path)] = *valueOf(path, "")
	})
	return values
}

// additions returns the additions to an object; nil if we apply a part of it, and while it is not known who will manage
// it.
func (o Observation) additions(
	live map[string]any, claims ownership.Claims, declared *paths.Set, seen Snapshot, renderer rendering.Renderer,
) []additions.Named {
	if o.IsPart || o.Patch != nil || o.FieldManager == "" {
		return nil
	}
	found := AdditionsTo(claims, o.FieldManager, o.Left, declared, seen)
	names := renderer.Names(claims.Formatter(declared))
	return additions.Name(found, names, additions.ValuesOf(live, renderer))
}

// Existed returns a function that reports whether a field that we did not declare before had a value, or part of one,
// when the object was read. Before our first apply, it looks at the object itself. Later it looks only at the snapshot,
// because both of Terraform's plans have that: an unowned field with content then counts as if all of it had been
// there. A patch that is not server-side apply predicts nothing, so it always looks at the object.
func (p Prior) Existed(fieldManager string) func(paths.Path) bool {
	if p.Live != nil && (p.Snapshot.AppliedState == "" || p.Arguments.Patch != nil) {
		return projection.NewReader(p.Live).Exact().Has
	}
	fields := p.Snapshot.Fields
	known := p.Snapshot.Claims.Others(
		fieldManager).Fields().Union(paths.OrEmpty(fields.Kept)).Union(paths.OrEmpty(fields.Unowned))
	whole := known.Difference(paths.OrEmpty(fields.Hollow))
	return func(path paths.Path) bool { return known.Has(path) || paths.Touches(whole, path) }
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
	leaves := projection.Matching(live, patterns, withEntries(live, claims.Fields())).Union(covered.Leaves())
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
