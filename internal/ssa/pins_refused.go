package ssa

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// PinsRefusedError is a refusal of a manifest with what is pinned. The server takes the manifest without it.
type PinsRefusedError struct {
	Refusal *cluster.Error
	// Pinned are the pinned fields that the refusal names, sorted; all of them if it names none.
	Pinned []string
}

func (e *PinsRefusedError) Error() string { return e.Refusal.Error() }

// Unwrap returns the server's refusal.
func (e *PinsRefusedError) Unwrap() error { return e.Refusal }

// pinsRefused returns a *PinsRefusedError if a refusal is about what is pinned, and nil otherwise: one dry-run.
func (u *update) pinsRefused(ctx context.Context, api cluster.Interface, refusal error) error {
	var refused *cluster.Error
	if !errors.As(refusal, &refused) || !isRefusal(refusal) || u.Intent.Pins().IsEmpty() {
		return nil
	}
	written := u.DryRunUnderAnotherName(u.Intent.WithoutPins().Body(u.Known(), u.Prior.Snapshot.UID))
	if _, err := written.Send(ctx, api, u.Prior.Object); err != nil {
		return nil //nolint:nilerr // The manifest itself is refused, too.
	}
	pins := u.Intent.Pins()
	if named, _ := projection.Covered(pins.Fields, refusedFields(refusal), pins.Values); !named.Empty() {
		pins = pins.Only(named)
	}
	pinned := pins.Text(u.Intent.Renderer(u.Prior.Object, u.Prior.Snapshot.DigestKey))
	return &PinsRefusedError{Refusal: refused, Pinned: slices.Sorted(maps.Keys(pinned))}
}

// refusedFields returns patterns for the fields that a refusal names, in any item of a list.
func refusedFields(refusal error) paths.Patterns {
	var texts []string
	for _, cause := range cluster.CausesOf(refusal) {
		texts = append(texts, cause.Field)
	}
	return record.PatternsOf(texts).AnyPosition()
}
