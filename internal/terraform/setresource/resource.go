// Package setresource is the resource k8sconnect_manifests: many objects, of which each is planned and applied as
// k8sconnect_manifest plans and applies its one.
//
// # One engine
//
// A set has no rules of its own for an object. For each entry of manifests it makes the model of a resource
// k8sconnect_manifest, and lets [objectkit.Objects] plan, apply, read and delete it. The set keeps for each entry the
// data that Terraform keeps for that resource: the computed attributes and private state; see stored.
//
// The set itself matches the entries of the state to those of the configuration, orders the objects, decides which
// objects are skipped after a failure, and shows attributes with the differences alone.
//
// # State
//
// The state contains the manifests, and of the computed data only the deviations from them. The owners and the values
// of all fields are in private state, which package serve compresses.
package setresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

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

// Schema implements resource.Resource.
func (r *setResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = attributes.Schema(ctx, names.Type, map[string]schema.Attribute{
		manifestsAttribute:        schema.DynamicAttribute{Required: true},
		secretAttribute:           schema.DynamicAttribute{Optional: true, Sensitive: true},
		writeOnlyAttribute:        attributes.WriteOnlyParts(writeOnlyVersionAttribute),
		writeOnlyVersionAttribute: attributes.WriteOnlyVersion(writeOnlyAttribute),
		"take_over_release":       attributes.ReleaseOfHelm(),
		"hooks":                   schema.MapAttribute{Optional: true, ElementType: types.StringType},
		"hooks_to_run":            schema.ListAttribute{Computed: true, ElementType: types.StringType},
		"revision":                schema.Int64Attribute{Computed: true},
		"objects":                 schema.MapAttribute{Computed: true, ElementType: objectType},
		"owners_elsewhere":        schema.MapAttribute{Computed: true, ElementType: listsType},
		"drifted":                 schema.MapAttribute{Computed: true, ElementType: textsType},
		"pending":                 attributes.ComputedTexts(),
	})
}
