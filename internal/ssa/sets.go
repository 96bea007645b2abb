package ssa

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"

func orEmpty(fields *paths.Set) *paths.Set {
	if fields == nil {
		return paths.NewSet()
	}
	return fields
}

// filter returns the members of fields that keep says to keep.
func filter(fields *paths.Set, keep func(paths.Path) bool) *paths.Set {
	sifted := paths.NewSet()
	paths.Walk(fields, func(path paths.Path, _ bool) {
		if keep(path) {
			sifted.Insert(path)
		}
	})
	return sifted
}
