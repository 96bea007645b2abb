package refusals

import (
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

// LiveField is a field of an object on the cluster.
type LiveField struct {
	Field  string
	Owners []ownership.Holder
}

// IsOfObject reports whether the server's validation refuses the object itself, and not a change of an immutable field.
func IsOfObject(err error) bool {
	return cluster.ReasonOf(err) == cluster.ReasonInvalid && Immutable(err) == nil
}

// Fields returns patterns for the fields that a refusal names, in any item of a list.
func Fields(refusal error) paths.Patterns {
	var texts []string
	for _, cause := range cluster.CausesOf(refusal) {
		texts = append(texts, cause.Field)
	}
	return record.PatternsOf(texts).AnyPosition()
}

// Explain returns err with what is known about the object that the server refuses. meets are the claims that the apply met.
func Explain(a prediction.Attempt, meets ownership.Claims, err error) error {
	var refusal *cluster.Error
	var invalid *cluster.InvalidError
	if errors.As(err, &refusal) && errors.As(err, &invalid) {
		if half := halfRemoved(a, meets, refusal, invalid.Causes); half != nil {
			return half
		}
	}
	return explainDuplicate(a, err)
}
