package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
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

// Read refreshes the computed attributes and the snapshot. An object that is gone leaves the state. If the
// connection is known only during the apply, the state does not change.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	defer r.provider.Run().Waits.Begin()()
	r.provider.Run().Rounds.Set(run.FirstRound)
	state := r.model()
	ctx, secrets := secrecy.Keep(ctx, r.provider, state)
	defer secrets.Scrub(&resp.Diagnostics)
	prior, diags := state.ReadPrior(ctx, req.State, req.Private)
	secrets.Since(prior.Snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(state)
	resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, prior.Object, state.ClusterName)...)
	ctx, cancel, diags := withTimeout(ctx, state.Timeouts.Read, readTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	api, connected := r.connectToRead(ctx, state, prior, resp)
	if !connected || resp.Diagnostics.HasError() {
		return
	}
	if state.IsImported() {
		r.readImported(ctx, api, prior, state, resp)
		return
	}
	if !r.IsPart { // A part tells nothing of a resource that manages the whole object.
		r.provider.Run().Objects.BeginRead(state.UID())
	}
	noteRead(r.provider.Run(), api, prior.Object, state)
	observed, err := r.observe(ctx, api, state, prior)
	if cluster.IsGone(err) {
		if r.IsPart {
			resp.Diagnostics.Append(changes.PatchGone(r.Names, prior.Object))
		}
		resp.State.RemoveResource(ctx)
		return
	}
	if state.IsOwn() && (cluster.LacksCredentials(err) || isElsewhere(err)) {
		r.keepUnread(ctx, state, prior, err, resp)
		return
	}
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Read, prior.Object, err))
		return
	}
	if !r.IsPart {
		r.provider.Run().Objects.EndRead(observed.UID)
	}
	r.provider.Run().Refreshed.Hold(observed)
	given := *state
	state.SetObserved(observed)
	results.Refresh(ctx, api, state, observed)
	unfinishedOnes{r.provider}.note(api, state, observed)
	r.protect(state, observed.Snapshot)
	if prior.IsMoved() {
		r.tellMoved(ctx, observed, resp)
	}
	if ending, is := observed.Ending(ctx, api); is {
		resp.Diagnostics.Append(r.Names.BeingDeleted(ending))
	}
	if !state.Equal(&given) {
		resp.Diagnostics.Append(state.Write(ctx, &resp.State)...)
	}
	if !observed.Snapshot.Equal(prior.Snapshot) {
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, observed.Snapshot)...)
	}
}

// NoteStored notes a state that may be that of an unfinished create, for a plan without a refresh; see
// package fastpath.
func (r *Resource) NoteStored(ctx context.Context, stored tfsdk.State) {
	state := r.model()
	if diags := state.Read(ctx, stored); r.provider != nil && !diags.HasError() {
		unfinishedOnes{r.provider}.noteStored(ctx, state)
	}
}

// observe reads the object and checks that it is on the cluster of the state. An object with the uid of the state
// proves that. Otherwise the uid of the cluster decides.
func (r *Resource) observe(
	ctx context.Context, api cluster.Interface, state *model.Model, prior record.Prior,
) (record.Observed, error) {
	observed, failure := observeLive(ctx, r.provider, api, state, prior)
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

func isElsewhere(err error) bool {
	_, is := errors.AsType[*cluster.OtherClusterError](err)
	return is
}

// connectToRead returns the cluster to read from, and false if the object cannot be read.
func (r *Resource) connectToRead(
	ctx context.Context, state *model.Model, prior record.Prior, resp *resource.ReadResponse,
) (api cluster.Interface, connected bool) {
	api, status, diags := r.provider.Connect(ctx, state.Connection)
	arrival := model.ArrivalOf(state, prior)
	switch {
	case status == providerdata.Invalid && state.IsOwn():
		r.keepUnread(ctx, state, prior, errors.New(diags.Errors()[0].Detail()), resp)
		return nil, false
	case status == providerdata.Missing && arrival != "":
		resp.Diagnostics.Append(arrival.NoCluster(prior.Object.String()))
		return nil, false
	}
	resp.Diagnostics.Append(diags...)
	if status == providerdata.Deferred && arrival != "" {
		resp.Diagnostics.Append(arrival.ConnectionUnknown(state.ID.ValueString()))
	}
	return api, status == providerdata.Ready
}

// keepUnread keeps the state if its connection no longer works: the configuration may have a new connection, which
// Terraform does not pass to a read.
func (r *Resource) keepUnread(
	ctx context.Context, state *model.Model, prior record.Prior, err error, resp *resource.ReadResponse,
) {
	prior.Snapshot.Age, prior.Snapshot.Elsewhere = record.Outdated, ""
	if other, is := errors.AsType[*cluster.OtherClusterError](err); is {
		prior.Snapshot.Elsewhere = other.Found
	}
	if !r.IsPart {
		r.provider.Run().Objects.EndRead(state.UID())
	}
	r.provider.Run().Objects.NoteUnread(state.UID())
	r.protect(state, prior.Snapshot)
	resp.Diagnostics.Append(r.Names.NotRefreshed(prior.Object, err))
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, prior.Snapshot)...)
}
