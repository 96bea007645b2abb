package kube

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/retry"
)

const (
	// watchFor is how long one watch lasts before a GET checks that it has not missed the end.
	watchFor = 5 * time.Minute
	// longestPauseOfWatch is between two watches.
	longestPauseOfWatch = 15 * time.Second
)

// errDone ends a watch that has seen what it waited for.
var errDone = errors.New("seen")

// Follow implements cluster.Interface. It is one watch from the object's resourceVersion. A watch that ends early, or that the
// server refuses, is followed by a GET and another watch.
func (c *Client) Follow(ctx context.Context, live *unstructured.Unstructured, visit func(*unstructured.Unstructured) bool) (cluster.Followed, error) {
	id, last := identityOf(live), live
	var followed cluster.Followed
	pauses := retry.AfterFailure(longestPauseOfWatch)
	for {
		seen, err := c.watch(ctx, id, last, func(event watch.EventType, object *unstructured.Unstructured) error {
			switch {
			case event == watch.Deleted || object.GetUID() != live.GetUID():
				return errGone
			case visit(object):
				return errDone
			}
			pauses = retry.AfterFailure(longestPauseOfWatch)
			return nil
		})
		if errors.Is(err, errDone) {
			return followed, nil
		}
		if refusal := errorOf(ctx, id, err); err != nil && refusal.Reason == cluster.ReasonForbidden {
			followed.Refusal = refusal
		}
		last = seen
		select {
		case <-ctx.Done():
			return followed, followedTooLong(id, ctx.Err())
		case <-time.After(pauses.Step()):
		}
		now, err := c.Get(ctx, id)
		switch reason := cluster.ReasonOf(err); {
		case err == nil && now.GetUID() != live.GetUID():
			message := "the object was deleted and created again in the meantime"
			return followed, &cluster.Error{Reason: cluster.ReasonConflict, Object: id, Message: message}
		case err == nil && visit(now):
			return followed, nil
		case err == nil:
			last = now
		case ctx.Err() != nil:
			return followed, followedTooLong(id, ctx.Err())
		case reason != cluster.ReasonUnreachable && reason != cluster.ReasonServer:
			return followed, err
		}
	}
}

func followedTooLong(id manifest.Identity, cause error) *cluster.Error {
	return &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "the timeout ran out", Cause: cause}
}

// watch watches one object from the resourceVersion of last until visit returns an error, or the watch ends. It returns the
// object as it was seen last, and what visit returned.
func (c *Client) watch(ctx context.Context, id manifest.Identity, last *unstructured.Unstructured, visit func(watch.EventType, *unstructured.Unstructured) error) (*unstructured.Unstructured, error) {
	served, err := c.discovery.resolve(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return last, err
	}
	path, err := c.collectionPath(served, id)
	if err != nil {
		return last, err
	}
	watcher, err := c.rest.Get().AbsPath(path...).
		Param("watch", "true").
		Param("fieldSelector", fields.OneTermEqualSelector("metadata.name", id.Name).String()).
		Param("resourceVersion", last.GetResourceVersion()).
		Param("timeoutSeconds", fmt.Sprint(int(watchFor.Seconds()))).
		Watch(ctx)
	if err != nil {
		return last, err
	}
	defer watcher.Stop()
	for {
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case event, open := <-watcher.ResultChan():
			object, isObject := event.Object.(*unstructured.Unstructured)
			if !open || !isObject || event.Type == watch.Error {
				return last, nil
			}
			if err := visit(event.Type, object); err != nil {
				return last, err
			}
			last = object
		}
	}
}
