package setresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var _ resource.ResourceWithModifyPlan = (*setResource)(nil)

type setResource struct {
	Names diagnostics.Names
	// kit plans and applies each object.
	kit      objectkit.Objects
	provider *providerdata.Provider
	schemas  *providerdata.Schemas
}

// New returns the resource k8sconnect_manifests. schemas are what it validates objects against.
func New(schemas *providerdata.Schemas) resource.Resource {
	return &setResource{Names: names, kit: objectkit.Objects{Names: names}, schemas: schemas}
}

// Metadata implements resource.Resource.
func (r *setResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_manifests"
}

// Configure implements resource.ResourceWithConfigure.
func (r *setResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.provider = providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics)
	r.kit.SetProvider(r.provider)
}

// AnsweredAhead marks a resource whose reads and plans the server answers ahead of the plugin framework; see package
// fastpath.
func (r *setResource) AnsweredAhead() {}

// names are the names of this resource and of its attributes in diagnostics.
var names = diagnostics.OfResource(diagnostics.Names{
	Type: "k8sconnect_manifests",
	Sent: diagnostics.Sent{
		Body: manifestsAttribute, WriteOnlyBody: writeOnlyAttribute, WriteOnlyVersion: writeOnlyVersionAttribute,
	},
	Cluster:  attributes.AttributeName,
	Timeouts: diagnostics.Timeouts{Block: "timeouts"},
})
