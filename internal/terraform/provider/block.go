package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/kube/connect"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
)

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
