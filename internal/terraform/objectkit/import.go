package objectkit

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// ImportState stores the object that the import ID or the identity names. The read that follows does the rest.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	r.provider.Registry().Rounds.Note(registry.FirstRound)
	var manager string
	if r.IsPart {
		var diags diag.Diagnostics
		req.ID, manager, diags = managerOf(req.ID)
		if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
			return
		}
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("field_manager"), manager)...)
	}
	id, clusterName, diags := importTarget(ctx, req)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id.ID())...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attributes.ClusterNameAttribute), clusterName)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, id, clusterName)...)
	if req.ClientCapabilities.DeferralAllowed && r.provider.IsDeferred(ctx, attributes.Connection{ClusterName: clusterName}) {
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonProviderConfigUnknown}
	}
}

// importTarget returns the object to import, and the name of its cluster.
func importTarget(ctx context.Context, req resource.ImportStateRequest) (manifest.Identity, types.String, diag.Diagnostics) {
	if req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
		return targetOf(ctx, *req.Identity)
	}
	clusterName, text := types.StringNull(), req.ID
	if rest, is := strings.CutPrefix(text, clusterKey); is {
		name, object, _ := strings.Cut(rest, ",")
		clusterName, text = types.StringValue(name), object
	}
	id, err := manifest.ParseImportID(text)
	var diags diag.Diagnostics
	var fault *manifest.Error
	if errors.As(err, &fault) {
		seen := "The import ID " + req.ID + " cannot be used: " + fault.Problem
		if req.ID == "" {
			seen = "The import ID is empty"
		}
		diags.AddError("Invalid Import ID", seen+".\n\n"+fault.Suggestion)
	}
	return id, clusterName, diags
}

// clusterKey begins the import ID of an object on a cluster that has a name.
const clusterKey = "cluster="

// importPrefix returns what the import IDs of objects on a cluster begin with; "" if the cluster has no name.
func importPrefix(name types.String) string {
	if name.ValueString() == "" {
		return ""
	}
	return clusterKey + name.ValueString() + ","
}

// managerOf returns the import ID of the object whose part is imported, and the manager that owns the part.
func managerOf(id string) (object, manager string, diags diag.Diagnostics) {
	const key = ",manager="
	at := strings.LastIndex(id, key)
	if at < 0 || at+len(key) == len(id) {
		diags.AddError("Invalid Import ID", fmt.Sprintf("The import ID %q names no manager.\n\n"+
			"Write the import ID of the object and the manager whose fields become the patch: "+
			"apiVersion=apps/v1,kind=Deployment,namespace=default,name=web,manager=helm. field_ownership lists the managers of an object.", id))
		return "", "", diags
	}
	return id[:at], id[at+len(key):], nil
}

// importObject reads an object that was not created here, or the part that one manager owns.
func (r *Resource) importObject(ctx context.Context, api cluster.Interface, id manifest.Identity, state *Model) (importing.Imported, error) {
	if !r.IsPart {
		state.FieldManager = r.provider.FieldManager()
		return importing.Import(ctx, api, id)
	}
	imported, err := importing.ImportPart(ctx, api, id, state.FieldManager.ValueString())
	if err == nil {
		state.setTarget(imported.Object)
	}
	return imported, err
}

// readImported fills in a state of which only the ID is known.
func (r *Resource) readImported(ctx context.Context, api cluster.Interface, prior record.Prior, state *Model, resp *resource.ReadResponse) {
	if prior.IsMoved() {
		r.readMoved(ctx, api, prior, state, resp)
		return
	}
	imported, err := r.importObject(ctx, api, prior.Object, state)
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Imported, prior.Object, err))
		return
	}
	if imported.Object.IsSecret() {
		resp.Diagnostics.Append(r.Words.SecretImported(imported.Object))
	}
	r.keepImported(ctx, imported, state, resp)
}

