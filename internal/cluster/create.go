package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// recovering is how long to repeat a create whose answers are lost and that creates nothing.
	recovering = 15 * time.Second
	// longestPause is the longest time between two of these tries.
	longestPause = 3 * time.Second
	// lastLook limits the search for the object of a create with an unknown outcome, if the operation's own time is
	// over.
	lastLook = 10 * time.Second
)

// TakenError reports that another client has created the object, and that the create has changed none of its values.
type TakenError struct {
	Object manifest.Identity
	// Live is that object.
	Live *unstructured.Unstructured
	// IsClaimed is true if the server has applied the create to Live, because it does not compare resourceVersions: the
	// field manager of the create may own fields of it that are to be given back.
	IsClaimed bool
}

func (e *TakenError) Error() string { return e.Object.String() + " was created by another client" }

// Create creates an object by server-side apply, and never changes one that exists: one PATCH without force. If the
// answer is lost, a GET shows whether the object was created, and another PATCH follows if it was not. The error is a
// [*TakenError] if another client has created the object, which a GET tells, too, and an [*OutcomeUnknownError] if the
// GET after a lost answer fails.
func Create(
	ctx context.Context, api Interface, id manifest.Identity, body map[string]any, fieldManager string,
) (Applied, error) {
	c := creation{api: api, id: id, body: body, fieldManager: fieldManager}
	answer, err := c.apply(ctx)
	switch {
	case err == nil && answer.Outcome == Updated:
		return Applied{}, &TakenError{Object: id, Live: answer.Object, IsClaimed: true}
	case isConflict(err):
		if live, missing := api.Get(ctx, id); missing == nil {
			return Applied{}, &TakenError{Object: id, Live: live}
		}
	}
	return answer, err
}

type creation struct {
	api          Interface
	id           manifest.Identity
	body         map[string]any
	fieldManager string
}

// apply sends the create until its outcome is known.
func (c creation) apply(ctx context.Context) (answer Applied, err error) {
	var failing time.Time
	var lost *Error
	// If ctx ends in a pause, the error of the last attempt is more helpful than that of ctx.
	_ = Retry(ctx, AfterFailure(longestPause), func(pause time.Duration) bool {
		answer, err = c.api.Apply(ctx, c.id, c.body, ApplyOptions{FieldManager: c.fieldManager, New: true})
		failed, _ := errors.AsType[*Error](err)
		isLost := failed != nil && failed.OutcomeUnknown
		if isLost {
			lost = failed
		}
		// After a lost answer, a conflict may be with the object that the lost request has created in the meantime.
		if !isLost && (lost == nil || !isConflict(err)) {
			return false
		}
		created, unseen := c.find(ctx)
		switch {
		case unseen != nil:
			answer, err = Applied{}, &OutcomeUnknownError{Object: c.id, Last: lost}
			return false
		case created != nil:
			answer, err = Applied{Object: created, Outcome: Created}, nil
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

// isConflict reports whether a create has failed because the object exists. The server also answers so if the create
// conflicts with another object, for example a quota.
func isConflict(err error) bool {
	reason := ReasonOf(err)
	return reason == ReasonConflict || reason == ReasonFieldManagerConflict
}

// find returns the object that a create may have left. It returns nil if no object exists, or if the field manager has
// not applied to it. If the operation has run out of time, the request has time of its own.
func (c creation) find(ctx context.Context) (*unstructured.Unstructured, error) {
	if ctx.Err() != nil {
		later, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		defer cancel()
		ctx = later
	}
	live, err := c.api.Get(ctx, c.id)
	switch ReasonOf(err) {
	case ReasonNotFound, ReasonNamespaceNotFound, ReasonKindNotServed:
		return nil, nil
	}
	if err != nil || !slices.ContainsFunc(live.GetManagedFields(), c.isOwn) {
		return nil, err
	}
	return live, nil
}

func (c creation) isOwn(entry metav1.ManagedFieldsEntry) bool {
	return entry.Manager == c.fieldManager && entry.Operation == metav1.ManagedFieldsOperationApply &&
		entry.Subresource == ""
}

// OutcomeUnknownError reports a create whose answer was lost, if the server could not be asked whether it succeeded.
type OutcomeUnknownError struct {
	Object manifest.Identity
	// Last is the error of the last attempt.
	Last *Error
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("%s; it is unknown whether the object was created", e.Last)
}

// Unwrap returns the failure of the create.
func (e *OutcomeUnknownError) Unwrap() error { return e.Last }
