package owners

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
)

// WrittenByKubectl returns those of the fields of kubectl apply that its annotation contains; nil if it cannot be read,
// or if no manager applies the object by server-side apply.
func WrittenByKubectl(annotations map[string]string, claims ownership.Claims) *paths.Set {
	isApplied := slices.ContainsFunc(claims, func(claim ownership.Claim) bool {
		return claim.Operation == metav1.ManagedFieldsOperationApply
	})
	if !isApplied {
		return nil
	}
	_, written := additions.ByKubectl(annotations, claims)
	return written
}

// isDefault reports whether the value of a field in the entry of an update may be a default of the API server.
func (o Object) isDefault(claim ownership.Claim, path paths.Path) bool {
	if claim.IsUpdater(additions.ClientSide) && o.Written != nil {
		return !o.Written.Has(path)
	}
	return additions.MayBeDefault(claim, path)
}

// isWritten reports whether a manager has written a field, or a part of it, as far as is known.
func (o Object) isWritten(claim ownership.Claim, path paths.Path) bool {
	return o.Written == nil || !claim.IsUpdater(additions.ClientSide) || ownership.Holds(o.Written, path)
}

// emptyDefaults are fields of Pods that the API server sets to an empty map. A map with parts is not a leaf.
var emptyDefaults = map[string]bool{"resources": true, "securityContext": true}

func isEmptyDefault(leaf paths.Path) bool {
	name := leaf[len(leaf)-1].FieldName
	return name != nil && emptyDefaults[*name]
}
