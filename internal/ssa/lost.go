package ssa

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// OutcomeUnknownError is a create whose response was lost, and whose object could not be read afterwards.
type OutcomeUnknownError struct {
	Object manifest.Identity
	// Last is what the create failed with.
	Last *Error
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("%s; it is unknown whether the object was created", e.Last)
}

// Unwrap gives the failure of the create.
func (e *OutcomeUnknownError) Unwrap() error { return e.Last }

const (
	// recovering is how long a create is retried while its responses are lost and no object appears.
	recovering = 15 * time.Second
	// lastLook is the time to look for the object once the operation's own time is over.
	lastLook = 10 * time.Second
)

// applyNew creates the object with one PATCH. If the response is lost, it looks for the object with a GET, and sends the
// PATCH again if there is none.
func applyNew(ctx context.Context, cluster Cluster, id manifest.Identity, intent Intent) (Applied, error) {
	pause := wait.Backoff{Duration: 200 * time.Millisecond, Factor: 2, Jitter: 0.2, Steps: 1 << 20, Cap: 3 * time.Second}
	var failing time.Time
	for {
		answer, err := cluster.Apply(ctx, id, intent.Manifest.Object, ApplyOptions{
			FieldManager: intent.FieldManager, New: true, Force: intent.OnConflict != Fail,
		})
		var lost *Error
		if !errors.As(err, &lost) || !lost.OutcomeUnknown {
			return answer, err
		}
		created, unseen := findCreated(ctx, cluster, id, intent.FieldManager)
		switch {
		case unseen != nil:
			return Applied{}, &OutcomeUnknownError{Object: id, Last: lost}
		case created != nil:
			return Applied{Object: created, Outcome: Created}, nil
		}
		if failing.IsZero() {
			failing = time.Now()
		}
		next := pause.Step()
		if ctx.Err() != nil || time.Since(failing)+next > recovering {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, err
		case <-time.After(next):
		}
	}
}

// findCreated looks for the object that a create may have left. It returns nil if there is none, or if somebody else
// created it. It has time of its own even if the operation's time is over.
func findCreated(ctx context.Context, cluster Cluster, id manifest.Identity, fieldManager string) (*unstructured.Unstructured, error) {
	if ctx.Err() != nil {
		later, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		defer cancel()
		ctx = later
	}
	live, err := cluster.Get(ctx, id)
	switch ReasonOf(err) {
	case ReasonNotFound, ReasonNamespaceNotFound, ReasonKindNotServed:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	applied, err := isAppliedBy(id, live, fieldManager)
	if !applied {
		live = nil
	}
	return live, err
}

// isAppliedBy reports whether a manager of this name has applied to an object.
func isAppliedBy(id manifest.Identity, live *unstructured.Unstructured, fieldManager string) (bool, error) {
	claims, err := claimsOf(id, live)
	return err == nil && !claims.Own(fieldManager).Empty(), err
}

// requireOurs returns an *Error with ReasonNotFound where fieldManager has applied nothing to an object.
func requireOurs(id manifest.Identity, live *unstructured.Unstructured, fieldManager string) error {
	applied, err := isAppliedBy(id, live, fieldManager)
	switch {
	case err != nil:
		return err
	case !applied:
		return &Error{Reason: ReasonNotFound, Object: id, Message: "another object has its name"}
	default:
		return nil
	}
}
