// Package provider registers the resources, data sources, functions and actions of the provider k8sconnect.
package provider

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/actions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/datasources"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/functions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/manifestlist"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/rendered"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/setresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waitresource"
)

var (
	_ provider.ProviderWithFunctions          = (*k8sconnect)(nil)
	_ provider.ProviderWithEphemeralResources = (*k8sconnect)(nil)
	_ provider.ProviderWithListResources      = (*k8sconnect)(nil)
	_ provider.ProviderWithActions            = (*k8sconnect)(nil)
	_ provider.ProviderWithValidateConfig     = (*k8sconnect)(nil)
)

// New returns a function that makes the provider; version goes into its metadata and into the User-Agent of its
// requests.
func New(version string) func() provider.Provider {
	return func() provider.Provider {
		return &k8sconnect{version: version, schemas: providerdata.NewSchemas(os.Getenv(providerdata.SchemasVariable))}
	}
}

type k8sconnect struct {
	version string
	// schemas are what resources validate objects against, also before Configure.
	schemas *providerdata.Schemas
	// data is the value that Configure passes to resources.
	data atomic.Pointer[providerdata.Provider]
}

// ResourceData returns what Configure has passed to resources; nil before that.
func (p *k8sconnect) ResourceData() any {
	// A nil pointer in an any would not be nil.
	if data := p.data.Load(); data != nil {
		return data
	}
	return nil
}

func (p *k8sconnect) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "k8sconnect"
	resp.Version = p.version
}

func (p *k8sconnect) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return objectresource.NewManifest(p.schemas) },
		func() resource.Resource { return objectresource.NewPatch(p.schemas) },
		func() resource.Resource { return setresource.New(p.schemas) }, waitresource.New,
	}
}

func (p *k8sconnect) DataSources(context.Context) []func() datasource.DataSource {
	return append(datasources.All(), rendered.All()...)
}

func (p *k8sconnect) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{datasources.NewObjectEphemeral}
}

func (p *k8sconnect) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{manifestlist.New}
}

func (p *k8sconnect) Actions(context.Context) []func() action.Action {
	return []func() action.Action{actions.NewDisown, actions.NewRestart, actions.NewRunJob, actions.NewWait}
}

func (p *k8sconnect) Functions(context.Context) []func() function.Function {
	return functions.All(os.Getenv(providerdata.SchemasVariable))
}
