package refusals

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
)

// PinsRefusedError is a refusal of a manifest with its pinned values. The server takes the manifest without them.
type PinsRefusedError struct {
	Refusal *cluster.Error
	// Pinned are the pinned fields that the refusal names, sorted; all of them if it names none.
	Pinned []string
}

func (e *PinsRefusedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *PinsRefusedError) Unwrap() error { return e.Refusal }

// OfPins returns a *PinsRefusedError if a refusal is about pinned values, and nil otherwise: one dry-run.
func OfPins(ctx context.Context, api cluster.Interface, a prediction.Attempt, refusal error) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || !IsOfObject(refusal) || a.Intent.Pins().IsEmpty() {
		return nil
	}
	written := a.DryRunUnderAnotherName(a.Intent.WithoutPins().Body(a.Known(), a.Prior.Snapshot.UID))
	if _, err := written.Send(ctx, api, a.Prior.Object); err != nil {
		return nil //nolint:nilerr // The manifest itself is refused, too.
	}
	pins := a.Intent.Pins()
	if named, _ := projection.Covered(pins.Fields, Fields(refusal), pins.Values); !named.Empty() {
		pins = pins.Only(named)
	}
	pinned := pins.Text(a.Intent.Renderer(a.Prior.Object, a.Prior.Snapshot))
	return &PinsRefusedError{Refusal: refused, Pinned: slices.Sorted(maps.Keys(pinned))}
}
