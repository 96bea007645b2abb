package attributes

import (
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

// ClustersOfProvider returns the attribute `clusters` of the provider, with its validation.
func ClustersOfProvider() providerschema.MapNestedAttribute {
	return providerschema.MapNestedAttribute{
		Optional: true,
		NestedObject: providerschema.NestedAttributeObject{
			Attributes: build(fields, inProvider), Validators: []validator.Object{Valid()},
		},
		Validators: []validator.Map{clusterNames{"names that can be written into an import ID"}},
	}
}

// ProviderAttribute returns the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() providerschema.SingleNestedAttribute {
	return providerschema.SingleNestedAttribute{
		Optional: true, Attributes: build(fields, inProvider), Validators: []validator.Object{validOfProvider()},
	}
}

// ConnectionOfResource returns the attributes `cluster` and `cluster_name` of a resource.
func ConnectionOfResource() map[string]resourceschema.Attribute { return connection(inResource) }

// ConnectionOfDataSource returns the attributes `cluster` and `cluster_name` of a data source.
func ConnectionOfDataSource() map[string]datasourceschema.Attribute { return connection(inDataSource) }

// ConnectionOfEphemeral returns the attributes `cluster` and `cluster_name` of an ephemeral resource.
func ConnectionOfEphemeral() map[string]ephemeralschema.Attribute { return connection(inEphemeral) }

// ConnectionOfList returns the attributes `cluster` and `cluster_name` of a list resource.
func ConnectionOfList() map[string]listschema.Attribute { return connection(inList) }

// ConnectionOfAction returns the attributes `cluster` and `cluster_name` of an action.
func ConnectionOfAction() map[string]actionschema.Attribute { return connection(inAction) }

// connection returns the attributes `cluster` and `cluster_name`, with their validation.
func connection[A any](in schemaBuilder[A]) map[string]A {
	return build([]field{
		{name: AttributeName, nested: fields, validators: []validator.Object{
			Valid(), validators.Excludes(ClusterNameAttribute),
		}},
		{name: ClusterNameAttribute, kind: types.StringType},
	}, in)
}
