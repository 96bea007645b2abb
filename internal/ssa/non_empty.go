package ssa

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
)

// nonEmpty returns what the claims hold, without the leaves that are empty maps or lists or have no value: such
// a leaf says nothing of what a map or list is like that has something in it, and which is atomic only
// where a leaf is all that anybody holds of it.
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
