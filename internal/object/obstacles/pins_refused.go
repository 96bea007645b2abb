package obstacles

import "github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"

// PinsRefusedError is a refusal of a manifest with its pinned values. The server takes the manifest without them.
type PinsRefusedError struct {
	Refusal *cluster.Error
	// Pinned are the pinned fields that the refusal names, sorted; all of them if it names none.
	Pinned []string
}

func (e *PinsRefusedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *PinsRefusedError) Unwrap() error { return e.Refusal }
