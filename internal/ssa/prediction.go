package ssa

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"

// Prediction holds the inputs of a planned state. The live object is not one of them.
type Prediction struct {
	Attempt
	// asked is the dry-run that result is the answer of.
	asked   dryRun
	result  map[string]any
	applied *paths.Set
	// becameAtomic are fields that the schema has made atomic since the claims were recorded.
	becameAtomic *paths.Set
}
