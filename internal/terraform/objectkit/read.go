package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// ReadObject refreshes the computed attributes of a state and its snapshot. live is the object as it was just read; nil
// if it was not.
func (r *Objects) ReadObject(
	ctx context.Context, state *model.Model, private privatestate.Private, live *unstructured.Unstructured,
) (out Read) {
	out.private = private
	defer r.provider.Run().Waits.Begin(ctx)()
	r.provider.Run().Rounds.Set(run.FirstRound)
	ctx, secrets := secrecy.Keep(ctx, state)
	defer secrets.Scrub(&out.Diags)
	prior, diags := priorOf(ctx, state, private)
	secrets.Since(prior.Snapshot)
	if out.Diags.Append(diags...); out.Diags.HasError() {
		return out
	}
	out.Object = prior.Object
	r = r.speakingOf(state)
	ctx, cancel, diags := withTimeout(ctx, state.Timeouts.Read, readTimeout)
	defer cancel()
	out.Diags.Append(diags...)
	api, connected := r.connectToRead(ctx, state, prior, &out)
	if !connected || out.Diags.HasError() {
		return out
	}
	if state.IsImported() {
		r.Names.Timeouts = diagnostics.Timeouts{Fixed: readTimeout} // An import does not get the configured ones.
		r.readImported(ctx, api, prior, state, &out)
		return out
	}
	r.BeginRead(state)
	noteRead(r.provider.Run(), api, prior.Object, state)
	observed, err := r.observe(ctx, api, state, prior, live)
	if cluster.IsGone(err) {
		r.readGone(ctx, state, prior, &out)
		return out
	}
	if state.IsOwn() && (cluster.LacksCredentials(err) || isElsewhere(err)) {
		r.keepUnread(ctx, state, prior, err, &out)
		return out
	}
	if err != nil {
		out.Diags.Append(notRead(r, state, prior.Object, err))
		return out
	}
	if !r.IsPart {
		r.provider.Run().Objects.EndRead(observed.UID, holderOf(r.Names, state))
	}
	r.fill(ctx, api, state, observed)
	if _, uid := around(ctx, api, r.provider.Run(), prior.Object); uid != privatestate.LoadAlong(ctx, private) {
		out.Diags.Append(privatestate.SaveAlong(ctx, private, uid)...)
	}
	if prior.IsMoved() {
		r.tellMoved(observed, &out)
	}
	if ending, is := observed.Ending(ctx, api); is {
		out.Diags.Append(r.Names.BeingDeleted(ending))
	}
	out.Diags.Append(results.RefreshCompleted(ctx, private, state, observed)...)
	out.Diags.Append(privatestate.SaveSnapshot(ctx, private, observed.Snapshot)...)
	return out
}

// BeginRead notes that the object of a state is about to be read. A part tells nothing of a resource that manages the
// whole object.
func (r *Objects) BeginRead(state *model.Model) {
	if !r.IsPart {
		r.provider.Run().Objects.BeginRead(state.UID(), holderOf(r.Names, state))
	}
}

func notRead(r *Objects, state *model.Model, id manifest.Identity, err error) diag.Diagnostic {
	failed := r.explain(diagnostics.Read, id, err)
	if state.IsOwn() {
		return diagnostics.OfStored(r.Names, failed, err)
	}
	return failed
}

// readGone decides whether the state keeps an object that the read has not found.
func (r *Objects) readGone(ctx context.Context, state *model.Model, prior record.Prior, out *Read) {
	kept, diags := results.KeepGone(ctx, out.private, state)
	switch out.Diags.Append(diags...); {
	case kept:
		r.provider.Run().Objects.EndRead(state.UID(), holderOf(r.Names, state))
		return
	case r.IsPart:
		out.Diags.Append(changes.PatchGone(r.Names, prior.Object))
	case model.RunsOnce(state):
		out.Diags.Append(changes.NotSeenComplete(r.Names, prior.Object))
	default:
		out.Diags.Append(changes.RemovedByTTL(r.Names, prior.Object, state.Body().Manifest.Object)...)
	}
	out.IsGone = true
}

