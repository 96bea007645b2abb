package objectkit

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// Delete deletes the object and waits until it is gone. If the state has force_destroy, it removes finalizers that
// block the deletion. A part is taken back, and its object stays.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.provider.Run().BeginApply()()
	state := r.model()
	ctx, secrets := secrecy.Keep(ctx, r.provider, state)
	defer secrets.Scrub(&resp.Diagnostics)
	prior, diags := state.ReadPrior(ctx, req.State, req.Private)
	secrets.Since(prior.Snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(state)
	// An object that stays keeps its identity.
	resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, prior.Object, state.ClusterName)...)
	if prior.Snapshot.Age == record.Gone {
		return // The plan found that the object is gone, and warned of it.
	}
	timed, cancel, diags := withTimeout(ctx, state.Timeouts.Delete, deleteTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	stays, diags := privatestate.TakeStays(ctx, req.Private, resp.Private, prior.Snapshot.UID)
	if resp.Diagnostics.Append(diags...); stays && !resp.Diagnostics.HasError() {
		handOver(timed, r, prior, req, resp)
		return
	}
	// The plan has already refused a protected object, unless it was made for a tainted resource and without a refresh.
	resp.Diagnostics.Append(r.refuseLoss(state, diagnostics.Destroy, prior.Snapshot)...)
	api, _, diags := r.connectToApply(timed, state, r.destroys(), prior.Snapshot)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if !r.IsPart {
		r.provider.Run().Objects.NoteDeleted(prior.Object, cmp.Or(prior.Snapshot.UID, prior.UID))
	}
	until, _ := timed.Deadline()
	ended, err := engine.Of(r.work(api, prior.Arguments)).End(ctx, prior, engine.Policy{
		Releases: state.Releases(), Propagation: propagationOf(state), Until: until,
		Forces: state.ForceDestroy.ValueBool(),
	})
	resp.Diagnostics.Append(r.reportEnd(state, prior, ended, err)...)
}

// handOver is the destroy half of a replacement that keeps the object; see [unfinished].
func handOver(
	ctx context.Context, r *Resource, prior record.Prior, req resource.DeleteRequest, resp *resource.DeleteResponse,
) {
	state := r.model()
	resp.Diagnostics.Append(state.Read(ctx, req.State)...)
	api, _, diags := r.connectToApply(ctx, state, diagnostics.Updated, prior.Snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	err := r.work(api, prior.Arguments).HandOver(ctx, prior)
	switch {
	case cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonConflict:
		resp.Diagnostics.Append(diagnostics.StateOutdated(prior.Object, err))
		return
	case err != nil:
		resp.Diagnostics.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return
	}
	prior = prior.HandedOver()
	state.FieldManager = types.StringValue(prior.Arguments.FieldManager)
	unfinishedOnes{r.provider}.noteHandedOver(api, state, prior.Snapshot)
}

// destroys returns what a destroy of the resource does.
func (r *Resource) destroys() diagnostics.Operation {
	if r.IsPart {
		return diagnostics.TakenBack
	}
	return diagnostics.Deleted
}

// reportEnd describes how a destroy has ended.
func (r *Resource) reportEnd(state *model.Model, prior record.Prior, ended engine.Ended, err error) diag.Diagnostics {
	var diags diag.Diagnostics
	if len(ended.Finalizers) > 0 {
		diags.Append(r.Names.FinalizersRemoved(prior.Object, ended.Finalizers))
	}
	if ended.Refused != nil {
		diags.Append(changes.NotTakenBack(r.Names, prior.Object, engine.FatesOf(prior, false), ended.Refused))
	}
	if len(ended.Kept) > 0 {
		diags.Append(changes.LeftToOthers(r.Names, prior.Object, ended.Kept))
	}
	switch {
	case err != nil && ended.Forced:
		diags.Append(r.Names.Error(diagnostics.ForceDeleted, prior.Object, err))
	case cluster.LacksCredentials(err) && state.IsOwn():
		diags.Append(r.Names.StaleDelete(prior.Object, err))
	case err != nil:
		diags.Append(r.explain(r.destroys(), prior.Object, err))
	case ended.Adopted:
		diags.Append(r.Names.LeftToAdopter(prior.Object))
	case ended.Superseded:
		diags.Append(diagnostics.Superseded(r.Names, prior.Object))
	}
	return diags
}

func propagationOf(m *model.Model) cluster.Propagation {
	if m.Propagation.IsNull() {
		return cluster.Background
	}
	return cluster.Propagation(m.Propagation.ValueString())
}
