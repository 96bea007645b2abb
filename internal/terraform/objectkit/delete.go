package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
)

// Delete deletes the object and waits until it is gone. If the state has force_destroy, it removes finalizers that block the
// deletion.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.provider.Registry().BeginApply()()
	state := Model{resource: r}
	ctx, secrets := r.keepSecrets(ctx, &state)
	defer secrets.scrub(&resp.Diagnostics)
	prior, diags := state.readPrior(ctx, req.State, req.Private)
	secrets.since(prior)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	r = r.speakingOf(state)
	// An object that stays keeps its identity.
	resp.Diagnostics.Append(identify(ctx, resp.Identity, prior.Object, state.ClusterName)...)
	if r.IsPart && prior.Snapshot.Age != record.Gone {
		r.deletePart(ctx, state, prior, resp)
		return
	}
	if prior.Snapshot.Age == record.Gone {
		return // The plan found that the object is gone, and warned of it.
	}
	// The plan has already refused a protected object, unless it was made for a tainted resource and without a refresh.
	resp.Diagnostics.Append(state.refuseLoss(r.Words, diagnostics.Destroy, prior.Snapshot)...)
	timed, cancel, diags := withTimeout(ctx, state.Timeouts.Delete, deleteTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	api, _, diags := r.connectToApply(timed, state.Connection, diagnostics.Deleted, prior.Snapshot)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	prior, err := state.identify(timed, api, prior)
	if cluster.IsGone(err) {
		return
	}
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Deleted, prior.Object, err))
		return
	}
	if r.provider.Registry().IsAdopted(prior.Snapshot.UID) {
		resp.Diagnostics.Append(r.Words.LeftToAdopter(prior.Object))
		return
	}
	done, err := state.destroy(timed, api, prior)
	if state.ForceDestroy.ValueBool() && cluster.ReasonOf(err) == cluster.ReasonDeletionBlocked && ctx.Err() == nil {
		resp.Diagnostics.Append(r.force(ctx, api, state.FieldManager.ValueString(), prior, err)...)
		return
	}
	switch {
	case cluster.LacksCredentials(err) && state.IsOwn():
		resp.Diagnostics.Append(r.Words.StaleDelete(prior.Object, err))
	case err != nil:
		resp.Diagnostics.Append(r.explain(diagnostics.Deleted, prior.Object, err))
	case done == deletion.Superseded:
		resp.Diagnostics.Append(diagnostics.Superseded(prior.Object))
	}
}

// destroy deletes the object, or releases it: then it stays without our claims.
func (m Model) destroy(ctx context.Context, api cluster.Interface, prior record.Prior) (deletion.Deletion, error) {
	if m.releases() {
		return deletion.Leave(ctx, api, prior.Object, prior.Snapshot.UID, m.FieldManager.ValueString())
	}
	return deletion.Delete(ctx, api, prior.Object, cluster.Removal{UID: prior.Snapshot.UID, Propagation: m.propagation()})
}

// force removes the finalizers of an object that have blocked its deletion until the timeout.
func (r *Resource) force(ctx context.Context, api cluster.Interface, fieldManager string, prior record.Prior, held error) diag.Diagnostics {
	var diags diag.Diagnostics
	ctx, cancel := context.WithTimeout(ctx, forceTimeout)
	defer cancel()
	forced, err := deletion.RemoveFinalizers(ctx, api, deletion.Blocked{
		Object: prior.Object, UID: prior.Snapshot.UID, FieldManager: fieldManager, Failure: held,
	})
	if len(forced.Removed) > 0 {
		diags.Append(r.Words.FinalizersRemoved(prior.Object, forced.Removed))
	}
	switch {
	case err != nil:
		diags.Append(r.Words.Error(diagnostics.ForceDeleted, prior.Object, err))
	case forced.Deletion == deletion.Superseded:
		diags.Append(diagnostics.Superseded(prior.Object))
	}
	return diags
}

// identify returns prior with the object's uid, without which the provider could delete another object of the
// same name. Terraform destroys a tainted object without private state. Then the state has the uid, unless the
// response to the create was lost: in that case identify looks for the object.
func (m Model) identify(ctx context.Context, api cluster.Interface, prior record.Prior) (record.Prior, error) {
	if prior.Snapshot.UID == "" {
		prior.Snapshot.UID = m.uid()
	}
	if prior.Snapshot.UID != "" {
		return prior, nil
	}
	prior.Snapshot.OutcomeUnknown = true
	observed, err := record.Observe(ctx, api, m.FieldManager.ValueString(), prior)
	prior.Snapshot = observed.Snapshot
	return prior, err
}

func (m Model) propagation() cluster.Propagation {
	if m.Propagation.IsNull() {
		return cluster.Background
	}
	return cluster.Propagation(m.Propagation.ValueString())
}
