package kube

import (
	"context"
	"errors"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Delete implements cluster.Interface.
func (c *Client) Delete(
	ctx context.Context,
	id manifest.Identity,
	removal cluster.Removal,
) (*unstructured.Unstructured, error) {
	served, path, err := c.resolve(ctx, id)
	if err != nil {
		return nil, c.confirmUnserved(ctx, id, err)
	}
	policy := metav1.DeletionPropagation(removal.Propagation)
	options := metav1.DeleteOptions{
		TypeMeta:          metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		PropagationPolicy: &policy,
	}
	if removal.UID != "" {
		precondition := types.UID(removal.UID)
		options.Preconditions = &metav1.Preconditions{UID: &precondition}
	}
	text, err := json.Marshal(options)
	if err != nil {
		return nil, unencodable(id, err)
	}
	request := c.rest.Delete().AbsPath(path...).SetHeader("Content-Type", "application/json").Body(text)
	want := c.expect(http.MethodDelete, served, id).withUID(removal.UID)
	got, err := c.send(ctx, idempotent, request, want)
	if err != nil {
		return nil, c.confirmUnserved(ctx, id, err)
	}
	if _, isStatus := got.decoded.(*metav1.Status); !isStatus {
		if problem := want.problem(got.decoded); problem != "" {
			return nil, want.wrongAnswer(request.URL(), problem)
		}
	}
	see(ctx, id, got.object, got.object != nil)
	if isGone(got.object) {
		return nil, nil
	}
	return got.object, nil
}

// isGone reports whether a DELETE that was answered with object (nil for a plain success) has removed the object. For
// some kinds (Service, ServiceAccount, Pod) the server answers with the removed object: without a deletionTimestamp,
// or, where a deletion can be graceful, with one and a grace period of zero. Only a finalizer, a grace period, or a
// namespace's spec.finalizers can block the deletion.
func isGone(object *unstructured.Unstructured) bool {
	if object == nil || object.GetDeletionTimestamp() == nil {
		return true
	}
	grace := object.GetDeletionGracePeriodSeconds()
	return grace != nil && *grace == 0 && len(terminating.Finalizers(object)) == 0
}

// AwaitDeletion implements cluster.Interface. It is one watch from the terminating object's resourceVersion; a watch
// that ends early, or that the server refuses, is followed by a GET and another watch. The error is a *cluster.Error
// with ReasonDeletionBlocked, which names what blocks the deletion, or the error of the GET.
func (c *Client) AwaitDeletion(ctx context.Context, deleted *unstructured.Unstructured) error {
	id := manifest.IdentityOf(deleted)
	last := deleted
	see(ctx, id, last, true)
	pauses := cluster.AfterFailure(longestPauseOfWatch)
	for {
		seen, err := c.watchDeletion(ctx, id, last)
		if errors.Is(err, errGone) {
			return nil
		}
		if refusal := errorOf(ctx, id, err); endsWait(refusal) {
			return refusal
		}
		last = seen
		if !cluster.Pause(ctx, pauses.Step()) {
			return c.deletionBlocked(ctx, id, last)
		}
		now, err := c.Get(ctx, id)
		switch reason := cluster.ReasonOf(err); {
		// The server gives the name to another object only after it has removed the first one.
		case err == nil && now.GetUID() != last.GetUID():
			return nil
		case err == nil:
			last = now
		case cluster.IsGone(err):
			return nil
		case ctx.Err() != nil:
			return c.deletionBlocked(ctx, id, last)
		case reason != cluster.ReasonUnreachable && reason != cluster.ReasonServer:
			return err
		}
	}
}

var errGone = errors.New("the object is gone")

// watchDeletion watches until the object is gone, or the watch ends. It returns the object as it was seen last, and
// errGone if it is gone.
func (c *Client) watchDeletion(
	ctx context.Context,
	id manifest.Identity,
	last *unstructured.Unstructured,
) (*unstructured.Unstructured, error) {
	return c.watch(ctx, id, last, func(event watch.EventType, object *unstructured.Unstructured) error {
		if object.GetUID() != last.GetUID() || event == watch.Deleted {
			return errGone
		}
		return nil
	})
}

// deletionBlocked returns the error of a deletion that took too long, with the causes that its finalizers, conditions
// and pods show.
func (c *Client) deletionBlocked(ctx context.Context, id manifest.Identity, last *unstructured.Unstructured) error {
	ending := terminating.Of(ctx, c, last)
	message := "the server accepted the deletion but has not removed the object in time"
	if held := ending.String(); held != "" {
		message += ": " + held
	}
	return &cluster.Error{
		Reason: cluster.ReasonDeletionBlocked, Object: id, Message: message, Cause: ctx.Err(),
		Details: &cluster.DeletionBlockedError{Ending: ending},
	}
}
