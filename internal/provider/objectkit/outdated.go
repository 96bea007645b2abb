package objectkit

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/prediction"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/provider/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/ssa"
)

// updateOutdated plans an update where the credentials in the state are refused, so that the refresh has not
// read the object. The plan reads it with the configuration's connection: refusals and warnings go by what it
// sees. Values that it plans as known go by the state and its snapshot alone, which both of Terraform's plans
// have, or the second one could differ. The first plan leaves them unknown where they would not come true.
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
	seen := seen{View: now.View, ManagedState: now.ManagedState, Snapshot: now.Snapshot}
	c.seen = &seen
	if !pending && !pendingNow {
		return
	}
	if c.resource.provider.Destroys() {
		c.unknownArguments()
		return
	}
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
		c.tell(plan)
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

// foresee plans the values that a plan from prior does, and leaves it to the apply if there is no prior.
func (c *change) foresee(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) {
	intent.OnConflict = intents.Force // Conflicts with what there is now have been refused.
	plan, err := c.resource.planUpdate(ctx, api, intent, prior)
	if err != nil || plan.State == nil {
		c.plan.setUnknown()
		return
	}
	c.plan.setPlannedState(*plan.State)
}

// lookAgain reads the object with the connection of the plan; false where that ends the plan. An object that
// is gone is created again, and one that the connection leads away from is replaced.
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

// createAgain plans a replacement whose deletion sends nothing. Terraform hands the private state of this plan
// to the deletion.
func (c *change) createAgain(prior record.Prior) {
	c.snapshot.Age, c.reread = record.Gone, true
	c.diags.Append(diagnostics.CreatedAgain(prior.Object))
	c.unknown()
	c.replaces = append(c.replaces, path.Root("object_ref"))
}

// seen is the object as a plan has read it that knows more than the state, with what the plan foresees for it.
type seen struct {
	View         ownership.View
	ManagedState map[string]string
	Snapshot     record.Snapshot
	PlannedState *prediction.PlannedState `json:",omitempty"`
}

func (s seen) save(ctx context.Context, private privatestate.PrivateWriter) diag.Diagnostics {
	var diags diag.Diagnostics
	document, err := json.Marshal(s)
	if err != nil {
		diags.AddError("Unwritable Private State", err.Error())
		return diags
	}
	return private.SetKey(ctx, privatestate.SeenKey, document)
}

// loadSeen returns what the plan saw of an object that the refresh did not get to; nil where there is nothing.
func loadSeen(ctx context.Context, private privatestate.PrivateState) (*seen, diag.Diagnostics) {
	data, diags := private.GetKey(ctx, privatestate.SeenKey)
	if diags.HasError() || len(data) == 0 {
		return nil, diags
	}
	document, err := privatestate.Document(data)
	var s seen
	if err == nil {
		err = json.Unmarshal(document, &s)
	}
	if err != nil {
		diags.AddError("Unreadable Private State", "The plan's record of the object cannot be read: "+err.Error()+".\n\nPlan again.")
		return nil, diags
	}
	return &s, diags
}

// since returns the prior that an apply starts from.
func (s *seen) since(prior record.Prior) record.Prior {
	if s == nil {
		return prior
	}
	prior.View, prior.ManagedState, prior.Snapshot = s.View, s.ManagedState, s.Snapshot
	return prior
}

// unshown returns the owners that the object has where the state shows others, for a resource whose next
// refresh may not get to the object; nil otherwise.
func (m Model) unshown(actual ownership.View) *ownership.View {
	if !m.IsOwn() {
		return nil
	}
	return record.Unshown(m.plannedState().View, actual)
}

// sameConnection refuses a plan with the connection with which the refresh has not got to the object.
func (r *Resource) sameConnection(snapshot record.Snapshot) diag.Diagnostic {
	if snapshot.Elsewhere == "" {
		return r.Words.SameCredentials(snapshot.Object)
	}
	return r.explain(diagnostics.Planned, snapshot.Object, &cluster.OtherClusterError{Remembered: snapshot.Cluster, Found: snapshot.Elsewhere})
}

// staleDestroy refuses to plan a deletion with the connection with which the refresh has not got to the object.
func (r *Resource) staleDestroy(snapshot record.Snapshot) diag.Diagnostic {
	if snapshot.Elsewhere == "" {
		return r.Words.StaleDestroy(snapshot.Object)
	}
	return r.explain(diagnostics.Deleted, snapshot.Object, &cluster.OtherClusterError{Remembered: snapshot.Cluster, Found: snapshot.Elsewhere})
}
