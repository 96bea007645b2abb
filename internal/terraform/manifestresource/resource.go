package manifestresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
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
var names = diagnostics.OfResource(diagnostics.Names{
	Type: "k8sconnect_manifest",
	Sent: diagnostics.Sent{
		Body: "yaml_body", WriteOnlyBody: model.WriteOnlyAttribute, WriteOnlyVersion: model.WriteOnlyVersionAttribute,
	},
	Cluster:  attributes.AttributeName,
	Shown:    diagnostics.Shown{FieldOwnership: "field_ownership", ManagedState: "managed_state"},
	Timeouts: diagnostics.Timeouts{Block: "timeouts"},
})
