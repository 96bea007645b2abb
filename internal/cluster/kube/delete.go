package kube

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Delete implements cluster.Interface.
func (c *Client) Delete(
	ctx context.Context, id manifest.Identity, removal cluster.Removal,
) (*unstructured.Unstructured, error) {
	served, path, err := c.resolve(ctx, id)
	if err != nil {
		return nil, c.confirmUnserved(ctx, id, err)
	}
	policy := metav1.DeletionPropagation(removal.Propagation)
	options := metav1.DeleteOptions{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"}, PropagationPolicy: &policy,
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

// AwaitDeletion implements cluster.Interface. It follows the terminating object. The error is a *cluster.Error with
// ReasonDeletionBlocked, which names what blocks the deletion, or the error that ended the watches and the GETs.
func (c *Client) AwaitDeletion(ctx context.Context, deleted *unstructured.Unstructured) error {
	id, last := manifest.IdentityOf(deleted), deleted
	see(ctx, id, last, true)
	_, err := c.FollowName(ctx, id, last, func(now *unstructured.Unstructured) bool {
		// The server gives the name to another object only after it has removed the first one.
		if now == nil || now.GetUID() != deleted.GetUID() {
			return true
		}
		last = now
		return false
	})
	switch {
	case err == nil, cluster.IsGone(err):
		return nil
	case ctx.Err() != nil:
		return c.deletionBlocked(ctx, id, last)
	default:
		return err
	}
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
