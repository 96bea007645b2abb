package listing

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Filter selects objects by their metadata.
type Filter struct {
	// Manager is the name of an owner of a field of the object, status included. It may end in *; "" means any owner.
	Manager string
	// Operation is how that manager came to own fields; "" is any.
	Operation metav1.ManagedFieldsOperationType
	// Without reports whether a manager must not own a field by server-side apply; nil accepts all managers.
	Without func(manager string) bool
	// Claims reports whether an object with these claims, status included, is wanted; nil accepts all claims.
	Claims func(ownership.Claims) bool
	// Controlled includes the objects that controllers made.
	Controlled bool
}

// AppliedBy selects the objects of which a manager has applied more than the status.
func AppliedBy(manager string) Filter {
	status := paths.NewSet(paths.Path{paths.Field(manifest.Status)})
	return Filter{Controlled: true, Claims: func(claims ownership.Claims) bool {
		return !claims.Own(manager).RecursiveDifference(status).Empty()
	}}
}

// UnreadableError reports that the managedFields of an object cannot be parsed.
type UnreadableError struct {
	Object manifest.Identity
	Cause  error
}

func (e *UnreadableError) Error() string { return e.Object.String() + ": " + e.Cause.Error() }

// Keep reports whether an object is wanted. Its error is an *UnreadableError.
func (f Filter) Keep(object *unstructured.Unstructured) (bool, error) {
	if f.Manager == "" && f.Without == nil && f.Claims == nil && f.Controlled {
		return true, nil
	}
	claims, err := claimsOf(object)
	if err != nil {
		return false, err
	}
	switch {
	case f.Manager != "" && !slices.ContainsFunc(claims, f.fits):
		return false, nil
	case f.Claims != nil && !f.Claims(claims), slices.ContainsFunc(claims, f.forbids):
		return false, nil
	}
	return f.Controlled || !IsControlled(object, claims), nil
}

// fits reports whether the manager of a claim is the one that the filter selects.
func (f Filter) fits(claim ownership.Claim) bool {
	return ownership.IsCalled(claim.Name, f.Manager) && (f.Operation == "" || f.Operation == claim.Operation) &&
		!claim.Fields.Empty()
}

// forbids reports whether an object with a claim is left out.
func (f Filter) forbids(claim ownership.Claim) bool {
	return f.Without != nil && claim.Operation == metav1.ManagedFieldsOperationApply && !claim.Fields.Empty() &&
		f.Without(claim.Name)
}

func claimsOf(object *unstructured.Unstructured) (ownership.Claims, error) {
	claims, err := ownership.ParseWithStatus(object.GetManagedFields())
	if err != nil {
		return nil, &UnreadableError{manifest.IdentityOf(object), err}
	}
	return claims, nil
}

// IsControlled reports whether a controller made the object. An object without owners counts as made by a person,
// unless it is in kube-system: the API server records no manager of an object that has no fields of its own, such as a
// ServiceAccount.
func IsControlled(object *unstructured.Unstructured, claims ownership.Claims) bool {
	if len(claims) == 0 && object.GetNamespace() == metav1.NamespaceSystem {
		return true
	}
	return metav1.GetControllerOf(object) != nil || len(claims) > 0 && len(claims.OfPeople()) == 0 ||
		isPartOfEveryCluster(object)
}

// isPartOfEveryCluster reports whether the object is one that exists in each namespace, or Helm's record of a release.
func isPartOfEveryCluster(object *unstructured.Unstructured) bool {
	switch id := manifest.IdentityOf(object); {
	case id.APIVersion != "v1":
		return false
	case id.Kind == "ServiceAccount":
		return id.Name == "default"
	case id.Kind == "ConfigMap":
		return id.Name == "kube-root-ca.crt"
	case id.IsSecret():
		return strings.HasPrefix(id.Name, "sh.helm.release.v1.") && object.GetLabels()["owner"] == "helm"
	}
	return false
}
