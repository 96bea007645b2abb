package patchresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
)

type patchResource struct {
	objectresource.Resource
}

// New returns the resource k8sconnect_patch.
func New() resource.Resource {
	return &patchResource{objectresource.OfParts(names)}
}

func (r *patchResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_patch"
	resp.ResourceBehavior.MutableIdentity = true // A cluster can get another name.
}
