package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// nonEmpty returns the fields of the claims without leaves that are empty maps or lists or have no value. Such a leaf does
// not show whether the map or list is atomic: a map or list with content is atomic if it is a leaf of which nobody
// holds a part.
func (p Prior) nonEmpty(claims ownership.Claims, fieldManager string) *paths.Set {
	formatter := claims.Formatter()
	values := p.Snapshot.Values
	empty := paths.NewSet()
	mark := func(value string, path paths.Path) {
		if value == "" || value == "{}" || value == "[]" {
			empty.Insert(path)
		}
	}
	paths.Walk(claims.Own(fieldManager).Leaves(), func(path paths.Path, _ bool) {
		value := p.ManagedState[formatter.Format(path)]
		if value == "" {
			value = values[paths.ID(path)]
		}
		mark(value, path)
	})
	paths.Walk(claims.Others(fieldManager).Fields().Leaves(), func(path paths.Path, _ bool) {
		mark(values[paths.ID(path)], path)
	})
	return claims.Fields().Difference(empty)
}
