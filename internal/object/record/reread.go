package record

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/terminating"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// Reread returns the prior with the object as it is now, for a plan whose refresh did not get to the object: one GET.
// If the object is gone, or if its name belongs to another object now, cluster.IsGone is true for the error.
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

// Sameness reports whether two connections lead to the same object.
type Sameness string

// The results of Identical.
const (
	SameObject    Sameness = "SameObject"
	AnotherObject Sameness = "AnotherObject"
)

// Identical reports whether cluster has the object of prior: one GET. If the object is missing or has
// another uid, the connection leads to another object, on another cluster.
func Identical(ctx context.Context, api cluster.Interface, prior Prior) (Sameness, error) {
	live, err := cluster.Get(ctx, api, prior.Object)
	switch {
	case cluster.IsGone(err):
		return AnotherObject, nil
	case err != nil:
		return "", err
	case string(live.GetUID()) == prior.Snapshot.UID:
		return SameObject, nil
	default:
		return AnotherObject, nil
	}
}

// InVersion returns the prior of the same object in the API version of id, and false if id names another object. In the
// same group, it is the same object. In another group, the uid decides. InVersion costs a GET, which also reads the
// live object as the messages of a plan show it. The snapshot is not read again: predictions must not depend on later
// writes of other managers, and fields that both versions contain have the same paths.
func (p Prior) InVersion(ctx context.Context, api cluster.Interface, id manifest.Identity) (Prior, bool, error) {
	if !id.DiffersInVersion(p.Object) {
		return p, false, nil
	}
	live, err := api.Get(ctx, id)
	isGone := cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonKindNotServed && p.IsInGroup(id)
	switch {
	case err == nil && string(live.GetUID()) == p.Snapshot.UID:
		p.Live = live.Object
	case err != nil && !isGone:
		return p, false, err
	case !p.IsInGroup(id):
		return p, false, nil
	default:
		p.Live = nil // The dry-run shows what is wrong, if the run does not change the definition.
	}
	return p.As(id), true, nil
}

// IsInGroup reports whether id names the same object in another version of the same group.
func (p Prior) IsInGroup(id manifest.Identity) bool {
	return id.DiffersInVersion(p.Object) && id.Group() == p.Object.Group()
}

// As returns the prior of the same object under another identity.
func (p Prior) As(id manifest.Identity) Prior {
	p.Object, p.Snapshot.Object = id, id
	return p
}

// Leaving returns the refusal of a create that has to wait until a live object of its name is gone; nil for an object
// that is not being deleted. It sends what [terminating.Of] sends.
func Leaving(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured) error {
	if live.GetDeletionTimestamp() == nil {
		return nil
	}
	ending := terminating.Of(ctx, api, live)
	return &cluster.Error{
		Reason: cluster.ReasonNotYetAdmitted, Object: id, Message: "an object of this name is being deleted",
		Details: &cluster.NotYetAdmittedError{Awaited: id.String(), Problem: "is being deleted", Ending: &ending},
	}
}

// Ending returns what the object reports about its end, and false unless another client has deleted it. It sends what
// [terminating.Of] sends.
func (o Observed) Ending(ctx context.Context, api cluster.Interface) (cluster.Ending, bool) {
	live := &unstructured.Unstructured{Object: o.Live}
	if live.GetDeletionTimestamp() == nil {
		return cluster.Ending{}, false
	}
	return terminating.Of(ctx, api, live), true
}
