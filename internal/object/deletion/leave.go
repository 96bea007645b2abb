package deletion

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
)

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
