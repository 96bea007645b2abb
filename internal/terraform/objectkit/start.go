package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// start is what is known of the object from which a plan starts.
type start struct {
	state    *model.Model // nil for a new resource
	snapshot record.Snapshot
	// completed is the Job that was seen complete; IsGone is true if it is to run once and is gone; see outdated.go.
	completed privatestate.Completed
	// along is the uid of the namespace or the definition that the run replaces together with the object.
	along string
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

// replacement is why a plan cannot keep the object of the state. Without causes, it can.
type replacement struct {
	// id is the object that the plan names.
	id   manifest.Identity
	loss diagnostics.Loss
	// causes are the attributes that may require it.
	causes []path.Path
	// moves is true if the manifest names another object.
	moves bool
	// refusal is why the object may not be replaced; nil if it may.
	refusal func(diagnostics.Names, manifest.Identity) diag.Diagnostic
	// version is the kept object in the API version of the plan, if that is another one than the state's.
	version record.Prior
}

// replacement compares the object that a plan names with the one of the state, which is prior.
func (s start) replacement(
	ctx context.Context, work engine.Work, plan *model.Model, prior record.Prior,
) (replacement, error) {
	id, err := prior.Locate(ctx, work.API, work.Args.Manifest)
	found := replacement{id: id}
	if err != nil {
		return found, err
	}
	if !model.SamePatch(plan, s.state) {
		found.loss, found.causes = diagnostics.AnotherIdentity, []path.Path{path.Root(model.PatchAttribute)}
		return found, nil
	}
	var isSame bool
	if found.version, isSame, err = work.InVersion(ctx, prior, id); err != nil {
		return found, err
	}
	if !isSame && id != prior.Object {
		found.loss, found.moves = diagnostics.AnotherIdentity, true
		found.causes = []path.Path{path.Root("yaml_body"), path.Root(model.ManifestAttribute), path.Root("cluster"),
			path.Root("id")}
		return found, nil
	}
	snapshot := prior.Snapshot
	if plan.SameCluster(s.state.Connection) || snapshot.Age == record.Outdated {
		return found, nil
	}
	same, err := record.Identical(ctx, work.API, prior)
	switch {
	case err != nil || same != record.AnotherObject:
		return found, err
	// An object that was only imported or moved is not deleted because of a wrong connection.
	case snapshot.Known() && snapshot.Moved:
		found.refusal = diagnostics.Names.MovedElsewhere
	case snapshot.Known() && snapshot.AppliedState == "":
		found.refusal = diagnostics.Names.ImportedElsewhere
	default:
		found.loss, found.causes = diagnostics.AnotherCluster, anotherCluster()
	}
	return found, nil
}

// anotherCluster returns the causes of a replacement by an object of another cluster.
func anotherCluster() []path.Path { return []path.Path{path.Root("cluster"), path.Root("object_ref")} }

func isElsewhere(err error) bool {
	_, is := errors.AsType[*cluster.OtherClusterError](err)
	return is
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
// apply, whose messages need no live values, only read the list items of which the snapshot contains digests.
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
