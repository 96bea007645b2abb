package prediction

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"

// Prediction is what the server makes of an attempt. The planned state is computed from it, and does not depend on the
// live object.
type Prediction struct {
	Attempt
	// Asked is the dry-run, and Result the object in its answer.
	Asked  DryRun
	Result map[string]any
	// Applied is what our entry holds after the apply.
	Applied *paths.Set
	// BecameAtomic are fields that the schema has made atomic since the claims were recorded.
	BecameAtomic *paths.Set
	// Removes holds the fields of other managers that the apply removes by a request of its own: items of lists that
	// are too long, and fields that remove_fields covers.
	Removes *paths.Set
}
