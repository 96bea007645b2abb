// Package creating creates objects by server-side apply, and finds out what became of a create whose answer was lost.
package creating

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/retry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

const (
	// recovering is how long to repeat a create whose answers are lost and that creates nothing.
	recovering = 15 * time.Second
	// longestPause is the longest time between two such tries.
	longestPause = 3 * time.Second
	// lastLook is how long to look for what a create left, if the operation's own time is over.
	lastLook = 10 * time.Second
)

// Apply creates the object by server-side apply, and never changes one that exists: one PATCH without force. If the answer is lost, a GET
// tells whether the object was created, and another PATCH follows if it was not. The error is a *TakenError if another client has
// created the object, which a GET tells, too, and a *cluster.OutcomeUnknownError if the GET after a lost answer fails.
func Apply(ctx context.Context, api cluster.Interface, id manifest.Identity, body map[string]any, fieldManager string) (cluster.Applied, error) {
	opts := cluster.ApplyOptions{FieldManager: fieldManager, New: true}
	answer, err := applyOnce(ctx, api, id, body, opts)
	switch {
	case err == nil && answer.Outcome == cluster.Updated:
		return cluster.Applied{}, giveBack(ctx, api, id, answer.Object, fieldManager)
	case isConflict(err):
		if live, missing := api.Get(ctx, id); missing == nil {
			return cluster.Applied{}, &TakenError{Object: id, Live: live}
		}
	}
	return answer, err
}

// applyOnce sends the create until its outcome is known.
func applyOnce(ctx context.Context, api cluster.Interface, id manifest.Identity, body map[string]any, opts cluster.ApplyOptions) (answer cluster.Applied, err error) {
	var failing time.Time
	var lost *cluster.Error
	// If ctx ends in a pause, the error of the last attempt says more.
	_ = retry.Do(ctx, retry.AfterFailure(longestPause), func(pause time.Duration) bool {
		answer, err = api.Apply(ctx, id, body, opts)
		var failed *cluster.Error
		isLost := errors.As(err, &failed) && failed.OutcomeUnknown
		if isLost {
			lost = failed
		}
		// After a lost answer, a conflict may be with the object that the lost request has created in the meantime.
		if !isLost && (lost == nil || !isConflict(err)) {
			return false
		}
		created, unseen := findCreated(ctx, api, id, opts.FieldManager)
		switch {
		case unseen != nil:
			answer, err = cluster.Applied{}, &cluster.OutcomeUnknownError{Object: id, Last: lost}
			return false
		case created != nil:
			answer, err = cluster.Applied{Object: created, Outcome: cluster.Created}, nil
			return false
		case !isLost:
			return false
		}
		if failing.IsZero() {
			failing = time.Now()
		}
		return ctx.Err() == nil && time.Since(failing)+pause <= recovering
	})
	return answer, err
}

// findCreated returns the object that a create may have left. It returns nil if no object exists, or if fieldManager has not applied to
// it. If the operation has run out of time, the request has time of its own.
func findCreated(ctx context.Context, api cluster.Interface, id manifest.Identity, fieldManager string) (*unstructured.Unstructured, error) {
	if ctx.Err() != nil {
		later, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		defer cancel()
		ctx = later
	}
	live, err := api.Get(ctx, id)
	switch cluster.ReasonOf(err) {
	case cluster.ReasonNotFound, cluster.ReasonNamespaceNotFound, cluster.ReasonKindNotServed:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	applied, err := record.IsAppliedBy(id, live, fieldManager)
	if !applied {
		live = nil
	}
	return live, err
}
