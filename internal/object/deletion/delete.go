// Package deletion ends the management of an object by a resource: [Delete] deletes the object, [RemoveFinalizers]
// removes the finalizers that hold it, and [Leave] gives up our claims and leaves it.
//
// # Deletion
//
// An object counts as gone only if the API server itself reports it. Package kube decides that. If a deletion takes
// longer than timeouts.delete, the error has ReasonDeletionBlocked, with the details that the object itself contains.
//
// force_destroy continues from there, with a minute of its own. A JSON patch removes metadata.finalizers, guarded by
// resourceVersion. No client can add a finalizer back, because the server refuses new ones on an object that is being
// deleted. Some finalizers stay, because without them the server would do harm:
//
//   - orphan, or the garbage collector would delete the dependents that have to stay;
//   - customresourcecleanup.apiextensions.k8s.io, or objects would stay in etcd, where no client sees them;
//   - spec.finalizers of a namespace, for the same reason.
//
// With on_destroy = "release" a destroy gives up our claims by a JSON patch and leaves the object. With "hand_over" the
// same patch gives them to the successor, under whose name they are what its own applies would have made.
package deletion

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// Deletion is the result of a deletion.
type Deletion string

const (
	// Removed is a deletion after which the object is gone, by this deletion or an earlier one.
	Removed Deletion = "Removed"
	// Released is an object that stays on the cluster, without our claims.
	Released Deletion = "Released"
	// Superseded is a deletion after which the object is gone, and its name belongs to another object. The other object
	// is unchanged.
	Superseded Deletion = "Superseded"
)

// Delete deletes the object and waits until it is gone: one DELETE, and a watch if finalizers or a grace period hold
// the object. If the server does not find the object, or refuses the DELETE with a conflict, a GET shows whether the
// object is gone or was recreated.
func Delete(
	ctx context.Context, api cluster.Interface, id manifest.Identity, removal cluster.Removal,
) (Deletion, error) {
	terminating, err := api.Delete(ctx, id, removal)
	if elsewhere, is := cluster.ServedElsewhere(id, err); is {
		id = elsewhere
		terminating, err = api.Delete(ctx, id, removal)
	}
	switch cluster.ReasonOf(err) {
	case cluster.ReasonNotFound, cluster.ReasonConflict:
		return Confirm(ctx, api, id, removal.UID, err)
	}
	if cluster.IsGone(err) {
		return Removed, nil
	}
	if err == nil && terminating != nil {
		back, _ := run.LeaveTurn(ctx)
		defer back()
		err = await(ctx, api, terminating)
	}
	return Removed, err
}

// await waits until the server has removed a terminating object, and shows in the log that it does.
func await(ctx context.Context, api cluster.Interface, terminating *unstructured.Unstructured) error {
	what := "the deletion of " + manifest.IdentityOf(terminating).String()
	defer cluster.Reporting(ctx, what, func() string { return "" })()
	return api.AwaitDeletion(ctx, terminating)
}

// Confirm returns the result for the object with this uid, after the server has reported that it is gone or was
// recreated: one GET. If the object still exists, it returns the refusal as an error.
func Confirm(
	ctx context.Context, api cluster.Interface, id manifest.Identity, uid string, refusal error,
) (Deletion, error) {
	live, err := cluster.Get(ctx, api, id)
	switch {
	case cluster.IsGone(err):
		return Removed, nil
	case err != nil:
		return "", err
	case string(live.GetUID()) != uid:
		return Superseded, nil
	case cluster.IsGone(refusal):
		return "", &cluster.Error{
			Reason: cluster.ReasonServer, Object: id, Message: "the server did not find the object, but still has it",
			Cause: refusal,
		}
	default:
		return "", refusal
	}
}

// DestroyPolicy determines what happens to an object whose resource is destroyed.
type DestroyPolicy string

// The policies, as in the configuration.
const (
	// DeleteObject deletes it.
	DeleteObject DestroyPolicy = "delete"
	// ReleaseObject leaves it on the cluster, without our claims.
	ReleaseObject DestroyPolicy = "release"
	// HandOverObject leaves it on the cluster, with a successor that owns what we owned.
	HandOverObject DestroyPolicy = "hand_over"
)

// Leaving describes an object that is left on the cluster.
type Leaving struct {
	Object            manifest.Identity
	UID, FieldManager string
	// Successor is the manager that gets our claims. Without one, they end.
	Successor string
}

// Leave gives up the claims of our field manager on an object, those by updates too, and changes no value: one GET and
// one PATCH, the GET alone if it owns nothing, and one GET more if the server does not find the object. It returns
// Superseded for an object with another uid, which it does not change, and Removed for an object that is gone.
func Leave(ctx context.Context, api cluster.Interface, left Leaving) (Deletion, error) {
	id, uid, fieldManager := left.Object, left.UID, left.FieldManager
	live, err := cluster.Get(ctx, api, id)
	switch {
	case cluster.IsGone(err):
		return Confirm(ctx, api, id, uid, err)
	case err != nil:
		return "", err
	case string(live.GetUID()) != uid:
		return Superseded, nil
	}
	_, err = record.RewriteClaims(ctx, api, id, live, func(claims ownership.Claims) ownership.Rewrite {
		if left.Successor != "" {
			return record.Succeed(claims, fieldManager, left.Successor)
		}
		return ownership.Rewrite{
			Manager: fieldManager, Release: claims.Own(fieldManager),
			// The server may fill in again a field that a request of ours removes, and makes us its owner.
			TakeOver: []string{fieldManager}, Removed: claims.Updated(fieldManager), Tracks: true,
		}
	})
	if cluster.IsGone(err) {
		return Confirm(ctx, api, id, uid, err)
	}
	return Released, err
}

// HandOver leaves the object to the create half of the replacement whose destroy half it is: the claim of fieldManager
// gets the name [record.HandedOver], and no value changes. It costs one GET and one PATCH, and returns a conflict for
// an object with another uid, and an error for which cluster.IsGone is true for an object that is gone.
func HandOver(ctx context.Context, api cluster.Interface, prior record.Prior) error {
	live, err := prior.Read(ctx, api)
	if err != nil {
		return err
	}
	_, err = record.RewriteClaims(ctx, api, prior.Object, live, func(ownership.Claims) ownership.Rewrite {
		return record.HandOver(prior.Arguments.FieldManager)
	})
	return err
}
