package waitresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

var (
	_ resource.ResourceWithConfigure      = (*waitResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*waitResource)(nil)
	_ resource.ResourceWithValidateConfig = (*waitResource)(nil)
)

type waitResource struct {
	// Names are the names of the resource and its attributes in diagnostics.
	Names diagnostics.Names

	provider *providerdata.Provider
}

// New returns the resource k8sconnect_wait.
func New() resource.Resource { return &waitResource{Names: names} }

func (r *waitResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_wait"
}

// Configure implements resource.ResourceWithConfigure.
func (r *waitResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
}

// AnsweredAhead marks a resource whose reads and plans the server answers ahead of the plugin framework; see package
// fastpath.
func (r *waitResource) AnsweredAhead() {}

// ValidateConfig refuses arguments that describe no valid wait.
func (r *waitResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var config types.Object
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(waits.Validate(path.Empty(), config.Attributes())...)
	}
}

// names are the names of this resource and its attributes in diagnostics.
var names = diagnostics.Names{
	Noun:     "resource",
	Type:     "k8sconnect_wait",
	Target:   "target",
	Cluster:  attributes.AttributeName,
	Timeouts: diagnostics.Timeouts{Block: "timeouts"},
}
