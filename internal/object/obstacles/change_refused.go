package obstacles

import (
	"errors"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
)

// ChangeRefusedError is a refusal of the change of an object to a body that the server takes for a new object.
type ChangeRefusedError struct{ Refusal *cluster.Error }

func (e *ChangeRefusedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *ChangeRefusedError) Unwrap() error { return e.Refusal }

// OfChange returns a *ChangeRefusedError for a refusal in words that do not say whether it is about the object or about
// its change, if takesNew reports that the server takes the body for a new object. Otherwise it returns err.
func OfChange(err error, takesNew func() bool) error {
	refusal, is := errors.AsType[*cluster.Error](err)
	invalid, isInvalid := errors.AsType[*cluster.InvalidError](err)
	if !is || err != error(refusal) || !isInvalid { //nolint:errorlint // It is the refusal, or an explanation of it.
		return err
	}
	if len(invalid.Rules) > 0 || !refusals.IsOfObject(err) || !takesNew() {
		return err
	}
	return &ChangeRefusedError{Refusal: refusal}
}
