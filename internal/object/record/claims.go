package record

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// ClaimsOf returns the claims on a live object, without those on its status. It returns a *cluster.Error if an entry
// cannot be parsed.
func ClaimsOf(id manifest.Identity, live *unstructured.Unstructured) (ownership.Claims, error) {
	parse := ownership.Parse
	if id.Subresource != "" {
		parse = func(entries []metav1.ManagedFieldsEntry) (ownership.Claims, error) {
			return ownership.ParseSubresource(entries, id.Subresource)
		}
	}
	claims, err := parse(live.GetManagedFields())
	if err != nil {
		return nil, Unreadable(id, err)
	}
	return claims, nil
}

// Unreadable returns the error of an object whose managedFields cannot be read.
func Unreadable(id manifest.Identity, err error) *cluster.Error {
	return &cluster.Error{
		Reason: cluster.ReasonServer, Object: id, Message: "the object's managedFields cannot be read: " + err.Error(),
		Cause: err,
	}
}

// requireOurs returns a *cluster.Error with ReasonNotFound if fieldManager has applied nothing to an object.
func requireOurs(id manifest.Identity, live *unstructured.Unstructured, fieldManager string) error {
	claims, err := ClaimsOf(id, live)
	switch {
	case err != nil:
		return err
	case claims.Own(fieldManager).Empty():
		return &cluster.Error{Reason: cluster.ReasonNotFound, Object: id, Message: "another object has its name"}
	default:
		return nil
	}
}

// OfTerraform returns the managers of an object under which resources of Terraform write, fieldManager among them, each
// with a description in parentheses if it is well known.
func OfTerraform(claims ownership.Claims, fieldManager string) []string {
	var managers []string
	for _, claim := range claims.OfTerraform(fieldManager) {
		text := claim.String()
		if known := claim.KnownAs(); known != "" {
			text += " (" + known + ")"
		}
		managers = append(managers, text)
	}
	return managers
}
