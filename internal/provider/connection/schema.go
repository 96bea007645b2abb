package connection

import (
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

const (
	providerMarkdown = "Cluster of all resources that do not name one themselves. Provider configuration is never " +
		"written to the state. Left out, the environment variables `KUBE_CONFIG_PATH` and `KUBE_CTX` take its place."
	resourceMarkdown = "Cluster of this resource, instead of the provider's. It replaces the provider's connection as a " +
		"whole and is stored in the state, credentials included; the provider's is not."
	dataSourceMarkdown = "Cluster of this data source, instead of the provider's. It replaces the provider's connection as a " +
		"whole and is stored in the state, credentials included; the provider's is not."
)

// ProviderAttribute returns the attribute `cluster` of the provider, with its validation.
func ProviderAttribute() providerschema.SingleNestedAttribute {
	return providerschema.SingleNestedAttribute{
		MarkdownDescription: providerMarkdown,
		Optional:            true,
		Attributes:          attributes(fields, providerBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// ResourceAttribute returns the attribute `cluster` of a resource, with its validation.
func ResourceAttribute() resourceschema.SingleNestedAttribute {
	return resourceschema.SingleNestedAttribute{
		MarkdownDescription: resourceMarkdown,
		Optional:            true,
		Attributes:          attributes(fields, resourceBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}

// DataSourceAttribute returns the attribute `cluster` of a data source, with its validation.
func DataSourceAttribute() datasourceschema.SingleNestedAttribute {
	return datasourceschema.SingleNestedAttribute{
		MarkdownDescription: dataSourceMarkdown,
		Optional:            true,
		Attributes:          attributes(fields, dataSourceBuilder()),
		Validators:          []validator.Object{Valid()},
	}
}
