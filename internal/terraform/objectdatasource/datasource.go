// Package objectdatasource has the data source k8sconnect_object: an object on the cluster, whoever created it.
package objectdatasource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*objectDataSource)(nil)

type objectDataSource struct {
	provider *providerdata.Provider
}

// New returns the data source k8sconnect_object.
func New() datasource.DataSource { return &objectDataSource{} }

func (d *objectDataSource) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_object"
}

func (d *objectDataSource) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	provider, diags := providerdata.FromProviderData(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	d.provider = provider
}
