package owners

import (
	"encoding/json"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/additions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
)

// clientSide is the manager of kubectl apply. Its entry contains the defaults of the API server, too.
const clientSide = "kubectl-client-side-apply"

// lastApplied is the annotation in which kubectl apply keeps its manifest.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// WrittenByKubectl returns those of the fields of clientSide that the annotation of kubectl apply contains; nil if it
// cannot be read, or if no manager applies the object by server-side apply.
func WrittenByKubectl(annotations map[string]string, claims ownership.Claims) *paths.Set {
	var manifest map[string]any
	isApplied := slices.ContainsFunc(claims, func(claim ownership.Claim) bool {
		return claim.Operation == metav1.ManagedFieldsOperationApply
	})
	if !isApplied || json.Unmarshal([]byte(annotations[lastApplied]), &manifest) != nil {
		return nil
	}
	return projection.WithValues(manifest, claims.Updated(clientSide))
}

// isDefault reports whether the value of a field in the entry of an update may be a default of the API server.
func (o Object) isDefault(claim ownership.Claim, path paths.Path) bool {
	if claim.IsUpdater(clientSide) && o.Written != nil {
		return !o.Written.Has(path)
	}
	return additions.MayBeDefault(claim, path)
}

// isWritten reports whether a manager has written a field, or a part of it, as far as is known.
func (o Object) isWritten(claim ownership.Claim, path paths.Path) bool {
	return o.Written == nil || !claim.IsUpdater(clientSide) || ownership.Holds(o.Written, path)
}

// emptyDefaults are fields of Pods that the API server sets to an empty map. A map with parts is not a leaf.
var emptyDefaults = map[string]bool{"resources": true, "securityContext": true}

func isEmptyDefault(leaf paths.Path) bool {
	name := leaf[len(leaf)-1].FieldName
	return name != nil && emptyDefaults[*name]
}
