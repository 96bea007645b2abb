package ssa

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// update is an apply to an object that exists, as a plan tries it and as the apply does it.
type update struct {
	Attempt
	// meets are the claims that the apply meets.
	meets ownership.Claims

	// asked is what a plan asks the server.
	asked dryRun

	// planned is the plan that an apply carries out.
	planned Plan
	// version is the resourceVersion of the object that the plan knows, or that was looked at since; "" where it
	// is not known. overwritten is what others wrote in between.
	version     string
	overwritten []Overwritten
	// done is the object where nothing is left to apply, and nobody owns anything of it: the server would make up a
	// manager for it. It is nil otherwise.
	done *unstructured.Unstructured
}

// newUpdate returns the apply of an intent as the last read lets it expect.
func newUpdate(intent Intent, prior record.Prior) *update {
	attempt := NewAttempt(intent, prior)
	return &update{Attempt: attempt, meets: attempt.rewrite.Claims(attempt.claims)}
}
