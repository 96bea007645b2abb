package patchresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

type patchResource struct {
	objectresource.Resource
}

// New returns the resource k8sconnect_patch. schemas are what it validates objects against.
func New(schemas *providerdata.Schemas) resource.Resource {
	return &patchResource{objectresource.OfParts(names, schemas)}
}

func (r *patchResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_patch"
	resp.ResourceBehavior.MutableIdentity = true // A cluster can get another name.
}

// names are the names of this resource and its attributes in diagnostics.
var names = objectresource.Names("k8sconnect_patch", "target")
