// Package datasources has the data sources that read a cluster, which [All] returns, and the ephemeral resource that
// does. They decode their arguments, read objects with package reading, and encode what they have found.
package datasources

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/validators"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
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

func (d *ownershipSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := schema.StringAttribute{Computed: true}
	owner := map[string]schema.Attribute{
		"manager": text, "operation": text, "subresource": text, "api_version": text, "time": text,
	}
	list := func(of map[string]schema.Attribute) schema.Attribute {
		return schema.ListNestedAttribute{Computed: true, NestedObject: schema.NestedAttributeObject{Attributes: of}}
	}
	owners := list(maps.Clone(owner))
	owner["fields"] = schema.Int64Attribute{Computed: true}
	all := map[string]schema.Attribute{
		"manager": schema.StringAttribute{
			Optional: true, Validators: []validator.String{attributes.ManagerValidator(attributes.MayEndInStar)},
		},
		"path":           schema.StringAttribute{Optional: true, Validators: []validator.String{fieldPath}},
		"include_status": schema.BoolAttribute{Optional: true},
		"fields":         list(map[string]schema.Attribute{"path": text, "value": text, "owners": owners}),
		"managers":       list(owner),
		"stale":          list(map[string]schema.Attribute{"path": text, "owners": owners}),
		"unowned":        list(map[string]schema.Attribute{"path": text, "value": text}),
		"annotated_yaml": text,
	}
	maps.Copy(all, reading.TargetAttributes())
	resp.Schema = attributes.DataSource(d.name, all)
}

var fieldPath = validators.Checked("a field path", func(text string) string {
	if _, err := paths.ParseArgument(text); err != nil {
		return err.Error()
	}
	return ""
})

type objectModel struct {
	reading.Target
	Optional types.Bool     `tfsdk:"optional"`
	Wait     types.Object   `tfsdk:"wait"`
	Ready    types.Bool     `tfsdk:"ready"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
	reading.Result
}

func (d *objectSource) Schema(ctx context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	all := reading.ObjectAttributes()
	maps.Copy(all, attributes.In[schema.Attribute](waits.Attributes()))
	resp.Schema = attributes.DataSource(d.name, all)
	resp.Schema.Blocks = map[string]schema.Block{
		"timeouts": attributes.Timeouts(ctx, "data k8sconnect_object", timeouts.Opts{Read: true}),
	}
}

type objectsModel struct {
	reading.Collection
	LabelSelector types.String  `tfsdk:"label_selector"`
	FieldSelector types.String  `tfsdk:"field_selector"`
	Manager       types.String  `tfsdk:"manager"`
	Limit         types.Int64   `tfsdk:"limit"`
	MetadataOnly  types.Bool    `tfsdk:"metadata_only"`
	Objects       types.Dynamic `tfsdk:"objects"`
	IDs           []string      `tfsdk:"ids"`
	Truncated     types.Bool    `tfsdk:"truncated"`
}

func (d *objectsSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	all := map[string]schema.Attribute{
		"label_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.LabelSelector}},
		"field_selector": schema.StringAttribute{Optional: true, Validators: []validator.String{reading.FieldSelector}},
		"manager": schema.StringAttribute{
			Optional: true, Validators: []validator.String{attributes.ManagerValidator(attributes.MayEndInStar)},
		},
		"limit": schema.Int64Attribute{
			Optional: true, Validators: []validator.Int64{validators.Between(1, 1<<31-1)},
		},
		"metadata_only": schema.BoolAttribute{Optional: true},
		"objects":       schema.DynamicAttribute{Computed: true},
		"ids":           schema.ListAttribute{Computed: true, ElementType: types.StringType},
		"truncated":     schema.BoolAttribute{Computed: true},
	}
	maps.Copy(all, reading.CollectionAttributes())
	resp.Schema = attributes.DataSource(d.name, all)
}
