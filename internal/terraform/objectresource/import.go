package objectresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
)

// ImportState stores the object that the import ID or the identity names. The read that follows does the rest.
func (r *Resource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	// An apply stores the state that the plan has imported, and does not import again.
	r.Provider().Run().Rounds.Set(run.FirstRound)
	var manager string
	if r.IsPart {
		var diags diag.Diagnostics
		req.ID, manager, diags = model.ManagerOf(req.ID)
		if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
			return
		}
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("field_manager"), manager)...)
	}
	id, clusterName, diags := model.ImportTarget(ctx, req)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(model.WriteImportTarget(ctx, &resp.State, id, clusterName)...)
	resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, id, clusterName)...)
	state := r.Model()
	state.ClusterName = clusterName
	if req.ClientCapabilities.DeferralAllowed && r.Provider().IsDeferred(ctx, state.Connection) {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonProviderConfigUnknown}
	}
}

// Describe sets the resource of a list result to the result of an import of the object. It sets no field manager,
// because the configuration that Terraform generates should not name one.
func (r *Resource) Describe(
	ctx context.Context, api cluster.Interface, id manifest.Identity, clusterName types.String, result *list.ListResult,
) (diag.Diagnostics, error) {
	state := r.Model()
	if result.Resource.Raw.IsNull() {
		result.Resource.Raw = withoutValues(ctx, result.Resource.Schema.Type())
	}
	diags := state.Read(ctx, result.Resource)
	imported, err := importing.Import(ctx, api, id)
	if err != nil || diags.HasError() {
		return diags, err
	}
	if imported.Object.IsSecret() {
		diags.Append(r.Names.SecretImported(imported.Object))
	}
	state.SetImported(imported.Body, imported.Observed)
	state.ClusterName = clusterName
	return append(diags, state.Write(ctx, result.Resource)...), nil
}

// withoutValues returns an object whose attributes are all null.
func withoutValues(ctx context.Context, of attr.Type) tftypes.Value {
	values := map[string]tftypes.Value{}
	object, _ := of.TerraformType(ctx).(tftypes.Object)
	for name, kind := range object.AttributeTypes {
		values[name] = tftypes.NewValue(kind, nil)
	}
	return tftypes.NewValue(object, values)
}

// Identify sets the identity of a list result.
func Identify(
	ctx context.Context, id manifest.Identity, clusterName types.String, result *list.ListResult,
) diag.Diagnostics {
	return model.Identify(ctx, result.Identity, id, clusterName)
}
