// Package datasources has the data sources that read a cluster: [All] returns them. They decode their arguments, read
// objects with package reading, and encode what they have found.
package datasources

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// All returns a constructor of each data source.
func All() []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &objectSource{connected{name: "object"}} },
		func() datasource.DataSource { return &objectsSource{connected{name: "objects"}} },
		func() datasource.DataSource { return &ownershipSource{connected{name: "field_ownership"}} },
	}
}

// connected is the part of a data source that reads a cluster.
type connected struct {
	// name is that of the data source, without the provider.
	name     string
	provider *providerdata.Provider
}

// Metadata sets the name of the data source.
func (c *connected) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_" + c.name
}

// Configure sets the provider's data.
func (c *connected) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	provider, diags := providerdata.FromProviderData(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	c.provider = provider
}
