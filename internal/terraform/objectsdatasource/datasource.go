// Package objectsdatasource has the data source k8sconnect_objects: the objects of a kind that match selectors, or in
// which a manager owns fields.
package objectsdatasource

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var _ datasource.DataSourceWithConfigure = (*objectsDataSource)(nil)

type objectsDataSource struct {
	provider *providerdata.Provider
}

// timeout bounds a read, which is one request for each 500 objects.
const timeout = 5 * time.Minute

// names are what diagnostics say of this data source.
var names = diagnostics.Names{
	Noun: "data source", Type: "k8sconnect_objects", Target: "its kind and namespace",
	Cluster: attributes.AttributeName, FixedTimeout: timeout,
}

// New returns the data source k8sconnect_objects.
func New() datasource.DataSource { return &objectsDataSource{} }

func (d *objectsDataSource) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_objects"
}

func (d *objectsDataSource) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	provider, diags := providerdata.FromProviderData(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	d.provider = provider
}
