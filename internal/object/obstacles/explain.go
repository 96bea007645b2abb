package obstacles

import (
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
)

// Explain returns err with what is known about the object that the server refuses.
func (a Apply) Explain(err error) error {
	var refusal *cluster.Error
	var invalid *cluster.InvalidError
	if !errors.As(err, &refusal) || !errors.As(err, &invalid) {
		return err
	}
	if half := a.halfRemoved(refusal, invalid.Causes); half != nil {
		return half
	}
	if held := a.explainHeld(err, refusal, invalid.Causes); held != err { //nolint:errorlint // As in Blocked.
		return held
	}
	return a.explainDuplicate(err, refusal, invalid.Causes)
}
