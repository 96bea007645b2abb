package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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
	status := paths.NewSet(paths.FieldPath(manifest.Status))
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
	claims = claims.Held()
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

// left are the kinds in which controllers store their own data. "All kinds" does not include them.
var left = []cluster.ServedKind{
	{APIVersion: "v1", Kind: "Event"}, {APIVersion: "events.k8s.io/v1", Kind: "Event"},
	{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}, {APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"},
}

// IsOfControllers reports whether controllers store their own data in objects of a kind.
func IsOfControllers(apiVersion, kind string) bool {
	return slices.ContainsFunc(left, func(other cluster.ServedKind) bool {
		return other.APIVersion == apiVersion && other.Kind == kind
	})
}

// all returns the kinds that are listed if the query names none: only namespaced kinds if it has a namespace.
func all(served []cluster.ServedKind, namespace string) []cluster.ServedKind {
	return slices.DeleteFunc(slices.Clone(served), func(kind cluster.ServedKind) bool {
		return namespace != "" && kind.Scope != cluster.ScopeNamespaced ||
			IsOfControllers(kind.APIVersion, kind.Kind)
	})
}

// first are the kinds that other objects need, in the order in which they are needed.
var first = []string{"Namespace", "CustomResourceDefinition"}

// byNeed compares objects in the order in which a person writes them down: namespaces, definitions, other
// cluster-scoped objects, and then one namespace after the other.
func byNeed(a, b Object) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID.Namespace, b.ID.Namespace),
		cmp.Compare(a.ID.Kind, b.ID.Kind), cmp.Compare(a.ID.APIVersion, b.ID.APIVersion),
		cmp.Compare(a.ID.Name, b.ID.Name))
}

func rank(object Object) int {
	if at := slices.Index(first, object.ID.Kind); at >= 0 && object.ID.Namespace == "" {
		return at
	}
	return len(first)
}

// UnknownKindsError reports that the cluster serves a kind, given without an API version, in no group or in several.
type UnknownKindsError struct {
	Kind string
	// Groups are the versions in which it is served.
	Groups []string
	// Unanswered are the API versions that may have the kind, because their own API server does not answer.
	Unanswered []string
}

func (e *UnknownKindsError) Error() string {
	if len(e.Groups) == 0 {
		text := fmt.Sprintf("the cluster serves no kind %s whose objects can be listed and applied", e.Kind)
		if len(e.Unanswered) > 0 {
			text += ". What is in " + strings.Join(e.Unanswered, " and in ") +
				" is not known, because its API server does not answer"
		}
		return text
	}
	return fmt.Sprintf("the cluster serves the kind %s in %s", e.Kind, strings.Join(e.Groups, " and in "))
}

// ParseKind reads "apps/v1 Deployment", or "Deployment", which has no API version yet.
func ParseKind(text string) (cluster.ServedKind, bool) {
	switch words := strings.Fields(text); {
	case len(words) == 1 && !strings.Contains(text, "/"):
		return cluster.ServedKind{Kind: words[0]}, true
	case len(words) == 2 && !strings.Contains(words[1], "/") && strings.Count(words[0], "/") < 2:
		return cluster.ServedKind{APIVersion: words[0], Kind: words[1]}, true
	}
	return cluster.ServedKind{}, false
}

// inVersions gives each kind without an API version the one that the server prefers, and returns each kind once. Its
// error is an *UnknownKindsError.
func inVersions(kinds, served []cluster.ServedKind) ([]cluster.ServedKind, error) {
	kinds = slices.Clone(kinds)
	for i, kind := range kinds {
		if kind.APIVersion != "" {
			continue
		}
		var groups []string
		for _, candidate := range served {
			if candidate.Kind == kind.Kind {
				kinds[i] = candidate
				groups = append(groups, candidate.APIVersion)
			}
		}
		if len(groups) != 1 {
			return nil, &UnknownKindsError{Kind: kind.Kind, Groups: groups}
		}
	}
	return eachOnce(kinds), nil
}

// eachOnce returns kinds without those that come again.
func eachOnce(kinds []cluster.ServedKind) (each []cluster.ServedKind) {
	for _, kind := range kinds {
		if !slices.ContainsFunc(each, func(other cluster.ServedKind) bool {
			return other.APIVersion == kind.APIVersion && other.Kind == kind.Kind
		}) {
			each = append(each, kind)
		}
	}
	return each
}
