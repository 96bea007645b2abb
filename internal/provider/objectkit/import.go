package objectkit

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
)

// ImportState takes the import ID or the identity; the read that follows does the rest.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id, diags := importTarget(ctx, req)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id.ID())...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, id)...)
}

func importTarget(ctx context.Context, req resource.ImportStateRequest) (manifest.Identity, diag.Diagnostics) {
	if req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
		return targetOf(ctx, *req.Identity)
	}
	id, err := manifest.ParseImportID(req.ID)
	var diags diag.Diagnostics
	var fault *manifest.Error
	if errors.As(err, &fault) {
		seen := "The import ID " + req.ID + " cannot be used: " + fault.Problem
		if req.ID == "" {
			seen = "The import ID is empty"
		}
		diags.AddError("Invalid Import ID", seen+".\n\n"+fault.Suggestion)
	}
	return id, diags
}

// readImported fills in a state of which only the ID is known.
func (r *Resource) readImported(ctx context.Context, api cluster.Interface, prior record.Prior, state *Model, resp *resource.ReadResponse) {
	state.FieldManager = r.provider.FieldManager()
	imported, err := importing.Import(ctx, api, prior.Object)
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Imported, prior.Object, err))
		return
	}
	if imported.Object.IsSecret() {
		resp.Diagnostics.Append(r.Words.SecretImported(imported.Object))
	}
	state.YAMLBody = types.StringValue(imported.Body)
	state.setObserved(imported.Observed)
	resp.Diagnostics.Append(state.write(ctx, &resp.State)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, imported.Object)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, imported.Snapshot)...)
}
