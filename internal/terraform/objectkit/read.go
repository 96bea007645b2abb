package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Read refreshes the computed attributes and the snapshot. An object that is gone leaves the state. If the
// connection is known only during the apply, the state does not change.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	defer r.provider.Registry().Waits.Begin()()
	r.provider.Registry().Rounds.Note(registry.FirstRound)
	state := Model{resource: r}
	ctx, secrets := r.keepSecrets(ctx, &state)
	defer secrets.scrub(&resp.Diagnostics)
	prior, diags := state.readPrior(ctx, req.State, req.Private)
	secrets.since(prior)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(state)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, prior.Object, state.ClusterName)...)
	ctx, cancel, diags := withTimeout(ctx, state.Timeouts.Read, readTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	api, connected := r.connectToRead(ctx, state, prior, resp)
	if !connected || resp.Diagnostics.HasError() {
		return
	}
	if state.isImported() {
		r.readImported(ctx, api, prior, &state, resp)
		return
	}
	r.provider.Registry().Reading(state.uid())
	observed, err := r.observe(ctx, api, state, prior)
	if cluster.IsGone(err) {
		if r.IsPart {
			resp.Diagnostics.Append(diagnostics.GoneWithPatch(prior.Object))
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
	r.provider.Registry().Read(observed.UID)
	r.provider.Sightings().See(observed)
	given := state
	state.setObserved(observed)
	state.judgeAgain(ctx, api, observed)
	r.protect(state, observed.Snapshot)
	if prior.IsMoved() {
		r.tellMoved(ctx, observed, resp)
	}
	if observed.Deleting != nil {
		resp.Diagnostics.Append(diagnostics.BeingDeleted(prior.Object, observed.Deleting.Time, observed.Finalizers))
	}
	if !state.equal(given) {
		resp.Diagnostics.Append(state.write(ctx, &resp.State)...)
	}
	if !observed.Snapshot.Equal(prior.Snapshot) {
		resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, observed.Snapshot)...)
	}
}

// observe reads the object and checks that it is on the cluster of the state. An object with the uid of the state proves that.
// Otherwise the uid of the cluster decides.
func (r *Resource) observe(ctx context.Context, api cluster.Interface, state Model, prior record.Prior) (record.Observed, error) {
	observed, failure := record.Observe(ctx, api, state.FieldManager.ValueString(), prior)
	remembered := prior.Snapshot.Cluster
	isKnown := remembered != "" && remembered != cluster.Unrecognizable
	isSame := failure == nil && state.uid() != "" && observed.UID == state.uid()
	isFirst := failure == nil && state.uid() == "" && !isKnown
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
func (r *Resource) connectToRead(ctx context.Context, state Model, prior record.Prior, resp *resource.ReadResponse) (api cluster.Interface, connected bool) {
	api, status, diags := r.provider.Connect(ctx, state.Connection)
	arrival := state.arrival(prior)
	switch {
	case status == providerdata.Invalid && state.IsOwn():
		r.keepUnread(ctx, state, prior, errors.New(diags.Errors()[0].Detail()), resp)
		return nil, false
	case status == providerdata.Missing && arrival != "":
		resp.Diagnostics.Append(providerdata.MissingFor(arrival, prior.Object.String()))
		return nil, false
	}
	resp.Diagnostics.Append(diags...)
	if status == providerdata.Deferred && arrival != "" {
		resp.Diagnostics.AddError("Cluster Connection Unknown", state.ID.ValueString()+
			" cannot be "+arrival.Done()+" while the cluster connection is only known after the apply.\n\nCreate what the connection depends on first.")
	}
	return api, status == providerdata.Ready
}

// keepUnread keeps the state if its connection no longer works: the configuration may have a new connection, which
// Terraform does not pass to a read.
func (r *Resource) keepUnread(ctx context.Context, state Model, prior record.Prior, err error, resp *resource.ReadResponse) {
	prior.Snapshot.Age, prior.Snapshot.Elsewhere = record.Outdated, ""
	if other, is := errors.AsType[*cluster.OtherClusterError](err); is {
		prior.Snapshot.Elsewhere = other.Found
	}
	r.provider.Registry().Read(state.uid())
	r.provider.Registry().Unread(state.uid())
	r.protect(state, prior.Snapshot)
	resp.Diagnostics.Append(r.Words.NotRefreshed(prior.Object, err))
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, prior.Snapshot)...)
}
