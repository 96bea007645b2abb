package objectkit

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// Objects plans, applies, reads and destroys objects, or parts of them, one at a time.
type Objects struct {
	// Names are what diagnostics say of the resource.
	Names diagnostics.Names
	// IsPart is true if the resource applies part of an object that another client created.
	IsPart bool

	provider *providerdata.Provider
}

// SetProvider sets what the resource is configured with.
func (r *Objects) SetProvider(provider *providerdata.Provider) { r.provider = provider }

// Provider returns what the resource is configured with; nil before that.
func (r *Objects) Provider() *providerdata.Provider { return r.provider }

// Model returns an empty model of the resource.
func (r *Objects) Model() *model.Model { return &model.Model{IsPart: r.IsPart} }

// work returns the work on arguments of the resource.
func (r *Objects) work(api cluster.Interface, args arguments.Arguments) engine.Work {
	return engine.Work{API: api, Args: args, Run: r.provider.Run()}
}

// connectToApply returns the cluster for an operation of an apply, and the uid of the cluster. The diagnostics have an
// error if it is not the cluster of the snapshot.
func (r *Objects) connectToApply(
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

func (r *Objects) explain(operation diagnostics.Operation, id manifest.Identity, err error) diag.Diagnostic {
	if conflicts, is := errors.AsType[*ssa.ConflictsError](err); is {
		return changes.Refused(r.Names, conflicts.Plan, time.Now())
	}
	if unplanned, is := errors.AsType[*ssa.UnplannedError](err); is {
		return changes.Unplanned(r.Names, unplanned, time.Now())
	}
	return r.provider.Explain(r.Names, operation, id, err)
}

func priorOf(
	ctx context.Context, state *model.Model, private privatestate.PrivateState,
) (record.Prior, diag.Diagnostics) {
	snapshot, diags := privatestate.LoadSnapshot(ctx, private)
	if diags.HasError() {
		return record.Prior{}, diags
	}
	return state.Prior(snapshot)
}

// Read is what a refresh of an object has found.
type Read struct {
	Diags  diag.Diagnostics
	Object manifest.Identity
	// IsGone is true if the object does not exist any more.
	IsGone bool
	// private is where the snapshot is saved.
	private privatestate.Private
}

// holderOf returns what tells a resource from others.
func holderOf(w diagnostics.Names, of *model.Model) run.Holder {
	return run.Holder{Type: w.Type, Adopts: model.Adopts(of), IsStored: of.IsStored}
}
