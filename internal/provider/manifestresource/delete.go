package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// Delete removes the object and waits until the server has.
func (r *manifestResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	snapshot, diags := loadSnapshot(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	cluster, _, diags := r.provider.Connect(ctx, state.Cluster)
	resp.Diagnostics.Append(diags...)
	ctx, cancel, diags := withTimeout(ctx, state.Timeouts.Delete, deleteTimeout)
	defer cancel()
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	prior, diags := state.prior(ctx, snapshot)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	if snapshot.Unclear {
		observed, err := ssa.Observe(ctx, cluster, state.FieldManager.ValueString(), prior)
		switch {
		case ssa.ReasonOf(err) == ssa.ReasonNotFound:
			return
		case err != nil:
			resp.Diagnostics.Append(diagnostics.Error(diagnostics.Deleted, prior.Object, err))
			return
		}
		prior.Snapshot = observed.Snapshot
	}
	deletion, err := ssa.Delete(ctx, cluster, prior.Object, prior.Snapshot.UID)
	switch {
	case err != nil:
		resp.Diagnostics.Append(diagnostics.Error(diagnostics.Deleted, prior.Object, err))
	case deletion == ssa.Superseded:
		resp.Diagnostics.Append(diagnostics.Superseded(prior.Object))
	}
}