// fill sets the computed attributes of a state to what was observed, and notes the object in the run.
func (r *Objects) fill(ctx context.Context, api cluster.Interface, state *model.Model, observed record.Observed) {
	r.provider.Run().Objects.NoteRefreshed(observed)
	state.SetObserved(observed)
	results.Refresh(ctx, api, state, observed)
	results.UnfinishedOnes{Provider: r.provider}.Note(api, state, observed)
	if r.IsPart {
		run.NotePart(&r.provider.Run().Objects, api, state.FieldManager.ValueString(), observed.Snapshot)
	}
	r.protect(state, observed.Snapshot)
}

// observe reads the object, unless live is the object as it was just read, and checks that it is on the cluster of
// the state. An object with the uid of the state proves that. Otherwise the uid of the cluster decides.
func (r *Objects) observe(
	ctx context.Context, api cluster.Interface, state *model.Model, prior record.Prior, live *unstructured.Unstructured,
) (record.Observed, error) {
	observed, failure := r.observeLive(ctx, api, state, prior, live)
	remembered := prior.Snapshot.Cluster
	isKnown := remembered != "" && remembered != cluster.Unrecognizable
	isSame := failure == nil && state.UID() != "" && observed.UID == state.UID()
	isFirst := failure == nil && state.UID() == "" && !isKnown
	switch {
	case failure != nil && !cluster.IsGone(failure), isSame && isKnown:
		return observed, failure
	case isSame || isFirst:
		// If the cluster cannot be identified now, the next run asks again.
		observed.Snapshot.Cluster, _ = cluster.Recognize(ctx, api, prior.Object, remembered)
		return observed, nil
	}
	uid, err := r.provider.Recognize(ctx, state.Connection, api, prior.Object, remembered)
	if err != nil {
		return observed, err
	}
	if hidden := isKnown && !r.provider.CanRecognize(ctx, state.Connection, api); hidden {
		return observed, &cluster.HiddenError{Remembered: remembered}
	}
	observed.Snapshot.Cluster = uid
	return observed, failure
}

// connectToRead returns the cluster to read from, and false if the object cannot be read.
func (r *Objects) connectToRead(
	ctx context.Context, state *model.Model, prior record.Prior, out *Read,
) (api cluster.Interface, connected bool) {
	api, status, diags := r.provider.Connect(ctx, state.Connection)
	arrival := model.ArrivalOf(state, prior)
	switch {
	case status == providerdata.Invalid && state.IsOwn():
		r.keepUnread(ctx, state, prior, errors.New(diags.Errors()[0].Detail()), out)
		return nil, false
	case status == providerdata.Missing && arrival != "":
		out.Diags.Append(arrival.NoCluster(prior.Object.String()))
		return nil, false
	}
	out.Diags.Append(diags...)
	if status == providerdata.Deferred && arrival != "" {
		out.Diags.Append(arrival.ConnectionUnknown(state.ID.ValueString()))
	}
	return api, status == providerdata.Ready
}

// keepUnread keeps the state if its connection no longer works: the configuration may have a new connection, which
// Terraform does not pass to a read.
func (r *Objects) keepUnread(ctx context.Context, state *model.Model, prior record.Prior, err error, out *Read) {
	prior.Snapshot.Age, prior.Snapshot.Elsewhere = record.Outdated, ""
	if other, is := errors.AsType[*cluster.OtherClusterError](err); is {
		prior.Snapshot.Elsewhere = other.Found
	}
	if !r.IsPart {
		r.provider.Run().Objects.EndRead(state.UID(), holderOf(r.Names, state))
	}
	r.provider.Run().Objects.NoteUnread(state.UID())
	r.protect(state, prior.Snapshot)
	out.Diags.Append(r.Names.NotRefreshed(prior.Object, err))
	out.Diags.Append(privatestate.SaveSnapshot(ctx, out.private, prior.Snapshot)...)
}

// noteRead notes that the object of a state is read: what was noted of the stored state does not count any more, and a
// CustomResourceDefinition is known.
func noteRead(in *run.Run, api cluster.Interface, id manifest.Identity, state *model.Model) {
	if !state.IsPart {
		in.Objects.NoteUnfinished(run.At{API: api, Object: id}, nil)
	}
	if id.IsDefinition() {
		in.Definitions.NoteRead(run.Definition{Cluster: api, Name: id.Name}, state.FieldManager.ValueString())
	}
}
