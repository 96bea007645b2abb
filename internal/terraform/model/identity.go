package model

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
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
