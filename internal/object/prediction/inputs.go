package prediction

import (
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Inputs are an apply to an existing object, and the server's answer to its dry-run. A prediction depends on nothing
// else.
type Inputs struct {
	Wanted wanted.Wanted
	// Rewrite is the rewrite of claims before the apply. Body is the body of the apply.
	Rewrite ownership.Rewrite
	Body    map[string]any
	// Result is the object in the answer.
	Result map[string]any
	// PrunesNothing is true if Result still contains the fields that the apply prunes, because the dry-run was under
	// the name of another manager. IsOfNewObject is true if Result is another object, which has none of the live
	// values.
	PrunesNothing, IsOfNewObject bool
	// Tried is the object without the fields that the apply removes, as the server would store it; nil if no dry-run
	// asked for it.
	Tried map[string]any
	// Answered are the claims in the answer. HasMoved is true if another client has written to the object since it was
	// read.
	Answered ownership.Claims
	HasMoved bool
	// Moved is the object as read after the dry-run; nil if no other client has written, or if it was not read again.
	// It may be newer than the answer.
	Moved map[string]any
	// Unsent are the fields that the dry-run sent and that the apply does not send.
	Unsent *paths.Set
	// Applied is the field set of our entry after the apply.
	Applied *paths.Set
	// BecameAtomic are fields that the schema has made atomic since the claims were recorded.
	BecameAtomic *paths.Set
	// Removes contains the fields that the apply removes by a request of its own, because remove_fields covers them.
	Removes *paths.Set
	// Obstacles contains the fields that the apply removes, no matter who owns them, because the server refuses them
	// together with those that the manifest declares.
	Obstacles *paths.Set
	// Forgotten are the fields of ours that leave the body and that managedFields does not record as ours any more.
	Forgotten wanted.Forgotten
}

// NonEmpty returns the applied fields without those that the body gives as empty maps or lists.
func (in Inputs) NonEmpty() *paths.Set {
	return in.Applied.Difference(projection.EmptyCollections(in.Body, in.Applied))
}

// removes returns the fields that the apply removes in addition to those that leave our claim.
func (in Inputs) removes() *paths.Set {
	return paths.OrEmpty(in.Removes).Union(paths.OrEmpty(in.Obstacles)).Union(paths.OrEmpty(in.Forgotten.Removed))
}

// emptyEntries returns the empty maps of ours that the apply removes with the parts that other managers have put into
// them. A claim does not tell such an entry of a map from a field that the kind defines, which stays: the answer does.
func emptyEntries(in Inputs, before ownership.Claims) *paths.Set {
	after := in.Result
	if in.PrunesNothing {
		after = in.Tried
	}
	others := before.Others(in.Wanted.FieldManager).Fields()
	leaving := before.Own(in.Wanted.FieldManager).Difference(in.Applied).Leaves()
	return paths.Filter(leaving, func(path paths.Path) bool {
		if after == nil || others.Has(path) || !ownership.HasParts(others, path) {
			return false
		}
		_, presence := projection.Lookup(after, path)
		return presence != projection.Present
	})
}

// RemovesNothing reports whether the apply removes nothing by requests of its own.
func (in Inputs) RemovesNothing() bool { return in.removes().Empty() }

// isForgotten reports whether a field is forgotten and removed with its part of the object.
func (in Inputs) isForgotten(path paths.Path) bool {
	return paths.Touches(paths.OrEmpty(in.Forgotten.Removed), path)
}

// Known returns all fields of the object that are known to have, or to have had, an owner.
func (in Inputs) Known() *paths.Set {
	return in.Wanted.Claims().Fields().Union(in.Wanted.Prior.KeptFields(in.Rewrite))
}
