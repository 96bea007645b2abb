package deletion

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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
)

// Leave gives up the claims of fieldManager on an object, and changes no value: one GET and one PATCH, the GET alone if
// it owns nothing, and one GET more if the server does not find the object. It returns Superseded for an object with
// another uid, which it does not change, and Removed for an object that is gone.
func Leave(ctx context.Context, api cluster.Interface, id manifest.Identity, uid, fieldManager string) (Deletion, error) {
	live, err := cluster.Get(ctx, api, id)
	switch {
	case cluster.IsGone(err):
		return Confirm(ctx, api, id, uid, err)
	case err != nil:
		return "", err
	case string(live.GetUID()) != uid:
		return Superseded, nil
	}
	_, err = record.Disclaim(ctx, api, id, live, fieldManager)
	if cluster.IsGone(err) {
		return Confirm(ctx, api, id, uid, err)
	}
	return Released, err
}
