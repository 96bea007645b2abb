package obstacles

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Apply is an apply to an existing object that the server refuses.
type Apply struct {
	Wanted wanted.Wanted
	// Rewrite is the rewrite of claims before the apply. Body is what the apply sends.
	Rewrite ownership.Rewrite
	Body    map[string]any
	// Meets are the claims on the object when the apply is sent.
	Meets ownership.Claims
}

// named returns the fields that tell how list items are identified if managedFields was reset: those of our last apply,
// and those that it left to other managers.
func (a Apply) named() *paths.Set {
	return a.Wanted.Prior.DeclaredBefore().Union(paths.OrEmpty(a.Wanted.Prior.Snapshot.Fields.Kept))
}

// LiveField is a field of an object on the cluster.
type LiveField struct {
	Field string
	// Value is the live value, as attributes show it; "" if it is not shown.
	Value  string
	Owners []ownership.Holder
}
