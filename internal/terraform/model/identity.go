package model

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/invalid"
)

// IdentitySchema describes the resource identity, for Terraform 1.12 and OpenTofu 1.12. It has the name of a cluster,
// but no connection, because that would contain credentials.
func IdentitySchema() identityschema.Schema {
	return identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"api_version": identityschema.StringAttribute{
			Description: "API version of the object, for example apps/v1.", RequiredForImport: true,
		},
		"kind": identityschema.StringAttribute{Description: "Kind of the object.", RequiredForImport: true},
		"namespace": identityschema.StringAttribute{
			Description: "Namespace of the object; null for a cluster-scoped kind. An import without it uses " +
				"the connection's namespace.",
			OptionalForImport: true,
		},
		"name": identityschema.StringAttribute{Description: "Name of the object.", RequiredForImport: true},
		attributes.ClusterNameAttribute: identityschema.StringAttribute{
			Description: "Cluster of the object: a name in the provider's clusters. Null for the provider's " +
				"connection, and for one of the resource's own.",
			OptionalForImport: true,
		},
	}}
}

var (
	targetTypes   = objectTypes()
	refTypes      = objectTypes("uid")
	identityTypes = objectTypes(attributes.ClusterNameAttribute)
)

// objectTypes returns the types of the attributes that name an object, and of more strings.
func objectTypes(more ...string) map[string]attr.Type {
	all := map[string]attr.Type{}
	for _, name := range append([]string{"api_version", "kind", "namespace", "name"}, more...) {
		all[name] = types.StringType
	}
	return all
}

// Identify sets the identity of a resource. Every response with an object in the state needs one. So does a
// read that finds the object gone, because states of older CLIs have none.
func Identify(
	ctx context.Context, identity *tfsdk.ResourceIdentity, id manifest.Identity, clusterName types.String,
) diag.Diagnostics {
	values := identityValues(id)
	values[attributes.ClusterNameAttribute] = clusterName
	return identity.Set(ctx, types.ObjectValueMust(identityTypes, values))
}

// identityValues returns the attributes that name an object.
func identityValues(id manifest.Identity) map[string]attr.Value {
	return map[string]attr.Value{
		"api_version": types.StringValue(id.APIVersion), "kind": types.StringValue(id.Kind),
		"namespace": attributes.OrNull(id.Namespace), "name": types.StringValue(id.Name),
	}
}

// IdentifyPlanned sets the identity of an object that the plan creates. In a replacement, Terraform passes on
// the old object's identity. An unknown identity would turn a failed create into a second error, so the identity
// of an object that cannot be located yet is null.
func IdentifyPlanned(ctx context.Context, identity *tfsdk.ResourceIdentity, plan *Model) diag.Diagnostics {
	if !IsKnown(plan.ID) || plan.ClusterName.IsUnknown() {
		identity.Raw = tftypes.NewValue(identity.Schema.Type().TerraformType(ctx), nil)
		return nil
	}
	id, diags := plan.Object()
	if diags.HasError() {
		return diags
	}
	return Identify(ctx, identity, id, plan.ClusterName)
}

// ImportTarget returns the object to import, and the name of its cluster.
func ImportTarget(
	ctx context.Context, req resource.ImportStateRequest,
) (manifest.Identity, types.String, diag.Diagnostics) {
	if req.ID == "" && req.Identity != nil && !req.Identity.Raw.IsNull() {
		return identified(ctx, *req.Identity)
	}
	clusterName, text := types.StringNull(), req.ID
	if rest, is := strings.CutPrefix(text, diagnostics.ClusterKey); is {
		name, object, _ := strings.Cut(rest, ",")
		clusterName, text = types.StringValue(name), object
	}
	id, err := manifest.ParseImportID(text)
	var diags diag.Diagnostics
	if fault, ok := errors.AsType[*manifest.Error](err); ok {
		diags.Append(invalid.ImportID(req.ID, fault))
	}
	return id, clusterName, diags
}

// ManagerOf returns the import ID of the object whose part is imported, and the manager that owns the part.
func ManagerOf(id string) (object, manager string, diags diag.Diagnostics) {
	const key = ",manager="
	at := strings.LastIndex(id, key)
	if at < 0 || at+len(key) == len(id) {
		diags.Append(invalid.ImportIDWithoutManager(id))
		return "", "", diags
	}
	return id[:at], id[at+len(key):], nil
}

// identified returns the object that an identity asks to import, and the name of its cluster.
func identified(
	ctx context.Context, identity tfsdk.ResourceIdentity,
) (manifest.Identity, types.String, diag.Diagnostics) {
	var of types.Object
	diags := identity.Get(ctx, &of)
	id := attributes.TargetOf(of)
	if problem := id.Problem(); !diags.HasError() && problem != "" {
		diags.Append(invalid.Identity(id, problem))
	}
	cluster, _ := of.Attributes()[attributes.ClusterNameAttribute].(types.String)
	return id, cluster, diags
}

// WriteImportTarget writes the object to import into a state without attributes.
func WriteImportTarget(
	ctx context.Context, state *tfsdk.State, id manifest.Identity, clusterName types.String,
) diag.Diagnostics {
	diags := state.SetAttribute(ctx, path.Root("id"), id.ID())
	return append(diags, state.SetAttribute(ctx, path.Root(attributes.ClusterNameAttribute), clusterName)...)
}

// ArrivalOf returns how the object came into the state if no read has filled it in yet; "" otherwise.
func ArrivalOf(m *Model, prior record.Prior) invalid.Arrival {
	switch {
	case prior.IsMoved():
		return invalid.Move
	case m.IsImported():
		return invalid.Import
	}
	return ""
}
