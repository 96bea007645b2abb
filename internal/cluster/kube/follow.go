package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

const (
	// watchFor is how long one watch lasts before a GET checks that it has not missed the end.
	watchFor = 5 * time.Minute
	// longestPauseOfWatch is the longest pause between two watches.
	longestPauseOfWatch = 15 * time.Second
)

var (
	// errDone ends a watch that has seen what it waited for.
	errDone = errors.New("seen")
	// errGone ends a watch of an object that does not exist any more.
	errGone = errors.New("the object is gone")
)

// Follow implements cluster.Interface. It is one watch from the object's resourceVersion. A watch that ends early, or
// that the server refuses, is followed by a GET and another watch.
func (c *Client) Follow(
	ctx context.Context, live *unstructured.Unstructured, visit func(*unstructured.Unstructured) bool,
) (cluster.Followed, error) {
	f := follower{client: c, id: manifest.IdentityOf(live), uid: live.GetUID(), last: live, visit: visit}
	err := f.follow(ctx)
	return f.followed, err
}

// FollowName implements cluster.Interface. It sends what Follow sends. A watch without a resourceVersion begins with
// the object if there is one.
func (c *Client) FollowName(
	ctx context.Context, id manifest.Identity, live *unstructured.Unstructured,
	visit func(*unstructured.Unstructured) bool,
) (cluster.Followed, error) {
	f := follower{client: c, id: id, last: live, visit: visit}
	err := f.follow(ctx)
	return f.followed, err
}

// follower follows an object, or successive objects of one name.
type follower struct {
	client *Client
	id     manifest.Identity
	// uid is the object's; "" for any object of the name.
	uid types.UID
	// last is the newest version of the object, from which the next watch starts; nil if the object does not exist.
	last     *unstructured.Unstructured
	visit    func(*unstructured.Unstructured) bool
	followed cluster.Followed
	// noCredentials is the error of a credential plugin that fails since failing; nil while it does not.
	noCredentials error
	failing       time.Time
}

// follow watches and reads until see returns an error: nil if visit has seen what it waited for.
func (f *follower) follow(ctx context.Context) error {
	pauses := cluster.AfterFailure(longestPauseOfWatch)
	for {
		seen, err := f.client.watch(ctx, f.id, f.last,
			func(event watch.EventType, object *unstructured.Unstructured) error {
				if event == watch.Deleted {
					object = nil
				}
				err := f.see(object)
				if err == nil {
					pauses = cluster.AfterFailure(longestPauseOfWatch)
				}
				return err
			})
		if errors.Is(err, errDone) {
			return nil
		}
		if refusal := errorOf(ctx, f.id, err); err != nil && refusal.Reason == cluster.ReasonForbidden {
			f.followed.Refusal = refusal
		} else if endsWait(refusal) {
			return refusal
		}
		f.last = seen
		if !cluster.Pause(ctx, pauses.Step()) {
			return f.tooLong(ctx)
		}
		switch err := f.read(ctx); {
		case errors.Is(err, errDone):
			return nil
		case err != nil:
			return err
		}
	}
}

// see hands over the present object, or nil if it does not exist. It returns errDone when visit is done, and errGone
// where the object is not the one that is followed.
func (f *follower) see(now *unstructured.Unstructured) error {
	switch {
	case f.uid != "" && (now == nil || now.GetUID() != f.uid):
		// Not the end of follow: the GET after the watch tells a deleted object from one that was created again.
		return errGone
	case f.visit(now):
		return errDone
	default:
		return nil
	}
}

// read sends a GET between two watches. It returns the errors of see, and those of the GET that do not pass by waiting.
func (f *follower) read(ctx context.Context) error {
	now, err := f.client.Get(ctx, f.id)
	reason := cluster.ReasonOf(err)
	switch {
	case reason != cluster.ReasonCredentials:
		f.noCredentials = nil
	case f.noCredentials == nil:
		f.failing = time.Now()
		fallthrough
	default:
		f.noCredentials = err
	}
	switch {
	case err == nil:
		f.last = now
		if err := f.see(now); !errors.Is(err, errGone) {
			return err
		}
		return &cluster.Error{
			Reason: cluster.ReasonConflict, Object: f.id,
			Message: "the object was deleted and created again in the meantime",
		}
	case reason == cluster.ReasonNotFound && f.uid == "":
		f.last = nil
		return f.see(nil)
	case ctx.Err() != nil:
		return f.tooLong(ctx)
	case reason == cluster.ReasonCredentials && time.Since(f.failing) < duringOutage:
		return nil
	case reason != cluster.ReasonUnreachable && reason != cluster.ReasonServer:
		return err
	default:
		return nil
	}
}

// endsWait reports whether the failure of a watch is not worth another one.
func endsWait(failed *cluster.Error) bool {
	return failed != nil && failed.Reason == cluster.ReasonRedirected
}

// tooLong returns the error of a wait that ends with ctx.
func (f *follower) tooLong(ctx context.Context) error {
	if f.noCredentials != nil {
		return f.noCredentials
	}
	return &cluster.Error{Reason: cluster.ReasonTimeout, Object: f.id, Message: "the timeout ran out", Cause: ctx.Err()}
}

// watch watches one object until visit returns an error, or the watch ends. It starts from the resourceVersion of last,
// or, if last is nil, from what exists now. It returns the newest version of the object, and the error of visit.
func (c *Client) watch(
	ctx context.Context, id manifest.Identity, last *unstructured.Unstructured,
	visit func(watch.EventType, *unstructured.Unstructured) error,
) (*unstructured.Unstructured, error) {
	served, err := c.discovery.resolve(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return last, err
	}
	path, err := c.collectionPath(served, id)
	if err != nil {
		return last, err
	}
	request := c.rest.Get().AbsPath(path...).
		Param("watch", "true").
		Param("fieldSelector", fields.OneTermEqualSelector("metadata.name", id.Name).String()).
		Param("timeoutSeconds", fmt.Sprint(int(watchFor.Seconds())))
	want := c.expect(http.MethodGet, served, id)
	if last != nil {
		request = request.Param("resourceVersion", last.GetResourceVersion())
	}
	watcher, err := request.Watch(connect.Sending(ctx, id.String()))
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
			// An error event, for example 410 for an expired resourceVersion, refuses nothing: the GET that follows has
			// a new one.
			if !open || !isObject || event.Type == watch.Error {
				return last, nil
			}
			if want.isAnother(object) {
				continue
			}
			cluster.Log(ctx).V(cluster.Steps).Info(fmt.Sprintf("Watch %s %s version %s generation %d", id, event.Type,
				object.GetResourceVersion(), object.GetGeneration()))
			see(ctx, id, object, true)
			if err := visit(event.Type, object); err != nil {
				return last, err
			}
			last = object
		}
	}
}
