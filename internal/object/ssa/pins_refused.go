package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
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

// pinsRefused returns a *PinsRefusedError if a refusal is about pinned values, and nil otherwise: one dry-run.
func (a *apply) pinsRefused(ctx context.Context, api cluster.Interface, refusal error) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || !refusals.IsOfObject(refusal) || a.wanted.Pins.IsEmpty() {
		return nil
	}
	written := a.dryRunUnderAnotherName(a.wanted.WithoutPins().Body(a.known(), a.wanted.Prior.Snapshot.UID))
	if _, err := written.send(ctx, api, a.wanted.Prior.Object); err != nil {
		return nil //nolint:nilerr // The manifest itself is refused, too.
	}
	pins := a.wanted.Pins
	if named, _ := projection.Covered(pins.Fields, refusals.Fields(refusal), pins.Values); !named.Empty() {
		pins = pins.Only(named)
	}
	pinned := pins.Text(a.wanted.LiveRenderer())
	return &PinsRefusedError{Refusal: refused, Pinned: slices.Sorted(maps.Keys(pinned))}
}
