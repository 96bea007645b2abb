package listing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

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
	var each []cluster.ServedKind
	for _, kind := range kinds {
		if !slices.ContainsFunc(each, func(other cluster.ServedKind) bool {
			return other.APIVersion == kind.APIVersion && other.Kind == kind.Kind
		}) {
			each = append(each, kind)
		}
	}
	return each, nil
}
