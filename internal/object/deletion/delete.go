package deletion

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
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
