package objectkit

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// start is what is known of the object from which a plan starts.
type start struct {
	state    *model.Model // nil for a new resource
	snapshot record.Snapshot
	// isGone is true for a Job that has run once and that the refresh has not found any more; see outdated.go.
	isGone bool
	// reread is true if the stored snapshot was lost, and the plan has read a new one.
	reread bool
	// seen is the object from which the apply has to start if the refresh could not read it; see outdated.go.
	seen *privatestate.Seen
	// version is the object in the API version of the plan, if that is not the version in the state; the zero value
	// otherwise.
	version record.Prior
}

// object returns the object of the state. The plan has read it before, so there is no error.
func (s start) object() manifest.Identity {
	id, _ := s.state.Object()
	return id
}

// changesVersion reports whether the plan changes the API version of the object, which stays the same object.
func (s start) changesVersion() bool {
	return s.version.Snapshot.Known() && s.version.Object != s.object()
}

// keepComputed plans the computed attributes as they are in the state, and id and object_ref in the API version of the
// plan. It returns prior in this version.
func (s start) keepComputed(plan *model.Model, prior record.Prior) record.Prior {
	plan.KeepComputed(s.state)
	if !s.changesVersion() {
		return prior
	}
	plan.SetObject(s.version.Object, s.version.Snapshot.UID)
	prior = prior.As(s.version.Object)
	prior.Live = s.version.Live
	return prior
}

// refreshed returns the object as the refresh of this process has read it; nil without one.
func refreshed(ctx context.Context, current *run.Run, prior record.Prior) map[string]any {
	live := current.Objects.TakeLive(prior.Snapshot.UID)
	if live != nil {
		cluster.See(ctx, prior.Object, live, true)
	}
	return live
}

// readAgain returns prior with the object that the refresh of this process has read and does not hold any more, because
// there were many others. It reads nothing for a plan that applies nothing. A plan without a refresh, and that of an
// apply, whose messages need no live values, only read the list items of which the snapshot has digests.
func readAgain(ctx context.Context, work engine.Work, prior record.Prior, applies bool) record.Prior {
	isRefreshed := work.Run.Rounds.Current() == run.FirstRound && !work.Run.Objects.Of(prior.Snapshot.UID).IsUnread
	if prior.Live != nil || !applies || !isRefreshed && !prior.Snapshot.HidesItems() {
		return prior
	}
	live, err := work.API.Get(ctx, prior.Object)
	switch {
	case err != nil || string(live.GetUID()) != prior.Snapshot.UID:
		return prior
	case !isRefreshed:
		return prior.Unmasked(live.Object)
	}
	cluster.See(ctx, prior.Object, live.Object, true)
	prior.Live = live.Object
	return prior
}
