package record

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Reread returns the prior with the object as it is now, for a plan whose refresh did not get to the
// object: one GET. If the object is gone, or another object has its name now, cluster.IsGone is true for the error.
func (p Prior) Reread(ctx context.Context, api cluster.Interface, fieldManager string) (Prior, error) {
	observed, err := Observe(ctx, api, fieldManager, p)
	if err != nil {
		return p, err
	}
	if observed.UID != p.Snapshot.UID {
		return p, &cluster.Error{
			Reason: cluster.ReasonNotFound, Object: p.Object,
			Message: "another object has its name now: the uid was " + p.Snapshot.UID + " and is " + observed.UID,
		}
	}
	p.Shown, p.Snapshot, p.Live = observed.Shown, observed.Snapshot, observed.Live
	return p, nil
}

// GoneSinceRefresh returns the error of a plan that did not find the object, after a refresh that had not looked for
// it.
func GoneSinceRefresh(id manifest.Identity) *cluster.Error {
	return &cluster.Error{
		Reason: cluster.ReasonNotFound, Object: id, Message: "the object was deleted, and the refresh did not see that",
	}
}
