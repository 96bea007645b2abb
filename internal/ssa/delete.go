package ssa

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Deletion is what became of an object that was to be deleted.
type Deletion string

const (
	// Removed is a deletion after which the object is gone, now or since before.
	Removed Deletion = "Removed"
	// Superseded is a deletion after which the object is gone, and another one of its name stands in its place and was left alone.
	Superseded Deletion = "Superseded"
)

// Delete removes the object with this uid and waits until the server has: one DELETE, and a watch where
// finalizers or a grace period hold the object. An object that is gone, or whose kind is, is removed; a GET
// tells whether one that the server refuses to delete was created anew.
func Delete(ctx context.Context, cluster Cluster, id manifest.Identity, uid string) (Deletion, error) {
	terminating, err := cluster.Delete(ctx, id, uid)
	switch ReasonOf(err) {
	case ReasonNotFound, ReasonKindNotServed:
		return Removed, nil
	case ReasonConflict:
		return superseded(ctx, cluster, id, uid, err)
	}
	if err == nil && terminating != nil {
		err = cluster.AwaitDeletion(ctx, terminating)
	}
	return Removed, err
}

// superseded explains a refusal: the uid of the object is not the one that the server was asked for.
func superseded(ctx context.Context, cluster Cluster, id manifest.Identity, uid string, refusal error) (Deletion, error) {
	live, err := get(ctx, cluster, id)
	switch {
	case ReasonOf(err) == ReasonNotFound:
		return Removed, nil
	case err != nil:
		return "", err
	case string(live.GetUID()) == uid:
		return "", refusal
	default:
		return Superseded, nil
	}
}
