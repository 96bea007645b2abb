// Package datasources has the data sources that read a cluster, which [All] returns, and the ephemeral resource that
// does. They decode their arguments, read objects with package reading, and encode what they have found.
package datasources

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

// All returns a constructor of each data source.
func All() []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &objectSource{connected{name: "object", names: objectNames}} },
		func() datasource.DataSource { return &objectsSource{connected{name: "objects", names: objectsNames}} },
		func() datasource.DataSource {
			return &ownershipSource{connected{name: "field_ownership", names: ownershipNames}}
		},
	}
}

// connected is the part of a data source that reads a cluster.
type connected struct {
	// name is that of the data source, without the provider.
	name string
	// names are the names of the data source and its attributes in diagnostics.
	names    diagnostics.Names
	provider *providerdata.Provider
}

// Metadata sets the name of the data source.
func (c *connected) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + c.name
}

// Configure sets the provider's data.
func (c *connected) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	c.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// connect returns the cluster to read from; nil if the response contains an error, or defers the data source to a later
// run because its connection is unknown in this one. With a CLI that cannot defer, that is an error.
func (c *connected) connect(
	ctx context.Context, of attributes.Connection, about manifest.Identity, req datasource.ReadRequest,
	resp *datasource.ReadResponse,
) cluster.Interface {
	if req.ClientCapabilities.DeferralAllowed && c.provider.IsDeferred(ctx, of) {
		// As the framework answers if the provider as a whole defers.
		resp.State.Raw = tftypes.NewValue(resp.State.Schema.Type().TerraformType(ctx), tftypes.UnknownValue)
		resp.Deferred = &datasource.Deferred{Reason: datasource.DeferredReasonProviderConfigUnknown}
		return nil
	}
	api, diags := reading.Connect(ctx, c.provider, c.names, of, about)
	resp.Diagnostics.Append(diags...)
	return api
}
