package obstacles

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// Apply is an apply to an existing object that the server refuses.
type Apply struct {
	Wanted wanted.Wanted
	// Rewrite is the rewrite of claims before the apply. Body is the body of the apply.
	Rewrite ownership.Rewrite
	Body    map[string]any
	// ClaimsBefore are the claims on the object when the apply is sent.
	ClaimsBefore ownership.Claims
}

// named returns the fields that tell how list items are identified if managedFields was reset: those of our last apply,
// and those that it left to other managers.
func (a Apply) named() *paths.Set {
	return a.Wanted.Prior.DeclaredBefore().Union(paths.OrEmpty(a.Wanted.Prior.Snapshot.Fields.Kept))
}

// takeOver returns what takeOverAny does; nil if one of the owners applies: while it is in use, it would claim the
// fields again.
func takeOver(owners []ownership.Holder, names []string) []string {
	if slices.ContainsFunc(owners, applies) {
		return nil
	}
	return takeOverAny(owners, names)
}

func applies(owner ownership.Holder) bool {
	return owner.Operation != metav1.ManagedFieldsOperationUpdate
}

// takeOverAny returns names, those of managers that are taken over, and the owners. It returns nil if names has all the
// owners, or if one of them cannot be taken over.
func takeOverAny(owners []ownership.Holder, names []string) []string {
	taking := ownership.Rewrite{TakeOver: slices.Clone(names)}
	for _, owner := range owners {
		if !taking.TakesOver(owner.Manager) {
			taking.TakeOver = append(taking.TakeOver, owner.Name)
		}
		if !taking.TakesOver(owner.Manager) {
			return nil
		}
	}
	if len(taking.TakeOver) == len(names) {
		return nil
	}
	isPrefix := func(name string) bool { return strings.HasSuffix(name, "*") } // No argument may have one.
	return slices.DeleteFunc(taking.TakeOver, isPrefix)
}

// TakeOverShared is takeOver for the managers that own obstacles among changes together with us.
func TakeOverShared(changes []ownership.Change, names []string) []string {
	var owners []ownership.Holder
	for _, change := range changes {
		if change.Why == ownership.Obstacle && change.Owned {
			owners = append(owners, change.Owners...)
		}
	}
	return takeOver(owners, names)
}

func ownersOf(fields []ownership.Change) []ownership.Holder {
	var owners []ownership.Holder
	for _, field := range fields {
		owners = append(owners, field.Owners...)
	}
	return owners
}
