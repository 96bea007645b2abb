package ssa

import (
	"context"
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
)

// Reread returns the prior as the object is now, for a plan whose refresh did not get to the object: one
// GET. An object that is gone is an error that IsGone, and so is one whose name another object has now.
func (p Prior) Reread(ctx context.Context, cluster Cluster, fieldManager string) (Prior, error) {
	observed, err := Observe(ctx, cluster, fieldManager, p)
	if err != nil {
		return p, err
	}
	if observed.UID != p.Snapshot.UID {
		return p, &Error{
			Reason: ReasonNotFound, Object: p.Object,
			Message: "another object has its name now: the uid was " + p.Snapshot.UID + " and is " + observed.UID,
		}
	}
	p.View, p.ManagedState, p.Snapshot, p.Live = observed.View, observed.ManagedState, observed.Snapshot, observed.Live
	return p, nil
}

// PlansAlike reports whether a plan from p and one from other foresee the same: everything but the times of
// writes is equal.
func (p Prior) PlansAlike(other Prior) bool {
	return sameView(p.View, other.View) && maps.Equal(p.ManagedState, other.ManagedState) &&
		maps.Equal(p.Snapshot.Values, other.Snapshot.Values) &&
		slices.EqualFunc(p.Snapshot.Managers, other.Snapshot.Managers, sameEntry)
}

func sameEntry(a, b metav1.ManagedFieldsEntry) bool {
	a.Time, b.Time = nil, nil
	return reflect.DeepEqual(a, b)
}

func sameView(a, b ownership.View) bool {
	return maps.Equal(a.FieldOwnership, b.FieldOwnership) && maps.EqualFunc(a.CoOwners, b.CoOwners, slices.Equal)
}

// Recorded returns the prior with the owners that the last apply left, where the state shows those that its
// plan had promised instead.
func (p Prior) Recorded() Prior {
	if p.Snapshot.Unshown != nil {
		p.View = *p.Snapshot.Unshown
	}
	return p
}

// Unshown returns the owners that an object has where the state shows others; nil where it shows them.
func Unshown(shown, actual ownership.View) *ownership.View {
	if sameView(shown, actual) {
		return nil
	}
	return &actual
}

// GoneSinceRefresh returns the error of a plan whose object is gone although the refresh did not report that.
func GoneSinceRefresh(id manifest.Identity) *Error {
	return &Error{Reason: ReasonNotFound, Object: id, Message: "the object was deleted, and the refresh did not see that"}
}
