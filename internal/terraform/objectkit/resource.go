package objectkit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

var (
	_ resource.ResourceWithConfigure   = (*embedding)(nil)
	_ resource.ResourceWithModifyPlan  = (*embedding)(nil)
	_ resource.ResourceWithImportState = (*embedding)(nil)
	_ resource.ResourceWithIdentity    = (*embedding)(nil)

	_ resource.ResourceWithValidateConfig = (*embedding)(nil)
)

// Resource plans, applies, reads and destroys an object, or part of one, for a resource that embeds it and adds its name and its schema.
type Resource struct {
	// Words are what diagnostics say of the resource.
	Words diagnostics.Words
	// IsPart says that the resource applies part of an object that somebody else created.
	IsPart bool

	provider *providerdata.Provider
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

// AnsweredAhead marks a resource whose reads and plans the server answers ahead of the plugin framework; see package fastpath.
func (r *Resource) AnsweredAhead() {}

// connectToApply returns the cluster for an operation of an apply, and the uid of the cluster. The diagnostics have an error if it is not the
// cluster of the snapshot.
func (r *Resource) connectToApply(ctx context.Context, of attributes.Connection, operation diagnostics.Operation, snapshot record.Snapshot) (cluster.Interface, string, diag.Diagnostics) {
	api, diags := r.provider.ConnectToApply(ctx, of)
	if diags.HasError() {
		return nil, "", diags
	}
	uid, err := r.provider.Recognize(ctx, of, api, snapshot.Object, snapshot.Cluster)
	switch {
	case err == nil:
	case cluster.LacksCredentials(err) && of.IsOwn() && (operation == diagnostics.Deleted || operation == diagnostics.TakenBack):
		diags.Append(r.Words.StaleDelete(snapshot.Object, err))
	default:
		diags.Append(r.explain(operation, snapshot.Object, err))
	}
	return api, uid, diags
}

// explain returns the diagnostic for a failed operation on an object.
func (r *Resource) explain(operation diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	if conflicts, is := errors.AsType[*ssa.ConflictsError](err); is {
		return r.Words.ConflictsRefused(conflicts.Plan, time.Now())
	}
	if unplanned, is := errors.AsType[*ssa.UnplannedError](err); is {
		return r.Words.Unplanned(unplanned, time.Now())
	}
	return r.provider.Explain(r.Words, operation, id, err)
}
