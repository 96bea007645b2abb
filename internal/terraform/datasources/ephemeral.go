package datasources

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/reading"
)

var _ ephemeral.EphemeralResourceWithConfigure = (*objectEphemeral)(nil)

type objectEphemeral struct {
	provider *providerdata.Provider
}

// NewObjectEphemeral returns the ephemeral resource k8sconnect_object: an object on the cluster, which neither the
// state nor a plan stores.
func NewObjectEphemeral() ephemeral.EphemeralResource { return &objectEphemeral{} }

type ephemeralModel struct {
	reading.Target
	Optional types.Bool `tfsdk:"optional"`
	reading.Result
}

// ephemeralNames are the names of this ephemeral resource and its attributes in diagnostics.
var ephemeralNames = diagnostics.Names{
	Noun: "ephemeral resource", Type: "k8sconnect_object", Target: "its name and namespace",
	Cluster: attributes.AttributeName, Timeouts: diagnostics.Timeouts{Fixed: readTimeout},
	Reads: diagnostics.Reads{
		Optional: reading.OptionalAttribute, KnownInApply: "k8sconnect_manifest.NAME.object_ref.uid",
	},
}

func (e *objectEphemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_object"
}

func (e *objectEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	const block = "ephemeral k8sconnect_object"
	resp.Schema = schema.Schema{
		MarkdownDescription: attributes.DescriptionOf(block, attributes.TheBlock),
		Attributes:          attributes.Described(block, reading.EphemeralAttributes()),
	}
}

func (e *objectEphemeral) Configure(
	_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse,
) {
	e.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// Open reads the object with one GET.
func (e *objectEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m ephemeralModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	// If the connection is unknown, Terraform would accept unknown values, but OpenTofu reports them as a bug of the
	// provider.
	api, diags := reading.Connect(ctx, e.provider, ephemeralNames, m.Connection, m.Target.Object())
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	found, diags := reading.Request{
		Object: m.Target.Object(), Optional: m.Optional.ValueBool(), Names: ephemeralNames,
	}.Read(ctx, api)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	m.Locate(found.Object)
	m.Result = reading.NewResult(found, reading.WithData)
	resp.Diagnostics.Append(resp.Result.Set(ctx, &m)...)
}
