package additions

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ClientSide is the manager of kubectl apply. Its entry contains the defaults of the API server, too.
const ClientSide = "kubectl-client-side-apply"

// ByKubectl returns the fields in the entry of ClientSide, and those of them that the annotation of kubectl apply
// contains: the others are filled in by the API server. Both are nil if the annotation cannot be read, or is about
// another version than the entry.
func ByKubectl(annotations map[string]string, claims ownership.Claims) (all, written *paths.Set) {
	var applied map[string]any
	text, has := annotations[corev1.LastAppliedConfigAnnotation]
	if !has || json.Unmarshal([]byte(text), &applied) != nil {
		return nil, nil
	}
	for _, claim := range claims {
		if claim.IsUpdater(ClientSide) && claim.APIVersion == applied["apiVersion"] {
			all = paths.OrEmpty(all).Union(claim.Fields)
		}
	}
	if all == nil {
		return nil, nil
	}
	if applied["kind"] == "Secret" {
		applied = manifest.StringDataAsData(applied)
	}
	return all, projection.WithValues(applied, all)
}
