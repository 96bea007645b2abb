package run

import (
	"crypto/sha256"
	"strings"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// AlreadyManagedError reports that two resources of one state manage an object.
type AlreadyManagedError struct {
	Object manifest.Identity
	// New is the other resource, if it has no state yet; nil if it has one.
	New *NewResource
	// SameBody is true if both are new and their manifests are the same string.
	SameBody bool
}

func (e *AlreadyManagedError) Error() string {
	return e.Object.String() + " is managed by another resource"
}

// NewResource describes a resource without a state for messages. Terraform does not tell a provider the addresses of
// resources.
type NewResource struct {
	FieldManager string
	// Source is the file of a Helm chart from which the manifest was rendered, according to its comment; "" without
	// one.
	Source string
	body   [sha256.Size]byte
}

// NewResourceOf returns the resource that applies the manifest in text as fieldManager.
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
