package deletion

import (
	"context"
	"errors"
	"time"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Blocked is an object that Delete could not remove, because finalizers block it.
type Blocked struct {
	Object manifest.Identity
	UID    string
	// FieldManager writes the finalizers that stay.
	FieldManager string
	// Failure is the error of [Delete], with ReasonDeletionBlocked.
	Failure error
}

// Forced is the result of a deletion that removes finalizers.
type Forced struct {
	Deletion Deletion
	// Removed are the finalizers that were removed from the object. It may be set together with an error.
	Removed []string
}

// longestPause is the longest time between two attempts to write an object that other clients write too.
const longestPause = time.Second

// RemoveFinalizers removes the finalizers of an object, and waits until it is gone: a GET and a PATCH, both again if
// another client writes in between, a GET, and a watch if the object still exists. If there is nothing to remove, it
// returns the error of the deletion.
func RemoveFinalizers(ctx context.Context, api cluster.Interface, held Blocked) (Forced, error) {
	var forced Forced
	var failed error
	ended := cluster.Retry(ctx, cluster.AfterConflict(longestPause), func(time.Duration) (again bool) {
		again, failed = held.remove(ctx, api, &forced)
		return again
	})
	if ended != nil {
		return forced, &cluster.Error{
			Reason: cluster.ReasonTimeout, Object: held.Object,
			Message: "others kept changing the object while the provider tried to remove its finalizers", Cause: ended,
		}
	}
	return forced, failed
}

// remove removes the finalizers of the object, until it is gone. again is true if another client wrote in between.
func (h Blocked) remove(ctx context.Context, api cluster.Interface, forced *Forced) (again bool, err error) {
	for {
		live, err := cluster.Get(ctx, api, h.Object)
		switch {
		case cluster.IsGone(err):
			forced.Deletion = Removed
			return false, nil
		case err != nil:
			return false, err
		case string(live.GetUID()) != h.UID:
			forced.Deletion = Superseded
			return false, nil
		case live.GetDeletionTimestamp() == nil:
			return false, h.Failure
		}
		kept, removable := split(live.GetFinalizers())
		switch {
		case len(removable) == 0 && len(forced.Removed) == 0:
			return false, h.Failure
		case len(removable) == 0:
			forced.Deletion = Removed
			return false, await(ctx, api, live)
		}
		at := h.Object
		// The version of the state may not be served any more, and the GET has used another one then.
		at.APIVersion = live.GetAPIVersion()
		_, err = api.Patch(ctx, at, cluster.Patch{
			FieldManager: h.FieldManager, ResourceVersion: live.GetResourceVersion(),
			Edits: []cluster.Edit{cluster.SetFinalizers(kept)},
		})
		switch {
		case err == nil:
			// The next read shows whether the object is gone.
			forced.Removed = append(forced.Removed, removable...)
		// Another client wrote to the object or removed it: read it again.
		case cluster.ReasonOf(err) == cluster.ReasonConflict || cluster.IsGone(err):
			return true, nil
		default:
			return false, unremoved(err)
		}
	}
}

// split returns the finalizers that are kept, never nil, and those that may be removed.
func split(finalizers []string) (kept, removable []string) {
	kept = []string{}
	for _, finalizer := range finalizers {
		if cluster.IsEssential(finalizer) {
			kept = append(kept, finalizer)
			continue
		}
		removable = append(removable, finalizer)
	}
	return kept, removable
}

// unremoved returns err with a message that the finalizers could not be removed.
func unremoved(err error) error {
	var e *cluster.Error
	if !errors.As(err, &e) {
		return err
	}
	failed := *e
	failed.Message = "its finalizers could not be removed: " + e.Message
	return &failed
}