// readMoved does what readImported does, for a state that comes from another resource and has no body. It leaves the data of a
// Secret out of the state.
func (r *Resource) readMoved(ctx context.Context, api cluster.Interface, prior record.Prior, state *Model, resp *resource.ReadResponse) {
	id, err := record.LocateMoved(ctx, api, prior.Object)
	var imported importing.Imported
	if err == nil {
		imported, err = importing.Import(ctx, api, id)
	}
	if cluster.IsGone(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err == nil && id.IsSecret() {
		resp.Diagnostics.Append(r.Words.SecretMoved(id))
		imported.Body, err = importing.WithoutData(imported.Body)
	}
	if err == nil {
		prior.Settings.Body = imported.Body
		imported.Observed, err = record.DescribeMoved(&unstructured.Unstructured{Object: imported.Live}, id, prior.Settings.FieldManager, prior)
	}
	if err != nil {
		resp.Diagnostics.Append(r.explain(diagnostics.Read, prior.Object, err))
		return
	}
	r.tellMoved(ctx, imported.Observed, resp)
	r.keepImported(ctx, imported, state, resp)
}

// tellMoved sets the identity of an object that a moved block brought, and warns of annotations that the former resource or other
// tools keep on it.
func (r *Resource) tellMoved(ctx context.Context, observed record.Observed, resp *resource.ReadResponse) {
	resp.Diagnostics.Append(identify(ctx, resp.Identity, observed.Object, types.StringNull())...)
	if stay, end := importing.Annotations(observed); !r.IsPart && len(stay)+len(end) > 0 {
		resp.Diagnostics.Append(diagnostics.SourceAnnotations(observed.Object, stay, end))
	}
}

// keepImported writes what an import has read into the state, the identity and private state.
func (r *Resource) keepImported(ctx context.Context, imported importing.Imported, state *Model, resp *resource.ReadResponse) {
	state.setImported(imported)
	resp.Diagnostics.Append(state.write(ctx, &resp.State)...)
	resp.Diagnostics.Append(identify(ctx, resp.Identity, imported.Object, state.ClusterName)...)
	resp.Diagnostics.Append(privatestate.SaveSnapshot(ctx, resp.Private, imported.Snapshot)...)
}

// setImported sets the attributes that an import makes of an object.
func (m *Model) setImported(imported importing.Imported) {
	m.YAMLBody = types.StringValue(imported.Body)
	m.setObserved(imported.Observed)
}

// Describe sets the resource of a list result to what an import of the object makes of it. It sets no field manager, so that the
// configuration that Terraform writes names none.
func (r *Resource) Describe(ctx context.Context, api cluster.Interface, id manifest.Identity, of attributes.Connection, result *list.ListResult) (diag.Diagnostics, error) {
	state := Model{resource: r}
	if result.Resource.Raw.IsNull() {
		result.Resource.Raw = withoutValues(ctx, result.Resource.Schema.Type())
	}
	diags := state.read(ctx, result.Resource)
	imported, err := importing.Import(ctx, api, id)
	if err != nil || diags.HasError() {
		return diags, err
	}
	if imported.Object.IsSecret() {
		diags.Append(r.Words.SecretImported(imported.Object))
	}
	state.setImported(imported)
	state.ClusterName = of.ClusterName
	return append(diags, state.write(ctx, result.Resource)...), nil
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
func Identify(ctx context.Context, id manifest.Identity, of attributes.Connection, result *list.ListResult) diag.Diagnostics {
	return identify(ctx, result.Identity, id, of.ClusterName)
}

// arrival returns how the object came into the state if no read has filled it in yet; "" otherwise.
func (m Model) arrival(prior record.Prior) providerdata.Arrival {
	switch {
	case prior.IsMoved():
		return providerdata.Move
	case m.isImported():
		return providerdata.Import
	}
	return ""
}

// keptBy returns the state whose field manager a plan keeps if the configuration names none; nil if it keeps none. A moved
// state has the field manager of another resource, which our first apply replaces.
func keptBy(state *Model, snapshot record.Snapshot) *Model {
	if snapshot.Moved {
		return nil
	}
	return state
}
