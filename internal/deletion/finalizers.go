package deletion

import (
	"context"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/retry"
)

// essential are the finalizers without which the server would do harm: it would delete what an object owns
// and is to leave, or keep the objects of a kind that is gone out of everybody's sight.
var essential = []string{metav1.FinalizerOrphanDependents, "customresourcecleanup.apiextensions.k8s.io"}

// Held is an object that Delete left.
type Held struct {
	Object manifest.Identity
	UID    string
	// FieldManager writes the finalizers that stay.
	FieldManager string
	// Failure is what Delete failed with, an error with ReasonDeletionBlocked.
	Failure error
}

// Forced is the result of a deletion that removes finalizers.
type Forced struct {
	Deletion Deletion
	// Removed are the finalizers that were taken from the object; they may be set beside an error.
	Removed []string
}

// longestPause is between two attempts to write what others write too.
const longestPause = time.Second

// RemoveFinalizers removes what holds an object, and waits until it is gone: a GET and a PATCH, both again where others
// write in between, a GET, and a watch where the object still lingers. Where there is nothing to remove, the error is
// that of the deletion.
func RemoveFinalizers(ctx context.Context, api cluster.Interface, held Held) (Forced, error) {
	var forced Forced
	var failed error
	ended := retry.Do(ctx, retry.AfterConflict(longestPause), func(time.Duration) (again bool) {
		again, failed = held.remove(ctx, api, &forced)
		return again
	})
	if ended != nil {
		return forced, &cluster.Error{Reason: cluster.ReasonTimeout, Object: held.Object, Message: "others kept changing the object while the provider tried to remove its finalizers", Cause: ended}
	}
	return forced, failed
}

// remove removes the finalizers that the object has, until it is gone or somebody writes in between, which is again.
func (h Held) remove(ctx context.Context, api cluster.Interface, forced *Forced) (again bool, err error) {
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
			return false, api.AwaitDeletion(ctx, live)
		}
		at := h.Object
		at.APIVersion = live.GetAPIVersion()
		_, err = api.Patch(ctx, at, cluster.Patch{
			FieldManager: h.FieldManager, ResourceVersion: live.GetResourceVersion(), Edits: []cluster.Edit{cluster.SetFinalizers(kept)},
		})
		switch {
		case err == nil:
			forced.Removed = append(forced.Removed, removable...)
		case cluster.ReasonOf(err) == cluster.ReasonConflict || cluster.IsGone(err):
			return true, nil
		default:
			return false, unremoved(err)
		}
	}
}

// split parts finalizers into those that are kept, never nil, and those that may be removed.
func split(finalizers []string) (kept, removable []string) {
	kept = []string{}
	for _, finalizer := range finalizers {
		if slices.Contains(essential, finalizer) {
			kept = append(kept, finalizer)
			continue
		}
		removable = append(removable, finalizer)
	}
	return kept, removable
}

// unremoved says of an error what was being done.
func unremoved(err error) error {
	var e *cluster.Error
	if !errors.As(err, &e) {
		return err
	}
	failed := *e
	failed.Message = "its finalizers could not be removed: " + e.Message
	return &failed
}
