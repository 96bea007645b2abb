// Package objectkit reads, plans, applies and deletes objects for the resources that have one, or many:
//
//	planned := objects.PlanObject(ctx, objectkit.Planning{Plan: plan, State: state, Private: private})
//	applied := objects.UpdateObject(ctx, objectkit.Applying{Plan: plan, State: state, Private: private})
//
// Plan and state are models, which package model makes of attributes. Package objectresource calls it for Terraform's
// requests about one object, and package setresource for each object of a set.
//
// # Private state
//
// Private state holds the snapshot, which package serve compresses. The maps of owners and values are attributes,
// which are not compressed. A read that finds the snapshot unchanged does not write it.
//
// # Moved states
//
// A state mover has no connection. It stores the object, the body and the field manager, and a snapshot with the mark
// Moved. The read that follows reads the object: the fields that this field manager owns count as applied by us. So a
// plan with the same body and manager has nothing to do, and a plan with another manager renames the manager. Fields in
// the body of a part that no other manager owns count as added, because no state describes what was there before. If
// the state is of a whole object and this manager has applied nothing, its source wrote by update: then nothing counts
// as applied, and the first apply takes over the managers that the snapshot names. A state without a body gets the body
// that an import would write. The snapshot keeps the mark until our first apply. Until then, a configuration that names
// no field manager does not keep that of the state, and a wrong connection does not delete the object.
//
// # Secrets
//
// In sensitive_fields, the path `*` covers all fields of an object. A top-level field of that name is written ["*"]. No
// state and no plan contains the values of yaml_body_wo. Package secrecy keeps them out of diagnostics.
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
	// Names are the names of the resource in diagnostics.
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

// The timeouts of operations if the configuration sets none.
const (
	createTimeout = 2 * time.Minute
	readTimeout   = time.Minute
	updateTimeout = 2 * time.Minute
	deleteTimeout = 10 * time.Minute
)

// timeoutOf returns the timeout that the configuration sets, else fallback.
type timeoutOf = func(ctx context.Context, fallback time.Duration) (time.Duration, diag.Diagnostics)

// withTimeout bounds an operation by the timeout that the configuration sets, else by fallback.
func withTimeout(
	ctx context.Context, configured timeoutOf, fallback time.Duration,
) (context.Context, context.CancelFunc, diag.Diagnostics) {
	timeout, diags := configured(ctx, fallback)
	bounded, cancel := context.WithTimeout(ctx, timeout)
	return bounded, cancel, diags
}

// await calls make for a plan whose dry-run may need an admission webhook that is not running yet. In the plan that the
// CLI shows, the values are then unknown. In the plan that the apply makes, or if the provider cannot tell which plan
// it is, await waits for the webhook, and for what else repeat waits for, as long as the apply may take: the shown plan
// may have had values, and they must not become unknown.
func (c *change) await(
	ctx context.Context, repeat func(context.Context, *run.WaitQueue, func() error) error,
	make func(context.Context) (ssa.Plan, error),
) (ssa.Plan, error) {
	patient, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	current := c.resource.provider.Run()
	var plan ssa.Plan
	err := repeat(patient, &current.Waits, func() (err error) {
		bounded, cancel, diags := withTimeout(ctx, c.plan.Timeouts.Read, readTimeout)
		defer cancel()
		c.diags.Append(diags...)
		plan, err = make(bounded)
		return plan.ForgiveWebhook(err, current.Rounds.Current())
	})
	return plan, err
}

// applyTimeout returns how long the apply of the plan may take. The apply, not the plan, reports an invalid timeout.
func (c *change) applyTimeout(ctx context.Context) time.Duration {
	configured, fallback := c.plan.Timeouts.Create, createTimeout
	if c.state != nil {
		configured, fallback = c.plan.Timeouts.Update, updateTimeout
	}
	timeout, diags := configured(ctx, fallback)
	if diags.HasError() {
		return fallback
	}
	return timeout
}
