package registry

import (
	"crypto/sha256"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// AlreadyManagedError says that two resources of one state manage an object.
type AlreadyManagedError struct {
	Object manifest.Identity
	// New is the other resource, if it has no state yet; nil if it has one.
	New *NewResource
	// SameBody says that both are new and have the same manifest as text.
	SameBody bool
}

func (e *AlreadyManagedError) Error() string {
	return e.Object.String() + " is managed by another resource"
}

// NewResource is what is known about a resource without a state, so that a message can describe it. Terraform does not
// tell a provider the addresses of resources.
type NewResource struct {
	FieldManager string
	// Source is the file of a Helm chart that the manifest says it comes from, "" where it says nothing.
	Source string
	body   [sha256.Size]byte
	// isNew says that there is no object yet.
	isNew bool
}

// NewResourceOf returns the resource that applies a manifest, given as text, as fieldManager.
func NewResourceOf(fieldManager, text string) NewResource {
	return NewResource{FieldManager: fieldManager, Source: chartFile(text), body: sha256.Sum256([]byte(text))}
}

// chartFile returns the file of a Helm chart that helm template names above each manifest.
func chartFile(text string) string {
	const mark = "# Source: "
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if source, is := strings.CutPrefix(line, mark); is {
			return source
		}
		if line != "" && line != "---" && !strings.HasPrefix(line, "#") {
			break
		}
	}
	return ""
}
