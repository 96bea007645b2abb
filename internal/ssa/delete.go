package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Delete removes the object with this uid and waits until the server has: one DELETE, and a watch where
// finalizers or a grace period hold the object. An object that is gone, or whose kind is, is deleted.
func Delete(ctx context.Context, cluster Cluster, id manifest.Identity, uid string) error {
	terminating, err := cluster.Delete(ctx, id, uid)
	switch ReasonOf(err) {
	case ReasonNotFound, ReasonKindNotServed:
		return nil
	}
	if err != nil || terminating == nil {
		return err
	}
	return cluster.AwaitDeletion(ctx, terminating)
}
