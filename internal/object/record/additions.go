package record

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/rendering"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
)

// AdditionsTo returns the additions to an object with these claims, of which fieldManager applies all and the
// configuration contains the fields declared. Of seen, only Values and Controllers count.
func AdditionsTo(
	claims ownership.Claims, fieldManager string, left arguments.Left, declared *paths.Set, seen Snapshot,
) []additions.Addition {
	return additions.Search{
		FieldManager: fieldManager, Declared: declared, Left: left.Fields, Body: left.Body, IsLeftTo: left.To,
		Controllers: seen.Controllers,
		IsEmpty: func(leaf paths.Path) bool {
			print := seen.Values[paths.ID(leaf)]
			return print == "" || print == "{}" || print == "[]"
		},
	}.In(claims)
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
