package record

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
)

// InVersion returns the prior of the same object in the API version of id, and false if id names another object. In the
// same group, it is the same object. In another group, the uid decides. InVersion costs a GET, which also reads the
// live object as the messages of a plan show it. The snapshot stays as it was read, so that a prediction depends on
// nothing that other managers write since: fields that two versions have in common have the same paths.
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
