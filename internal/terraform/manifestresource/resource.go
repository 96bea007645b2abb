package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectresource"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

type manifestResource struct {
	objectresource.Resource
}

// New returns the resource k8sconnect_manifest. schemas are what it validates objects against.
func New(schemas *providerdata.Schemas) resource.Resource {
	return &manifestResource{objectresource.Of(names, schemas)}
}

func (r *manifestResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_manifest"
	resp.ResourceBehavior.MutableIdentity = true // A cluster can get another name.
}

// names are the names of this resource and its attributes in diagnostics.
var names = objectresource.Names("k8sconnect_manifest", "")
