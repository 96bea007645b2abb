package objectresource

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// ValidateConfig refuses arguments that contradict each other, and objects that do not fit the schemas.
func (r *Resource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var given map[string]tftypes.Value
	if err := req.Config.Raw.As(&given); err != nil ||
		!r.IsPart && !r.schemas.AreThere() && given["pin_fields"].IsNull() && given["remove_fields"].IsNull() &&
			given[model.ListLengthsAttribute].IsNull() && given["once"].IsNull() {
		// The other attributes have their own validators. Parsing the manifest again would take longer than those.
		return
	}
	config := r.Model()
	resp.Diagnostics.Append(config.Read(ctx, req.Config)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(model.Validate(config, r.NamesOf(config))...)
	}
	if resp.Diagnostics.HasError() || !r.schemas.AreThere() {
		return
	}
	resp.Diagnostics.Append(config.TakeWriteOnly(ctx, req.Config)...)
	at := path.Root(config.BodyAttribute())
	if !config.Patch.IsNull() {
		at = path.Root(model.PatchAttribute)
	}
	resp.Diagnostics.Append(r.schemas.Check(ctx, config, at)...)
}

// ModifyPlan predicts the computed attributes. Terraform calls it twice for each change, the second time during
// the apply. The second plan must have the same known values as the first.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.Provider() == nil {
		return
	}
	p := objectkit.Planning{Private: private{req.Private, resp.Private}}
	if req.Plan.Raw.IsNull() {
		r.Provider().Run().Rounds.Set(run.FirstRound) // Terraform plans a destroy once.
	}
	if !req.State.Raw.IsNull() {
		p.State = r.Model()
		resp.Diagnostics.Append(p.State.Read(ctx, req.State)...)
	}
	if !req.Plan.Raw.IsNull() {
		var manager types.String
		p.Plan = r.Model()
		resp.Diagnostics.Append(p.Plan.Read(ctx, req.Plan)...)
		resp.Diagnostics.Append(p.Plan.TakeWriteOnly(ctx, req.Config)...)
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("field_manager"), &manager)...)
		p.Plan.NamesNoManager = manager.IsNull()
	}
	if resp.Diagnostics.HasError() {
		return
	}
	var given model.Model
	if p.Plan != nil {
		given = *p.Plan
	}
	planned := r.PlanObject(ctx, p)
	end := planned.Requested
	switch {
	case p.State == nil, r.IsPart, planned.Diags.HasError():
	case p.Plan == nil, len(planned.Replaces) > 0:
		end = &model.End{State: p.State}
	default:
		resp.Diagnostics.Append(reading.Staying(r.Provider(), r.NamesOf(p.State), p.State)...)
	}
	if end != nil {
		alone := func(manifest.Identity) bool { return false }
		resp.Diagnostics.Append(reading.Along(ctx, r.Provider(), r.NamesOf(end.State), *end, alone)...)
	}
	if applied := cmp.Or(p.Plan, p.State); applied != nil {
		resp.Diagnostics.Append(reading.Scaled(ctx, r.Provider(), r.NamesOf(applied), applied, planned.Becomes)...)
	}
	if resp.Diagnostics.Append(planned.Diags...); resp.Diagnostics.HasError() || p.Plan == nil {
		return
	}
	resp.Diagnostics.Append(reading.Unowned(ctx, r.Provider(), r.NamesOf(p.Plan), p.Plan, p.State)...)
	resp.RequiresReplace = append(resp.RequiresReplace, planned.Replaces...)
	// Terraform takes a deferral that it has not allowed for a defect of the provider.
	if req.ClientCapabilities.DeferralAllowed {
		resp.Deferred = planned.Deferred
	}
	if !p.Plan.Equal(&given) {
		resp.Diagnostics.Append(p.Plan.Write(ctx, &resp.Plan)...)
	}
	if planned.ChangesIdentity {
		resp.Diagnostics.Append(model.IdentifyPlanned(ctx, resp.Identity, p.Plan)...)
	}
}

// Create applies a new object. Once the object exists, Create writes it into the state, even if something fails
// afterwards.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	plan := r.Model()
	resp.Diagnostics.Append(plan.Read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.TakeWriteOnly(ctx, req.Config)...)
	if !resp.Diagnostics.HasError() {
		applied := r.CreateObject(ctx, objectkit.Applying{Plan: plan, Private: private{nil, resp.Private}})
		write(ctx, applied, &resp.State, resp.Identity, &resp.Diagnostics)
	}
}

// Update applies to an existing object, or only records new settings if the object needs no apply.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	plan, state := r.Model(), r.Model()
	resp.Diagnostics.Append(plan.Read(ctx, req.Plan)...)
	resp.Diagnostics.Append(plan.TakeWriteOnly(ctx, req.Config)...)
	resp.Diagnostics.Append(state.Read(ctx, req.State)...)
	if !resp.Diagnostics.HasError() {
		kept := private{req.Private, resp.Private}
		apply := objectkit.Applying{Plan: plan, State: state, Private: kept}
		applied := r.UpdateObject(ctx, apply)
		if applied.Undo.IsWanted() {
			r.UndoObject(ctx, apply, &applied)
		}
		write(ctx, applied, &resp.State, resp.Identity, &resp.Diagnostics)
	}
}

func write(
	ctx context.Context, a objectkit.Applied, state *tfsdk.State, identity *tfsdk.ResourceIdentity,
	diags *diag.Diagnostics,
) {
	diags.Append(a.Diags...)
	if a.State != nil {
		diags.Append(a.State.Write(ctx, state)...)
	}
	if a.Object.Name != "" {
		diags.Append(model.Identify(ctx, identity, a.Object, a.ClusterName)...)
	}
}

// Delete deletes the object and waits until it is gone. If force_destroy is set in the state, it removes finalizers
// that block the deletion. A part is taken back, and its object stays.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	state := r.Model()
	if resp.Diagnostics.Append(state.Read(ctx, req.State)...); resp.Diagnostics.HasError() {
		return
	}
	object, diags := r.DeleteObject(ctx, state, private{req.Private, resp.Private})
	if resp.Diagnostics.Append(diags...); object.Name != "" { // An object that stays keeps its identity.
		resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, object, state.ClusterName)...)
	}
}

// Read refreshes the computed attributes and the snapshot. An object that is gone leaves the state. If the
// connection is known only during the apply, the state does not change.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := r.Model()
	if resp.Diagnostics.Append(state.Read(ctx, req.State)...); resp.Diagnostics.HasError() {
		return
	}
	given := *state
	read := r.ReadObject(ctx, state, private{req.Private, resp.Private}, nil)
	resp.Diagnostics.Append(read.Diags...)
	if read.Object.Name != "" {
		resp.Diagnostics.Append(model.Identify(ctx, resp.Identity, read.Object, state.ClusterName)...)
	}
	switch {
	case read.IsGone:
		resp.State.RemoveResource(ctx)
	case !state.Equal(&given):
		resp.Diagnostics.Append(state.Write(ctx, &resp.State)...)
	}
}

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
