package record

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
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
		IsEmpty: func(leaf paths.Path) bool {
			print := s.Values[paths.ID(leaf)]
			return print == "" || print == "{}" || print == "[]"
		},
	}
}

// MaybeFilled returns what [additions.Search.MaybeFilled] does, for the claims of the snapshot of an object to which
// fieldManager applies the fields declared.
func (s Snapshot) MaybeFilled(fieldManager string, declared *paths.Set) *paths.Set {
	search := s.search()
	search.FieldManager, search.Declared = fieldManager, declared
	return search.MaybeFilled(s.Claims)
}

// filled returns the fields of others that no client has written. Of kubectl apply, these are the ones that its
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
