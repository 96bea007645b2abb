package record

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/projection"
)

// defaultNamespace is where resources of other providers look for namespaced objects whose namespace they do not name.
const defaultNamespace = "default"

// IsMoved reports whether the state comes from another resource, and nobody has read the object since.
func (p Prior) IsMoved() bool { return p.Snapshot.Moved && !p.Snapshot.Known() }

// observeMoved reads an object whose state comes from another resource: one GET. What fieldManager owns counts as applied by
// us. What of it the body declares, and nobody else owns a part of, counts as added.
func observeMoved(ctx context.Context, api cluster.Interface, fieldManager string, prior Prior) (Observed, error) {
	id, err := cluster.Locate(ctx, api, prior.Object)
	if err != nil {
		return Observed{}, err
	}
	if prior.Object.Namespace == "" && id.Namespace != "" {
		id.Namespace = defaultNamespace
	}
	live, err := cluster.Get(ctx, api, id)
	if err != nil {
		return Observed{}, err
	}
	claims, err := ClaimsOf(id, live)
	if err != nil {
		return Observed{}, err
	}
	own := AsData(id, claims.Own(fieldManager))
	carried := prior.Snapshot
	carried.AppliedState, carried.Sensitive = lostState, prior.Settings.Sensitive
	observed, err := Describe(live, Observation{
		ID:           id,
		FieldManager: fieldManager,
		Fields:       KnownFields{Declared: own, Added: prior.brought(live.Object, own, claims.Others(fieldManager))},
		Carried:      carried,
		IsPart:       prior.Settings.IsPart,
	})
	observed.Snapshot.Moved = true
	if prior.isLive(live.Object, own) {
		observed.Snapshot.AppliedState = observed.Snapshot.LiveState
	}
	return observed, err
}

// brought returns those of own that the body in the state has and in which nobody else has a part: neither another manager,
// nor the server without an owner.
func (p Prior) brought(live map[string]any, own *paths.Set, others ownership.Claims) *paths.Set {
	foreign := others.Fields().Union(projection.Unowned(live, others.Fields().Union(own).Union(fixedFields(p.Object))))
	return paths.Filter(projection.WithValues(p.LastBody(), own), func(path paths.Path) bool { return !paths.Touches(foreign, path) })
}

// isLive reports whether what own holds of a live object is the body in the state.
func (p Prior) isLive(live map[string]any, own *paths.Set) bool {
	held := projection.Extract(live, projection.WithItemKeys(live, projection.WithValues(live, own)))
	text, err := manifest.Canonical(manifest.Identified(held, p.Object))
	return err == nil && text == p.Settings.Body
}
