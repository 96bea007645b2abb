package attributes

import (
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

const (
	providerMarkdown = "Cluster of all resources that do not set their own. Provider configuration is never written " +
		"to the state. If it is not set, [environment variables](guides/authentication.md#environment-variables) " +
		"describe the cluster. If it has a `host` without credentials, the provider takes the credentials from these " +
		"variables."
	clustersMarkdown = "Clusters by name, each an object with the attributes of `cluster`. Resources, data sources, " +
		"list resources and actions choose one with `cluster_name`. Resources that name none use `cluster`."
	resourceMarkdown = "Cluster of this resource. It replaces the provider's connection as a " +
		"whole. Terraform stores it in the state, including the credentials; it does not store the provider's " +
		"connection."
	dataSourceMarkdown = "Cluster of this data source. It replaces the provider's connection as a " +
		"whole. Terraform stores it in the state, including the credentials; it does not store the provider's " +
		"connection."
	listMarkdown = "Cluster of this query. It replaces the provider's connection as a whole. An import uses the " +
		"provider's connection."
	actionMarkdown = "Cluster on which this action acts. It replaces the provider's connection as a whole. Terraform " +
		"does not write it to the state, but plans show it: take credentials from sensitive variables, or use the " +
		"provider's connection."
	ephemeralMarkdown = "Cluster of this ephemeral resource. It replaces the provider's connection as a whole. " +
		"Terraform does not store it."
)

// ClustersOfProvider returns the attribute `clusters` of the provider, with its validation.
func ClustersOfProvider() providerschema.MapNestedAttribute {
	return providerschema.MapNestedAttribute{
		MarkdownDescription: clustersMarkdown,
		Optional:            true,
		NestedObject: providerschema.NestedAttributeObject{
			Attributes: build(fields, inProvider),
			Validators: []validator.Object{Valid()},
		},
		Validators: []validator.Map{ClusterNames()},
	}
}

// ProviderAttribute returns the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() providerschema.SingleNestedAttribute {
	return providerschema.SingleNestedAttribute{
		MarkdownDescription: providerMarkdown,
		Optional:            true,
		Attributes:          build(fields, inProvider),
		Validators:          []validator.Object{validOfProvider()},
	}
}

// ConnectionOfResource returns the attributes `cluster` and `cluster_name` of a resource, with their validation.
func ConnectionOfResource() map[string]resourceschema.Attribute {
	return map[string]resourceschema.Attribute{
		AttributeName: resourceschema.SingleNestedAttribute{
			MarkdownDescription: resourceMarkdown,
			Optional:            true,
			Attributes:          build(fields, inResource),
			Validators:          ownConnection(),
		},
		ClusterNameAttribute: inResource.attribute(nameField("resource")),
	}
}

// ConnectionOfDataSource returns the attributes `cluster` and `cluster_name` of a data source, with their validation.
func ConnectionOfDataSource() map[string]datasourceschema.Attribute {
	return map[string]datasourceschema.Attribute{
		AttributeName: datasourceschema.SingleNestedAttribute{
			MarkdownDescription: dataSourceMarkdown,
			Optional:            true,
			Attributes:          build(fields, inDataSource),
			Validators:          ownConnection(),
		},
		ClusterNameAttribute: inDataSource.attribute(nameField("data source")),
	}
}

// ConnectionOfEphemeral returns the attributes `cluster` and `cluster_name` of an ephemeral resource, with their
// validation.
func ConnectionOfEphemeral() map[string]ephemeralschema.Attribute {
	return map[string]ephemeralschema.Attribute{
		AttributeName: ephemeralschema.SingleNestedAttribute{
			MarkdownDescription: ephemeralMarkdown,
			Optional:            true,
			Attributes:          build(fields, inEphemeral),
			Validators:          ownConnection(),
		},
		ClusterNameAttribute: inEphemeral.attribute(nameField("ephemeral resource")),
	}
}

// ConnectionOfList returns the attributes `cluster` and `cluster_name` of a list resource, with their validation.
func ConnectionOfList() map[string]listschema.Attribute {
	return map[string]listschema.Attribute{
		AttributeName: listschema.SingleNestedAttribute{
			MarkdownDescription: listMarkdown,
			Optional:            true,
			Attributes:          build(fields, inList),
			Validators:          ownConnection(),
		},
		ClusterNameAttribute: inList.attribute(nameField("query")),
	}
}

// ConnectionOfAction returns the attributes `cluster` and `cluster_name` of an action, with their validation.
func ConnectionOfAction() map[string]actionschema.Attribute {
	return map[string]actionschema.Attribute{
		AttributeName: actionschema.SingleNestedAttribute{
			MarkdownDescription: actionMarkdown,
			Optional:            true,
			Attributes:          build(fields, inAction),
			Validators:          ownConnection(),
		},
		ClusterNameAttribute: inAction.attribute(nameField("action")),
	}
}

// ownConnection returns the validators of a connection that replaces the provider's.
func ownConnection() []validator.Object {
	return []validator.Object{Valid(), validators.Excludes(ClusterNameAttribute)}
}
