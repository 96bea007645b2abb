package deletion

import (
	"context"
	"errors"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// essential are the finalizers without which the server would do harm: it would delete what an object owns
// and is to leave, or keep the objects of a kind that is gone out of everybody's sight.
var essential = []string{metav1.FinalizerOrphanDependents, "customresourcecleanup.apiextensions.k8s.io"}

// Forced is the result of a deletion that removes finalizers.
type Forced struct {
	Deletion Deletion
	// Removed are the finalizers that were taken from the object; they may be set beside an error.
	Removed []string
}

// RemoveFinalizers removes what holds an object that Delete left with held, an error with ReasonDeletionBlocked, and
// waits until it is gone: a GET and a PATCH, both again where others write in between, a GET, and a watch
// where the object still lingers. Where there is nothing to remove, held is the error.
func RemoveFinalizers(ctx context.Context, api cluster.Interface, fieldManager string, id manifest.Identity, uid string, held error) (Forced, error) {
	pause := wait.Backoff{Duration: 10 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 1 << 20, Cap: time.Second}
	var forced Forced
	for {
		live, err := cluster.Get(ctx, api, id)
		switch {
		case cluster.IsGone(err):
			forced.Deletion = Removed
			return forced, nil
		case err != nil:
			return forced, err
		case string(live.GetUID()) != uid:
			forced.Deletion = Superseded
			return forced, nil
		case live.GetDeletionTimestamp() == nil:
			return forced, held
		}
		kept, removable := split(live.GetFinalizers())
		switch {
		case len(removable) == 0 && len(forced.Removed) == 0:
			return forced, held
		case len(removable) == 0:
			forced.Deletion = Removed
			return forced, api.AwaitDeletion(ctx, live)
		}
		at := id
		at.APIVersion = live.GetAPIVersion()
		_, err = api.Patch(ctx, at, cluster.Patch{
			FieldManager: fieldManager, ResourceVersion: live.GetResourceVersion(), Edits: []cluster.Edit{cluster.SetFinalizers(kept)},
		})
		switch {
		case err == nil:
			forced.Removed = append(forced.Removed, removable...)
			continue
		case cluster.ReasonOf(err) != cluster.ReasonConflict && !cluster.IsGone(err):
			return forced, unremoved(err)
		}
		select {
		case <-ctx.Done():
			return forced, &cluster.Error{Reason: cluster.ReasonTimeout, Object: id, Message: "others kept changing the object while the provider tried to remove its finalizers", Cause: ctx.Err()}
		case <-time.After(pause.Step()):
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
