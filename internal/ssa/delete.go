package ssa

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
)

// Removal says how an object is to be deleted.
type Removal struct {
	// UID is the object's; another object of its name is left alone.
	UID         string
	Propagation Propagation
}

// Propagation says what happens to the objects that an object owns, for example a Deployment's ReplicaSets,
// in the words of the API server.
type Propagation string

// The ways to delete an object that owns others.
const (
	// Background: the object goes at once, and what it owns after it.
	Background Propagation = "Background"
	// Foreground: the object goes once what it owns is gone.
	Foreground Propagation = "Foreground"
	// Orphan: what it owns stays.
	Orphan Propagation = "Orphan"
)

// Deletion is the result of a deletion.
type Deletion string

const (
	// Removed is a deletion after which the object is gone, now or since before.
	Removed Deletion = "Removed"
	// Released is an object that stays on the cluster, without our claims.
	Released Deletion = "Released"
	// Superseded is a deletion after which the object is gone, and another one of its name stands in its place and was left alone.
	Superseded Deletion = "Superseded"
)

// Delete removes the object and waits until the server has: one DELETE, and a watch where finalizers or a
// grace period hold the object. A GET confirms that one which the server says it does not have is gone, and
// tells whether one that it refuses to delete was recreated.
func Delete(ctx context.Context, cluster Cluster, id manifest.Identity, removal Removal) (Deletion, error) {
	terminating, err := cluster.Delete(ctx, id, removal)
	if elsewhere, is := servedElsewhere(id, err); is {
		id = elsewhere
		terminating, err = cluster.Delete(ctx, id, removal)
	}
	switch ReasonOf(err) {
	case ReasonNotFound, ReasonConflict:
		return superseded(ctx, cluster, id, removal.UID, err)
	}
	if IsGone(err) {
		return Removed, nil
	}
	if err == nil && terminating != nil {
		err = cluster.AwaitDeletion(ctx, terminating)
	}
	return Removed, err
}

// superseded explains a refusal: the object is gone, or the uid of the object is not the one that the
// server was asked for.
func superseded(ctx context.Context, cluster Cluster, id manifest.Identity, uid string, refusal error) (Deletion, error) {
	live, err := get(ctx, cluster, id)
	switch {
	case IsGone(err):
		return Removed, nil
	case err != nil:
		return "", err
	case string(live.GetUID()) != uid:
		return Superseded, nil
	case ReasonOf(refusal) == ReasonNotFound:
		return "", &Error{Reason: ReasonServer, Object: id, Message: "the server did not find the object to delete, but still has it", Cause: refusal}
	default:
		return "", refusal
	}
}

// get reads an object, in another version of its API where its own is not served any more.
func get(ctx context.Context, cluster Cluster, id manifest.Identity) (*unstructured.Unstructured, error) {
	live, err := cluster.Get(ctx, id)
	if elsewhere, is := servedElsewhere(id, err); is {
		return cluster.Get(ctx, elsewhere)
	}
	return live, err
}

// servedElsewhere returns an object in a version that serves its kind, where an error says that its own does not.
func servedElsewhere(id manifest.Identity, err error) (manifest.Identity, bool) {
	var e *Error
	if !errors.As(err, &e) || e.Reason != ReasonKindNotServed || len(e.ServedIn) == 0 {
		return id, false
	}
	id.APIVersion = e.ServedIn[0]
	return id, true
}
