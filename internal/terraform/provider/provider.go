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
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/actions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/datasources"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/functions"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/manifestlist"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/manifestresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/patchresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/rendered"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/setresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
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

type model struct {
	Cluster      types.Object  `tfsdk:"cluster"`
	Clusters     types.Map     `tfsdk:"clusters"`
	FieldManager types.String  `tfsdk:"field_manager"`
	QPS          types.Float64 `tfsdk:"qps"`
	Burst        types.Int64   `tfsdk:"burst"`
	Rules        types.Dynamic `tfsdk:"rules"`
	Schemas      types.String  `tfsdk:"schemas"`

	PlanWithoutDryRun types.String `tfsdk:"plan_without_dry_run"`
}

// Metadata implements provider.Provider.
func (p *k8sconnect) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "k8sconnect"
	resp.Version = p.version
}

// Schema implements provider.Provider.
func (p *k8sconnect) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages any Kubernetes object by server-side apply. The plan shows who owns each " +
			"field now, and who will own it after the apply.",
		Attributes: map[string]schema.Attribute{
			attributes.AttributeName:     attributes.ProviderAttribute(),
			attributes.ClustersAttribute: attributes.ClustersOfProvider(),
			attributes.RulesAttribute:    attributes.Rules(),
			"field_manager": schema.StringAttribute{
				MarkdownDescription: "Name under which the API server records the fields that this provider " +
					"owns: 1 to 128 printable " +
					"characters. Two configurations that manage the same object need two names. Default: `" +
					providerdata.DefaultFieldManager + "`.",
				Optional:   true,
				Validators: []validator.String{attributes.FieldManagerValidator()},
			},
			"plan_without_dry_run": schema.StringAttribute{
				MarkdownDescription: "What a plan does if the credentials may read an object and not write it: " +
					"`never`, the default, is an error. With `if_forbidden`, the plan shows which fields " +
					"other managers own, and computed values are known after the apply. A warning lists the " +
					"missing rights. See [Plan with read-only credentials]" +
					"(guides/authentication.md#plan-with-read-only-credentials).",
				Optional:   true,
				Validators: []validator.String{validators.OneOf(providerdata.Never, providerdata.IfForbidden)},
			},
			providerdata.SchemasAttribute: schema.StringAttribute{
				MarkdownDescription: "A folder with the schemas of a cluster, which `terraform-provider-k8sconnect " +
					"schemas` writes. `terraform validate` and plans check manifests against them, without a " +
					"cluster. It counts before the environment variable `" + providerdata.SchemasVariable + "`. See " +
					"[Validation without a cluster](guides/validation.md).",
				Optional: true,
			},
			"qps": schema.Float64Attribute{
				MarkdownDescription: "Maximum number of requests per second to one cluster, more than 0. Default: " +
					"no limit; the API server's priority and fairness limits the rate.",
				Optional:   true,
				Validators: []validator.Float64{validators.AtLeastFloat(0.001)},
			},
			"burst": schema.Int64Attribute{
				MarkdownDescription: "Maximum number of requests at once before `qps` limits the rate, at least 1. " +
					"Default: `qps` rounded up.",
				Optional: true,
				Validators: []validator.Int64{
					validators.Between(1, 1<<31-1),
					validators.Needs("qps"),
				},
			},
		},
	}
}

// ValidateConfig implements provider.ProviderWithValidateConfig. Terraform validates the provider block before the
// resources, in the same process.
func (p *k8sconnect) ValidateConfig(
	ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse,
) {
	var folder types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(providerdata.SchemasAttribute), &folder)...)
	p.schemas.Use(folder)
}

// Configure implements provider.Provider. It sends no request: a provider needs no connection if each of its
// resources has its own cluster.
func (p *k8sconnect) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	p.schemas.Use(m.Schemas)
	pool := kube.NewPool(connect.Options{
		Version: p.version,
		QPS:     float32(m.QPS.ValueFloat64()),
		Burst:   int(m.Burst.ValueInt64()),
	})
	settings := providerdata.Settings{
		Cluster: m.Cluster, Clusters: m.Clusters, FieldManager: m.FieldManager, Rules: m.Rules,
		PlanWithoutDryRun: m.PlanWithoutDryRun, Schemas: p.schemas,
	}
	data, diags := providerdata.New(ctx, pool, settings, os.Getenv)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	p.data.Store(data)
	resp.ResourceData = data
	resp.DataSourceData = data
	resp.EphemeralResourceData = data
	resp.ListResourceData = data
	resp.ActionData = data
}

// Resources implements provider.Provider.
func (p *k8sconnect) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return manifestresource.New(p.schemas) },
		func() resource.Resource { return patchresource.New(p.schemas) },
		func() resource.Resource { return setresource.New(p.schemas) },
		waitresource.New,
	}
}

// DataSources implements provider.Provider.
func (p *k8sconnect) DataSources(context.Context) []func() datasource.DataSource {
	return append(datasources.All(), rendered.All()...)
}

// EphemeralResources implements provider.ProviderWithEphemeralResources.
func (p *k8sconnect) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{datasources.NewObjectEphemeral}
}

// ListResources implements provider.ProviderWithListResources.
func (p *k8sconnect) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{manifestlist.New}
}

// Actions implements provider.ProviderWithActions.
func (p *k8sconnect) Actions(context.Context) []func() action.Action {
	return []func() action.Action{actions.NewDisown, actions.NewRestart, actions.NewRunJob, actions.NewWait}
}

// Functions implements provider.ProviderWithFunctions.
func (p *k8sconnect) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		functions.NewAnnotateYAML, functions.NewDocuments, functions.NewGuard, functions.NewParseManagedFields,
		functions.NewProblems(os.Getenv(providerdata.SchemasVariable)), functions.NewTOSCA,
	}
}
