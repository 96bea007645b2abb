package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/obstacles"
)

// pinsRefused returns a *obstacles.PinsRefusedError, after up to three dry-runs, if a refusal is about pinned values.
func (a *apply) pinsRefused(ctx context.Context, api cluster.Interface, refusal error) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || !refusals.IsOfValues(refusal) || a.wanted.Pins.IsEmpty() {
		return nil
	}
	unpinned := *a
	unpinned.wanted = a.wanted.WithoutPins()
	written := a.dryRunUnderAnotherName(unpinned.wanted.Body(a.known(), a.wanted.Prior.Snapshot.UID))
	_, err := written.send(ctx, api, a.wanted.Prior.Object)
	if err != nil && (fitsNew(ctx, api, a) == nil || fitsNew(ctx, api, &unpinned) != nil) {
		return nil //nolint:nilerr // The pins make no difference.
	}
	pinned := obstacles.NamedPins(refusal, a.wanted.Pins).Text(a.wanted.LiveRenderer())
	return obstacles.PinsRefused(refused, refusal, slices.Sorted(maps.Keys(pinned)))
}
