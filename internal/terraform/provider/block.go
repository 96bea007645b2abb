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

func (p *k8sconnect) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	const block = "k8sconnect"
	resp.Schema = schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(block, attributes.TheBlock),
		Attributes: attributes.Described(block, map[string]schema.Attribute{
			attributes.AttributeName:     attributes.ProviderAttribute(),
			attributes.ClustersAttribute: attributes.ClustersOfProvider(),
			attributes.RulesAttribute:    attributes.Rules(),
			"field_manager": schema.StringAttribute{
				Optional: true, Validators: []validator.String{attributes.FieldManagerValidator()},
			},
			"plan_without_dry_run": schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{validators.OneOf(providerdata.Never, providerdata.IfForbidden)},
			},
			providerdata.SchemasAttribute: schema.StringAttribute{Optional: true},
			"qps": schema.Float64Attribute{
				Optional: true, Validators: []validator.Float64{validators.AtLeastFloat(0.001)},
			},
			"burst": schema.Int64Attribute{
				Optional: true, Validators: []validator.Int64{validators.Between(1, 1<<31-1), validators.Needs("qps")},
			},
		}),
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
		Version: p.version, QPS: float32(m.QPS.ValueFloat64()), Burst: int(m.Burst.ValueInt64()),
	})
	settings := providerdata.Settings{
		Cluster: m.Cluster, Clusters: m.Clusters, FieldManager: m.FieldManager, Rules: m.Rules,
		PlanWithoutDryRun: m.PlanWithoutDryRun, Schemas: p.schemas, MayDefer: req.ClientCapabilities.DeferralAllowed,
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
