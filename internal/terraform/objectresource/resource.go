// Package objectresource answers Terraform's requests for k8sconnect_manifest and k8sconnect_patch: it decodes them,
// lets package objectkit do the work, and encodes the answer. A resource embeds [Resource]:
//
//	type manifestResource struct{ objectresource.Resource }
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

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/objectkit"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
)

var (
	_ resource.ResourceWithConfigure   = (*embedding)(nil)
	_ resource.ResourceWithModifyPlan  = (*embedding)(nil)
	_ resource.ResourceWithImportState = (*embedding)(nil)
	_ resource.ResourceWithIdentity    = (*embedding)(nil)

	_ resource.ResourceWithValidateConfig = (*embedding)(nil)
)

// Resource answers Terraform's requests for a resource that embeds it and adds its name and its schema.
type Resource struct {
	objectkit.Objects
	schemas *providerdata.Schemas
}

// Names returns the names in diagnostics of a resource and its attributes. target is the one that names the object; ""
// if the manifest does.
func Names(typeName, target string) diagnostics.Names {
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

// Of returns what a resource embeds whose objects it creates. schemas are what it validates objects against.
func Of(names diagnostics.Names, schemas *providerdata.Schemas) Resource {
	return Resource{objectkit.Objects{Names: names}, schemas}
}

// OfParts returns what a resource embeds that applies parts of objects of other clients.
func OfParts(names diagnostics.Names, schemas *providerdata.Schemas) Resource {
	return Resource{objectkit.Objects{Names: names, IsPart: true}, schemas}
}

// embedding stands in for the resources that embed Resource: it makes the compiler check their interfaces.
type embedding struct {
	Resource
	named
}

type named interface {
	Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse)
	Schema(ctx context.Context, req resource.SchemaRequest, resp *resource.SchemaResponse)
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
