package objectkit

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// updateOutdated plans an update if the connection in the state does not work, so that the refresh has not read
// the object. The plan reads the object with the configuration's connection, and bases refusals and warnings on
// what it reads. It bases known planned values on the state and its snapshot alone: both of Terraform's plans
// have these, and otherwise the second plan could differ. The first plan leaves values unknown that the apply
// would not produce.
func (c *change) updateOutdated(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) {
	now, ok := c.lookAgain(ctx, api, prior)
	if !ok || c.isReplacement(ctx, api, intent, prior) || c.diags.HasError() {
		return
	}
	pending, pendingNow := intents.Pending(intent, prior), intents.Pending(intent, now)
	c.pending = pending || pendingNow
	c.keep()
	c.plan.setPlannedState(prediction.PlannedState{View: prior.View, ManagedState: prior.ManagedState})
	c.plan.Pinned = c.state.Pinned
	seen := seenObject{View: now.View, ManagedState: now.ManagedState, Snapshot: now.Snapshot}
	c.seen = &seen
	if !pending && !pendingNow {
		return
	}
	if c.resource.provider.Destroys() {
		c.unknownArguments()
		return
	}
	intent, unsent, err := c.plan.keepWriteOnly(ctx, api, intent, now)
	if err != nil {
		c.refuse(prior.Object, err)
		return
	}
	c.reportUnsent(prior.Object, unsent)
	if pendingNow {
		plan, err := c.resource.planUpdate(ctx, api, intent, now)
		if err != nil {
			c.refuse(prior.Object, err)
			return
		}
		seen.PlannedState = plan.State
		if now.PlansAlike(prior) || plan.Action == ssa.Replace {
			c.showUpdate(prior, plan)
			return
		}
		c.report(plan)
	}
	switch {
	case c.isFirst():
		c.plan.setUnknown()
	case pending:
		c.foresee(ctx, api, intent, prior)
	}
}

// isFirst reports whether this is the first of Terraform's two plans of a change; with -refresh=false, neither is.
func (c *change) isFirst() bool { return c.resource.provider.Registry().IsUnread(c.state.uid()) }

// foresee plans the values of a plan that starts from prior, or unknown values if that plan fails.
func (c *change) foresee(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) {
	intent.OnConflict = intents.Force // Conflicts with the live object have already been refused.
	plan, err := c.resource.planUpdate(ctx, api, intent, prior)
	if err != nil || plan.State == nil {
		c.plan.setUnknown()
		return
	}
	c.plan.setPlannedState(*plan.State)
}

// lookAgain reads the object with the connection of the plan. It returns false if the plan is complete with
// that: an object that is gone is created again, and if the connection leads to another cluster, the object is
// replaced.
func (c *change) lookAgain(ctx context.Context, api cluster.Interface, prior record.Prior) (record.Prior, bool) {
	now, err := prior.Reread(ctx, api, c.state.FieldManager.ValueString())
	switch {
	case err == nil:
		return now, true
	case !cluster.IsGone(err):
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
	case !c.isFirst():
		c.diags.Append(c.resource.Words.Error(diagnostics.Planned, prior.Object, record.GoneSinceRefresh(prior.Object)))
	case c.resource.provider.SameServer(ctx, c.state.Connection, c.plan.Connection):
		if _, err := c.resource.provider.Recognize(ctx, c.plan.Connection, api, prior.Object, prior.Snapshot.Cluster); err != nil {
			c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
			return prior, false
		}
		c.createAgain(prior)
	default:
		c.replace(diagnostics.AnotherCluster, path.Root("cluster"), path.Root("object_ref"))
	}
	return prior, false
}

// createAgain plans a replacement whose deletion sends no request. Terraform passes the private state of this
// plan to the deletion.
func (c *change) createAgain(prior record.Prior) {
	c.snapshot.Age, c.reread = record.Gone, true
	c.diags.Append(diagnostics.CreatedAgain(prior.Object))
	c.unknown()
	c.replaces = append(c.replaces, path.Root("object_ref"))
}

// seenObject is an object that the plan has read because the refresh could not, with the state that the plan predicts for it.
type seenObject struct {
	View         ownership.View
	ManagedState map[string]string
	Snapshot     record.Snapshot
	PlannedState *prediction.PlannedState `json:",omitempty"`
}

func (s seenObject) save(ctx context.Context, private privatestate.PrivateWriter) diag.Diagnostics {
	var diags diag.Diagnostics
	document, err := json.Marshal(s)
	if err != nil {
		diags.AddError("Unwritable Private State", err.Error())
		return diags
	}
	return private.SetKey(ctx, privatestate.SeenKey, document)
}

// loadSeen returns what the plan read of an object that the refresh could not read; nil if private state has no such record.
func loadSeen(ctx context.Context, private privatestate.PrivateState) (*seenObject, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, privatestate.SeenKey)
	if diags.HasError() || len(data) == 0 {
		return nil, diags
	}
	document, err := privatestate.Document(data)
	var s seenObject
	if err == nil {
		err = json.Unmarshal(document, &s)
	}
	if err != nil {
		diags.AddError("Unreadable Private State", "The plan's record of the object cannot be read: "+err.Error()+".\n\nPlan again.")
		return nil, diags
	}
	return &s, diags
}

// since returns the prior that an apply starts from: the given one, or what the plan has read.
func (s *seenObject) since(prior record.Prior) record.Prior {
	if s == nil {
		return prior
	}
	prior.View, prior.ManagedState, prior.Snapshot = s.View, s.ManagedState, s.Snapshot
	return prior
}

// unshown returns the owners that the object has if the state shows others, for a resource with a connection of
// its own, whose next refresh may fail; nil otherwise.
func (m Model) unshown(actual ownership.View) *ownership.View {
	if !m.IsOwn() {
		return nil
	}
	return record.Unshown(m.plannedState().View, actual)
}

// sameConnection returns the error of a plan with the same connection with which the refresh could not read the object.
func (r *Resource) sameConnection(snapshot record.Snapshot) diag.Diagnostic {
	if snapshot.Elsewhere == "" {
		return r.Words.SameCredentials(snapshot.Object)
	}
	return r.explain(diagnostics.Planned, snapshot.Object, &cluster.OtherClusterError{Remembered: snapshot.Cluster, Found: snapshot.Elsewhere})
}

// staleDestroy returns the error of a planned deletion with the connection with which the refresh could not read the object.
func (r *Resource) staleDestroy(snapshot record.Snapshot) diag.Diagnostic {
	if snapshot.Elsewhere == "" {
		return r.Words.StaleDestroy(snapshot.Object)
	}
	return r.explain(diagnostics.Deleted, snapshot.Object, &cluster.OtherClusterError{Remembered: snapshot.Cluster, Found: snapshot.Elsewhere})
}
