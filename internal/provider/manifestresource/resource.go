package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/providerdata"
)

var (
	_ resource.ResourceWithConfigure   = (*manifestResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*manifestResource)(nil)
	_ resource.ResourceWithImportState = (*manifestResource)(nil)
	_ resource.ResourceWithIdentity    = (*manifestResource)(nil)
)

type manifestResource struct {
	provider *providerdata.Provider
}

// New returns the resource k8sconnect_manifest.
func New() resource.Resource { return &manifestResource{} }

func (r *manifestResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_manifest"
}

func (r *manifestResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	provider, diags := providerdata.FromProviderData(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	r.provider = provider
}
