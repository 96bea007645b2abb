package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/importing"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// ImportState stores the object that the import ID or the identity names. The read that follows does the rest.
func (r *Resource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	r.provider.Run().Rounds.Set(run.FirstRound)
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
	state := r.model()
	state.ClusterName = clusterName
	if req.ClientCapabilities.DeferralAllowed && r.provider.IsDeferred(ctx, state.Connection) {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonProviderConfigUnknown}
	}
}

// importObject reads an object that was not created here, or the part that one manager owns.
func (r *Resource) importObject(
	ctx context.Context, api cluster.Interface, id manifest.Identity, state *model.Model,
) (importing.Imported, error) {
	if !r.IsPart {
		state.FieldManager = r.provider.FieldManager()
		return importing.Import(ctx, api, id)
	}
	imported, err := importing.ImportPart(ctx, api, id, state.FieldManager.ValueString())
	if err == nil {
		state.SetTarget(imported.Object)
	}
	return imported, err
}

// readImported fills in a state of which only the ID is known.
func (r *Resource) readImported(
	ctx context.Context, api cluster.Interface, prior record.Prior, state *model.Model, private Private, out *Read,
) {
	if prior.IsMoved() {
		r.readMoved(ctx, api, prior, state, private, out)
		return
	}
	imported, err := r.importObject(ctx, api, prior.Object, state)
	if err != nil {
		out.Diags.Append(r.explain(diagnostics.Imported, prior.Object, err))
		return
	}
	if imported.Object.IsSecret() {
		out.Diags.Append(r.Names.SecretImported(imported.Object))
	}
	r.keepImported(ctx, imported, state, private, out)
}

// readMoved does what readImported does, for a state that comes from another resource and has no body. It leaves the
// data of a Secret out of the state.
func (r *Resource) readMoved(
	ctx context.Context, api cluster.Interface, prior record.Prior, state *model.Model, private Private, out *Read,
) {
	id, err := record.LocateMoved(ctx, api, prior.Object)
	var imported importing.Imported
	if err == nil {
		imported, err = importing.Import(ctx, api, id)
	}
	if cluster.IsGone(err) {
		out.IsGone = true
		return
	}
	if err == nil && id.IsSecret() {
		imported.Body, err = importing.WithoutData(imported.Body)
	}
	if err == nil {
		prior.Arguments.Manifest, err = manifest.Parse(imported.Body)
	}
	if err == nil {
		imported.Observed, err = record.DescribeMoved(&unstructured.Unstructured{Object: imported.Live}, id,
			prior.Arguments.FieldManager, prior)
	}
	if err != nil {
		out.Diags.Append(r.explain(diagnostics.Read, prior.Object, err))
		return
	}
	r.tellMoved(imported.Observed, out)
	r.keepImported(ctx, imported, state, private, out)
}

// tellMoved notes the object that a moved block brought, and warns of annotations that the former resource or other
// tools keep on it.
func (r *Resource) tellMoved(observed record.Observed, out *Read) {
	out.Object = observed.Object
	if stay, end := importing.Annotations(observed); !r.IsPart && len(stay)+len(end) > 0 {
		out.Diags.Append(diagnostics.SourceAnnotations(observed.Object, stay, end))
	}
}

// keepImported stores what an import has read.
func (r *Resource) keepImported(
	ctx context.Context, imported importing.Imported, state *model.Model, private Private, out *Read,
) {
	r.provider.Run().Refreshed.Hold(imported.Observed)
	state.SetImported(imported.Body, imported.Observed)
	out.Object = imported.Object
	out.Diags.Append(privatestate.SaveSnapshot(ctx, private, imported.Snapshot)...)
}

// Describe sets the resource of a list result to what an import of the object makes of it. It sets no field manager, so
// that the configuration that Terraform writes names none.
func (r *Resource) Describe(
	ctx context.Context, api cluster.Interface, id manifest.Identity, clusterName types.String, result *list.ListResult,
) (diag.Diagnostics, error) {
	state := r.model()
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

// keptBy returns the state whose field manager a plan keeps if the configuration names none; nil if it keeps none. A
// moved state has the field manager of another resource, which our first apply replaces.
func keptBy(state *model.Model, snapshot record.Snapshot) *model.Model {
	if snapshot.Moved {
		return nil
	}
	return state
}
