package cluster

import "maps"

// NamespaceField is the path of what a cluster-scoped kind does not have.
const NamespaceField = "metadata.namespace"

const statusField = "status"

// Kind is what decides which part of an object of a kind can be sent.
type Kind struct {
	Scope Scope
	// HasStatus says that status is a subresource of its own, so that the server ignores it in every other request.
	HasStatus bool
}

// Sendable returns the part of body that an apply sends, and the paths of the rest. body is not mutated.
func (k Kind) Sendable(body map[string]any) (sent map[string]any, dropped []string) {
	sent = body
	metadata, _ := body["metadata"].(map[string]any)
	if _, hasNamespace := metadata["namespace"]; hasNamespace && k.Scope == ScopeCluster {
		metadata, sent = maps.Clone(metadata), maps.Clone(sent)
		delete(metadata, "namespace")
		sent["metadata"], dropped = metadata, append(dropped, NamespaceField)
	}
	if _, hasStatus := body[statusField]; hasStatus && k.HasStatus {
		sent = maps.Clone(sent)
		delete(sent, statusField)
		dropped = append(dropped, statusField)
	}
	return sent, dropped
}
