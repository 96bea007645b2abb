package attributes

import (
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

const (
	providerMarkdown = "Cluster of all resources that do not set their own. Provider configuration is never " +
		"written to the state. If it is not set, the provider uses the environment variables `KUBE_CONFIG_PATH` and `KUBE_CTX`."
	resourceMarkdown = "Cluster of this resource. It replaces the provider's connection as a " +
		"whole. Terraform stores it in the state, including the credentials; it does not store the provider's connection."
	dataSourceMarkdown = "Cluster of this data source. It replaces the provider's connection as a " +
		"whole. Terraform stores it in the state, including the credentials; it does not store the provider's connection."
	listMarkdown   = "Cluster of this query. It replaces the provider's connection as a whole. An import uses the provider's connection."
	actionMarkdown = "Cluster on which this action acts. It replaces the provider's connection as a whole. Terraform does not write it to the state, but plans show it: " +
		"take credentials from sensitive variables, or use the provider's connection."
	ephemeralMarkdown = "Cluster of this ephemeral resource. It replaces the provider's connection as a whole. Terraform does not store it."
)

// ProviderAttribute returns the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() providerschema.SingleNestedAttribute {
	return providerschema.SingleNestedAttribute{
		MarkdownDescription: providerMarkdown,
		Optional:            true,
		Attributes:          build(fields, providerBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// ResourceAttribute returns the attribute `cluster` of a resource, with its validation.
func ResourceAttribute() resourceschema.SingleNestedAttribute {
	return resourceschema.SingleNestedAttribute{
		MarkdownDescription: resourceMarkdown,
		Optional:            true,
		Attributes:          build(fields, resourceBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// DataSourceAttribute returns the attribute `cluster` of a data source, with its validation.
func DataSourceAttribute() datasourceschema.SingleNestedAttribute {
	return datasourceschema.SingleNestedAttribute{
		MarkdownDescription: dataSourceMarkdown,
		Optional:            true,
		Attributes:          build(fields, dataSourceBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// EphemeralAttribute returns the attribute `cluster` of an ephemeral resource, with its validation.
func EphemeralAttribute() ephemeralschema.SingleNestedAttribute {
	return ephemeralschema.SingleNestedAttribute{
		MarkdownDescription: ephemeralMarkdown,
		Optional:            true,
		Attributes:          build(fields, ephemeralBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// ListAttribute returns the attribute `cluster` of a list resource, with its validation.
func ListAttribute() listschema.SingleNestedAttribute {
	return listschema.SingleNestedAttribute{
		MarkdownDescription: listMarkdown,
		Optional:            true,
		Attributes:          build(fields, listBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// ActionAttribute returns the attribute `cluster` of an action, with its validation.
func ActionAttribute() actionschema.SingleNestedAttribute {
	return actionschema.SingleNestedAttribute{
		MarkdownDescription: actionMarkdown,
		Optional:            true,
		Attributes:          build(fields, actionBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}
