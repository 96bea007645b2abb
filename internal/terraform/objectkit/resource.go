package objectkit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var (
	_ resource.ResourceWithConfigure   = (*embedding)(nil)
	_ resource.ResourceWithModifyPlan  = (*embedding)(nil)
	_ resource.ResourceWithImportState = (*embedding)(nil)
	_ resource.ResourceWithIdentity    = (*embedding)(nil)

	_ resource.ResourceWithValidateConfig = (*embedding)(nil)
)

// Resource plans, applies, reads and destroys an object, or part of one, for a resource that embeds it and adds its
// name and its schema.
type Resource struct {
	// Names are what diagnostics say of the resource.
	Names diagnostics.Names
	// IsPart is true if the resource applies part of an object that another client created.
	IsPart bool

	provider *providerdata.Provider
}

// Private reads and writes what private state keeps of an object.
type Private interface {
	privatestate.PrivateState
	privatestate.PrivateWriter
}

// private is the private state of a request and of its response. A create has none in the request.
type private struct {
	privatestate.PrivateState
	privatestate.PrivateWriter
}

// embedding stands in for the resources that embed Resource, so that the compiler checks their interfaces.
type embedding struct {
	Resource
	named
}

type named interface {
	Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse)
	Schema(ctx context.Context, req resource.SchemaRequest, resp *resource.SchemaResponse)
}

// Configure implements resource.ResourceWithConfigure.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	provider, diags := providerdata.FromProviderData(req.ProviderData)
	resp.Diagnostics.Append(diags...)
	r.provider = provider
}

// model returns an empty model of the resource.
func (r *Resource) model() *model.Model { return &model.Model{IsPart: r.IsPart} }

// work returns the work on arguments of the resource.
func (r *Resource) work(api cluster.Interface, args arguments.Arguments) engine.Work {
	return engine.Work{API: api, Args: args, Run: r.provider.Run()}
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

// connectToApply returns the cluster for an operation of an apply, and the uid of the cluster. The diagnostics have an
// error if it is not the cluster of the snapshot.
func (r *Resource) connectToApply(
	ctx context.Context, of *model.Model, operation diagnostics.Operation, snapshot record.Snapshot,
) (cluster.Interface, string, diag.Diagnostics) {
	api, diags := r.provider.ConnectToApply(ctx, of.Connection)
	if diags.HasError() {
		return nil, "", diags
	}
	uid, err := r.provider.Recognize(ctx, of.Connection, api, snapshot.Object, snapshot.Cluster)
	switch {
	case err == nil:
	case cluster.LacksCredentials(err) && of.IsOwn() &&
		(operation == diagnostics.Deleted || operation == diagnostics.TakenBack):
		diags.Append(r.Names.StaleDelete(snapshot.Object, err))
	default:
		diags.Append(r.explain(operation, snapshot.Object, err))
	}
	return api, uid, diags
}

// explain returns the diagnostic for a failed operation on an object.
func (r *Resource) explain(operation diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	if conflicts, is := errors.AsType[*ssa.ConflictsError](err); is {
		return changes.Refused(r.Names, conflicts.Plan, time.Now())
	}
	if unplanned, is := errors.AsType[*ssa.UnplannedError](err); is {
		return changes.Unplanned(r.Names, unplanned, time.Now())
	}
	return r.provider.Explain(r.Names, operation, id, err)
}
