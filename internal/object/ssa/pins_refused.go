package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
)

// pinsRefused returns a *obstacles.PinsRefusedError if a refusal is about pinned values, and nil otherwise: one
// dry-run.
func (a *apply) pinsRefused(ctx context.Context, api cluster.Interface, refusal error) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || !refusals.IsOfValues(refusal) || a.wanted.Pins.IsEmpty() {
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
	return &obstacles.PinsRefusedError{Refusal: refused, Pinned: slices.Sorted(maps.Keys(pinned))}
}
