// Package ownershipdatasource has the data source k8sconnect_field_ownership: who owns which field of an object
// on the cluster. The package decodes the arguments, reads the object, and encodes the report of package blame.
package ownershipdatasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*ownershipDataSource)(nil)

type ownershipDataSource struct {
	provider *providerdata.Provider
}

// New returns the data source k8sconnect_field_ownership.
func New() datasource.DataSource { return &ownershipDataSource{} }

func (d *ownershipDataSource) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_field_ownership"
}

func (d *ownershipDataSource) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	provider, diags := providerdata.FromProviderData(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	d.provider = provider
}
