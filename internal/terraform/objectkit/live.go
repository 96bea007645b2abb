package objectkit

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
)

// refreshed returns the object as the refresh of this process has read it; nil without one.
func refreshed(ctx context.Context, current *run.Run, prior record.Prior) map[string]any {
	live := current.Refreshed.TakeOut(prior.Snapshot.UID)
	if live != nil {
		cluster.See(ctx, prior.Object, live, true)
	}
	return live
}

// readAgain returns prior with the object that the refresh of this process has read and does not hold any more, because
// there were many others. It reads nothing for a plan that applies nothing. A plan without a refresh, and that of an
// apply, whose messages need no live values, only read the list items of which the snapshot has digests.
func readAgain(ctx context.Context, work engine.Work, prior record.Prior, applies bool) record.Prior {
	isRefreshed := work.Run.Rounds.Current() == run.FirstRound && !work.Run.Objects.IsUnread(prior.Snapshot.UID)
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
