// Package objectresource has the resources k8sconnect_manifest, one object, and k8sconnect_patch, some fields of an
// object that another client created. It decodes Terraform's requests, lets package objectkit do the work, and encodes
// the answer.
//
// # Identity
//
// The identity of a resource is apiVersion, kind, namespace, name and cluster_name, as in the import ID. Only
// cluster_name can change while the object stays, because a cluster can get another name. So the resources set
// MutableIdentity. Every response with an object sets the identity. A read that finds the object gone sets it
// too: states of older CLIs have none, and the plugin framework reports an error for a response without one. A
// plan that cannot determine the identity yet leaves it null, not unknown.
package objectresource

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/moving"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
)

var (
	_ resource.ResourceWithConfigure   = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan  = (*Resource)(nil)
	_ resource.ResourceWithImportState = (*Resource)(nil)
	_ resource.ResourceWithIdentity    = (*Resource)(nil)
	_ resource.ResourceWithMoveState   = (*Resource)(nil)

	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

// Resource answers Terraform's requests for objects, or for parts of objects of other clients.
type Resource struct {
	objectkit.Objects
	// schemas are what it validates objects against.
	schemas *providerdata.Schemas
	// attributes are those that the other resource does not have, or has with other validators.
	attributes func() map[string]schema.Attribute
	// sources are the resources of other providers whose states become states of this one by setMoved.
	sources  moving.Sources
	setMoved func(context.Context, *tfsdk.State, moving.Moved) diag.Diagnostics
}

// ForList returns what describes the objects of a list resource with these names as the resource does.
func ForList(names diagnostics.Names) Resource {
	return Resource{Objects: objectkit.Objects{Names: names}}
}

// namesOf returns the names in diagnostics of a resource and its attributes. target is the one that names the object;
// "" if the manifest does.
func namesOf(typeName, target string) diagnostics.Names {
	return diagnostics.OfResource(diagnostics.Names{
		Type: typeName, Target: target, Cluster: attributes.AttributeName,
		Sent: diagnostics.Sent{
			Body: "yaml_body", WriteOnlyBody: model.WriteOnlyAttribute,
			WriteOnlyVersion: model.WriteOnlyVersionAttribute,
		},
		Shown:    diagnostics.Shown{FieldOwnership: "field_ownership", ManagedState: "managed_state"},
		Timeouts: diagnostics.Timeouts{Block: "timeouts"},
	})
}

// Metadata implements resource.Resource.
func (r *Resource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.Names.Type
	resp.ResourceBehavior.MutableIdentity = true // A cluster can get another name.
}

// Schema implements resource.Resource.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = attributes.Schema(ctx, r.Names.Type, r.attributes())
}

// MoveState implements resource.ResourceWithMoveState.
func (r *Resource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{r.sources.Mover(r.Names, r.setMoved)}
}

// private is the private state of a request and of its response. A create has none in the request.
type private struct {
	privatestate.PrivateState
	privatestate.PrivateWriter
}

// Configure implements resource.ResourceWithConfigure.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.SetProvider(providerdata.FromProviderData(req.ProviderData, &resp.Diagnostics))
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *Resource) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = model.IdentitySchema()
}

// AnsweredAhead marks a resource whose reads and plans the server answers ahead of the plugin framework; see package
// fastpath.
func (r *Resource) AnsweredAhead() {}

// NoteStored notes a state that may be that of an unfinished create, for a plan without a refresh; see package
// fastpath.
func (r *Resource) NoteStored(ctx context.Context, stored tfsdk.State) {
	state := r.Model()
	if diags := state.Read(ctx, stored); r.Provider() != nil && !diags.HasError() {
		results.UnfinishedOnes{Provider: r.Provider()}.NoteStored(ctx, state)
	}
}
