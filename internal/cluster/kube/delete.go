package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/retry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Delete implements cluster.Interface.
func (c *Client) Delete(ctx context.Context, id manifest.Identity, removal cluster.Removal) (*unstructured.Unstructured, error) {
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
	return grace != nil && *grace == 0 && len(finalizersOf(object)) == 0
}

// finalizersOf returns the finalizers of an object, and those that a namespace has in its spec.
func finalizersOf(object *unstructured.Unstructured) []string {
	finalizers := object.GetFinalizers()
	if isNamespace(identityOf(object)) {
		inSpec, _, _ := unstructured.NestedStringSlice(object.Object, "spec", "finalizers")
		finalizers = append(finalizers, inSpec...)
	}
	return finalizers
}

func identityOf(object *unstructured.Unstructured) manifest.Identity {
	return manifest.Identity{
		APIVersion: object.GetAPIVersion(),
		Kind:       object.GetKind(),
		Namespace:  object.GetNamespace(),
		Name:       object.GetName(),
	}
}

// AwaitDeletion implements cluster.Interface. It is one watch from the terminating object's resourceVersion; a watch
// that ends early, or that the server refuses, is followed by a GET and another watch. The error is a *cluster.Error
// with ReasonDeletionBlocked, which names what blocks the deletion, or the error of the GET.
func (c *Client) AwaitDeletion(ctx context.Context, terminating *unstructured.Unstructured) error {
	id := identityOf(terminating)
	last := terminating
	see(ctx, id, last, true)
	pauses := retry.AfterFailure(longestPauseOfWatch)
	for {
		seen, err := c.watchDeletion(ctx, id, last)
		if errors.Is(err, errGone) {
			return nil
		}
		if refusal := errorOf(ctx, id, err); endsWait(refusal) {
			return refusal
		}
		last = seen
		select {
		case <-ctx.Done():
			return deletionBlocked(ctx, id, last)
		case <-time.After(pauses.Step()):
		}
		now, err := c.Get(ctx, id)
		switch reason := cluster.ReasonOf(err); {
		case err == nil && now.GetUID() != last.GetUID():
			return nil
		case err == nil:
			last = now
		case cluster.IsGone(err):
			return nil
		case ctx.Err() != nil:
			return deletionBlocked(ctx, id, last)
		case reason != cluster.ReasonUnreachable && reason != cluster.ReasonServer:
			return err
		}
	}
}

var errGone = errors.New("the object is gone")

// watchDeletion watches until the object is gone, or the watch ends. It returns the object as it was seen last, and
// errGone if it is gone.
func (c *Client) watchDeletion(ctx context.Context, id manifest.Identity, last *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	return c.watch(ctx, id, last, func(event watch.EventType, object *unstructured.Unstructured) error {
		if object.GetUID() != last.GetUID() || event == watch.Deleted {
			return errGone
		}
		return nil
	})
}

// deletionBlocked returns the error of a deletion that took too long, with what the object itself says about it.
func deletionBlocked(ctx context.Context, id manifest.Identity, last *unstructured.Unstructured) *cluster.Error {
	var held []string
	if finalizers := finalizersOf(last); len(finalizers) > 0 {
		held = append(held, "it still has the finalizers "+strings.Join(finalizers, ", "))
	}
	if grace := last.GetDeletionGracePeriodSeconds(); grace != nil && *grace > 0 {
		held = append(held, fmt.Sprintf("it has a grace period of %d s", *grace))
	}
	for _, condition := range conditionsOf(last) {
		head, said, found := strings.Cut(condition, ": ")
		if found {
			head += ": " + cluster.Show(ctx, id, cluster.RemarkOn(id, said))
		}
		held = append(held, head)
	}
	message := "the server accepted the deletion but has not removed the object in time"
	if len(held) > 0 {
		message += ": " + strings.Join(held, "; ")
	}
	return &cluster.Error{Reason: cluster.ReasonDeletionBlocked, Object: id, Message: message, Cause: ctx.Err()}
}

// shownConditions is how many conditions of an object an error shows.
const shownConditions = 5

// conditionsOf returns the first conditions of an object, "Ready=False (Stuck): the message". The conditions of a
// namespace say what could not be deleted, and nothing if they are false.
func conditionsOf(object *unstructured.Unstructured) []string {
	var texts []string
	conditions, _, _ := unstructured.NestedSlice(object.Object, "status", "conditions")
	for _, entry := range conditions {
		condition, _ := entry.(map[string]any)
		name, _ := condition["type"].(string)
		status, _ := condition["status"].(string)
		if name == "" || isNamespace(identityOf(object)) && status != "True" {
			continue
		}
		texts = append(texts, conditionText(name, status, condition))
	}
	if more := len(texts) - shownConditions; more > 0 {
		texts = append(texts[:shownConditions], fmt.Sprintf("and %d more", more))
	}
	return texts
}

func conditionText(name, status string, condition map[string]any) string {
	text := name + "=" + status
	if reason, _ := condition["reason"].(string); reason != "" {
		text += " (" + reason + ")"
	}
	if message, _ := condition["message"].(string); message != "" {
		text += ": " + strings.TrimRight(strings.TrimSpace(message), ".")
	}
	return text
}
