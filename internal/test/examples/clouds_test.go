package examples_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"k8s.io/client-go/rest"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/kubernetesstub"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/test/story"
)

// cloud replaces the provider of a cloud. Its resources, data sources and ephemeral resources have the attributes that the examples use
// of the real ones. They describe the control plane, and give away a token of it.
type cloud struct {
	data      []func() datasource.DataSource
	ephemeral []func() ephemeral.EphemeralResource
	resources []func() resource.Resource
	schema    providerschema.Schema
	name      string
}

// serveClouds serves the providers of the clouds until the test ends, and returns the environment variable that tells a CLI where.
func serveClouds(t *testing.T, token string, admin *rest.Config) string {
	t.Helper()
	host, authority := admin.Host, encoded(admin.CAData)
	eks := map[string]any{"endpoint": host, "certificate_authority": []map[string]string{{"data": authority}}}
	gke := map[string]any{
		"endpoint": strings.TrimPrefix(host, "https://"), "master_auth": []map[string]string{{"cluster_ca_certificate": authority}},
	}
	aks := map[string]any{"kube_config": []map[string]string{{
		"host": host, "cluster_ca_certificate": authority,
		"client_certificate": encoded(admin.CertData), "client_key": encoded(admin.KeyData),
	}}}
	clouds := map[string]cloud{
		"hashicorp/aws": {
			name: "aws", resources: amazon(eks), schema: configured("region"),
			data: one(cloudData{"eks_cluster", []string{"name"}, eks}),
			ephemeral: []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource {
				return cloudToken{"eks_cluster_auth", []string{"name"}, "token", token}
			}},
		},
		"hashicorp/google": {
			name: "google", resources: google(gke), schema: configured("project", "region"),
			data: one(cloudData{"container_cluster", []string{"name", "location"}, gke}),
			ephemeral: []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource {
				return cloudToken{"client_config", nil, "access_token", token}
			}},
		},
		"hashicorp/azurerm": {
			name: "azurerm", resources: azure(aks),
			schema: providerschema.Schema{Blocks: map[string]providerschema.Block{"features": providerschema.ListNestedBlock{}}},
			data:   one(cloudData{"kubernetes_cluster", []string{"name", "resource_group_name"}, aks}),
		},
	}
	servers := map[string]tfprotov6.ProviderServer{}
	for address, provider := range clouds {
		servers[address] = providerserver.NewProtocol6(provider)()
	}
	variable, err := kubernetesstub.ServeAll(t, servers)
	story.Must(t, err)
	return variable
}

func encoded(pem []byte) string { return base64.StdEncoding.EncodeToString(pem) }

func one(data cloudData) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return data }}
}

func (c cloud) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = c.name
}
func (c cloud) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = c.schema
}
func (cloud) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (c cloud) DataSources(context.Context) []func() datasource.DataSource { return c.data }
func (c cloud) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return c.ephemeral
}
func (c cloud) Resources(context.Context) []func() resource.Resource { return c.resources }

// configured returns the schema of a provider with arguments of that name.
func configured(names ...string) providerschema.Schema {
	attributes := map[string]providerschema.Attribute{}
	for _, name := range names {
		attributes[name] = providerschema.StringAttribute{Optional: true}
	}
	return providerschema.Schema{Attributes: attributes}
}

// cloudData is a data source about a cluster.
type cloudData struct {
	name      string
	arguments []string
	// values are texts, and lists of blocks of texts.
	values map[string]any
}

func (d cloudData) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.name
}

func (d cloudData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := map[string]dataschema.Attribute{}
	for _, name := range d.arguments {
		attributes[name] = dataschema.StringAttribute{Required: true}
	}
	for name, value := range d.values {
		attributes[name] = dataschema.StringAttribute{Computed: true}
		if _, isList := value.([]map[string]string); isList {
			attributes[name] = dataschema.ListAttribute{Computed: true, ElementType: types.MapType{ElemType: types.StringType}}
		}
	}
	resp.Schema = dataschema.Schema{Attributes: attributes}
}

func (d cloudData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	resp.State.Raw = req.Config.Raw
	for name, value := range d.values {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// cloudToken is an ephemeral resource that has a token.
type cloudToken struct {
	name             string
	arguments        []string
	attribute, token string
}

func (t cloudToken) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + t.name
}

func (t cloudToken) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	attributes := map[string]ephemeralschema.Attribute{t.attribute: ephemeralschema.StringAttribute{Computed: true, Sensitive: true}}
	for _, name := range t.arguments {
		attributes[name] = ephemeralschema.StringAttribute{Required: true}
	}
	resp.Schema = ephemeralschema.Schema{Attributes: attributes}
}

func (t cloudToken) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	resp.Result.Raw = req.Config.Raw
	resp.Diagnostics.Append(resp.Result.SetAttribute(ctx, path.Root(t.attribute), t.token)...)
}
