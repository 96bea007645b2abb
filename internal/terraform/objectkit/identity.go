package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
)

// identitySchema describes the resource identity, for Terraform 1.12 and OpenTofu 1.12. It has the name of a cluster, but no connection,
// because that would contain credentials.
func identitySchema() identityschema.Schema {
	return identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"api_version": identityschema.StringAttribute{
			Description:       "API version of the object, for example apps/v1.",
			RequiredForImport: true,
		},
		"kind": identityschema.StringAttribute{
			Description:       "Kind of the object.",
			RequiredForImport: true,
		},
		"namespace": identityschema.StringAttribute{
			Description:       "Namespace of the object; null for a cluster-scoped kind. An import without it uses the connection's namespace.",
			OptionalForImport: true,
		},
		"name": identityschema.StringAttribute{
			Description:       "Name of the object.",
			RequiredForImport: true,
		},
		attributes.ClusterNameAttribute: identityschema.StringAttribute{
			Description:       "Cluster of the object: a name in the provider's clusters. Null for the provider's connection, and for one of the resource's own.",
			OptionalForImport: true,
		},
	}}
}

var identityTypes = map[string]attr.Type{
	"api_version": types.StringType, "kind": types.StringType, "namespace": types.StringType, "name": types.StringType,
	attributes.ClusterNameAttribute: types.StringType,
}

type identityModel struct {
	APIVersion types.String `tfsdk:"api_version"`
	Kind       types.String `tfsdk:"kind"`
	Namespace  types.String `tfsdk:"namespace"`
	Name       types.String `tfsdk:"name"`
	Cluster    types.String `tfsdk:"cluster_name"`
}

// targetOf returns the object that an identity asks to import, and the name of its cluster.
func targetOf(ctx context.Context, identity tfsdk.ResourceIdentity) (manifest.Identity, types.String, diag.Diagnostics) {
	var m identityModel
	diags := identity.Get(ctx, &m)
	id := manifest.Identity{
		APIVersion: m.APIVersion.ValueString(),
		Kind:       m.Kind.ValueString(),
		Namespace:  m.Namespace.ValueString(),
		Name:       m.Name.ValueString(),
	}
	if problem := id.Problem(); !diags.HasError() && problem != "" {
		diags.AddError("Invalid Identity", "The identity of "+id.String()+" cannot be used: "+problem+".\n\n"+
			"Write api_version, kind, namespace and name as in the manifest, without namespace for a cluster-scoped kind.")
	}
	return id, m.Cluster, diags
}

// identify sets the identity of a resource. Every response with an object in the state needs one. So does a
// read that finds the object gone, because states of older versions have none.
func identify(ctx context.Context, identity *tfsdk.ResourceIdentity, id manifest.Identity, clusterName types.String) diag.Diagnostics {
	return identity.Set(ctx, types.ObjectValueMust(identityTypes, map[string]attr.Value{
		"api_version": types.StringValue(id.APIVersion), "kind": types.StringValue(id.Kind),
		"namespace": orNull(id.Namespace), "name": types.StringValue(id.Name),
		attributes.ClusterNameAttribute: clusterName,
	}))
}

// orNull returns a text as a value of Terraform; null if it is empty.
func orNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema()
}

// identifyPlanned sets the identity of an object that the plan creates. In a replacement, Terraform passes on
// the old object's identity. An unknown identity would turn a failed create into a second error, so the identity
// of an object that cannot be located yet is null.
func identifyPlanned(ctx context.Context, identity *tfsdk.ResourceIdentity, plan Model) diag.Diagnostics {
	if !known(plan.ID) || plan.ClusterName.IsUnknown() {
		identity.Raw = tftypes.NewValue(identity.Schema.Type().TerraformType(ctx), nil)
		return nil
	}
	id, diags := plan.object()
	if diags.HasError() {
		return diags
	}
	return identify(ctx, identity, id, plan.ClusterName)
}
