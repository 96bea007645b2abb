package cluster

import (
	"maps"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// NamespaceField is the path of the namespace, which objects of a cluster-scoped kind do not have.
const NamespaceField = "metadata.namespace"

// Kind is what discovery says of a kind. It decides which part of an object can be sent.
type Kind struct {
	Scope Scope
	// Plural is its segment of the URL, "deployments".
	Plural string
	// HasStatus is true if status is a subresource of its own, so that the server ignores it in every other request.
	HasStatus bool
}

// Sendable returns the part of body that an apply to a subresource sends, "" for the object itself, and the paths of
// the rest. body is not mutated.
func (k Kind) Sendable(body map[string]any, subresource string) (sent map[string]any, dropped []string) {
	sent = body
	metadata, _ := body["metadata"].(map[string]any)
	if _, hasNamespace := metadata["namespace"]; hasNamespace && k.Scope == ScopeCluster {
		metadata, sent = maps.Clone(metadata), maps.Clone(sent)
		delete(metadata, "namespace")
		sent["metadata"], dropped = metadata, append(dropped, NamespaceField)
	}
	if _, hasStatus := body[manifest.Status]; hasStatus && k.HasStatus && subresource != manifest.Status {
		sent = maps.Clone(sent)
		delete(sent, manifest.Status)
		dropped = append(dropped, manifest.Status)
	}
	return sent, dropped
}
