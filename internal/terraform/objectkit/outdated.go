package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
)

// updateOutdated plans an update if the connection in the state does not work: the refresh has not read the object. The
// plan reads the object with the configuration's connection, and bases refusals and warnings on what it reads. It bases
// known planned values on the state and its snapshot alone: both of Terraform's plans have these, and otherwise the
// second plan could differ. The first plan leaves values unknown that the apply would not produce.
func (c *change) updateOutdated(ctx context.Context, prior record.Prior) {
	now, ok := c.lookAgain(ctx, prior)
	if !ok || c.isReplacement(ctx, prior) || c.diags.HasError() {
		return
	}
	prior, now = c.keepComputed(c.plan, prior), c.keepComputed(c.plan, now)
	pending, pendingNow := engine.Pending(c.work.Args, prior), engine.Pending(c.work.Args, now)
	c.pending, c.unforeseen = pending || pendingNow, !pending && !c.isFirst()
	c.plan.SetShown(model.AsBefore(prior)) // prior has owners that the last apply left and did not show.
	seen := privatestate.Seen{Shown: now.Shown, Snapshot: now.Snapshot}
	c.seen = &seen
	if !pending && !pendingNow {
		return
	}
	if c.resource.provider.Destroys() {
		c.unknownArguments()
		return
	}
	if !c.keepWriteOnly(ctx, now) {
		return
	}
	if pendingNow {
		plan, err := c.resource.provider.Planner(c.work).Plan(ctx, now)
		if err != nil {
			c.refuse(ctx, prior.Object, err)
			return
		}
		seen.PlannedState = plan.State
		if now.PlansAlike(prior) || plan.Action == ssa.Replace {
			c.showUpdate(prior, plan)
			return
		}
		c.planned = plan
		c.reportVersion(plan)
		c.report(plan)
	}
	switch {
	case c.isFirst():
		c.plan.SetUnknown()
	case pending:
		c.foresee(ctx, prior)
	}
}

// isFirst reports whether this is the first of Terraform's two plans of a change; with -refresh=false, neither is.
func (c *change) isFirst() bool { return c.resource.provider.Run().Objects.Of(c.state.UID()).IsUnread }

// foresee plans the values of a plan that starts from prior, or unknown values if that plan fails.
func (c *change) foresee(ctx context.Context, prior record.Prior) {
	work := c.work
	work.Args.OnConflict = arguments.Force // Conflicts with the live object have already been refused.
	plan, err := c.resource.provider.Planner(work).Plan(ctx, prior)
	if err != nil || plan.State == nil {
		c.plan.SetUnknown()
		return
	}
	model.PlanShown(c.plan, *plan.State)
}

// lookAgain reads the object with the connection of the plan. It returns false if the plan is complete with
// that: an object that is gone is created again, unless it is a Job that has run once, and if the connection leads to
// another cluster, the object is replaced. A set plans that in both rounds, because its second plan still has the
// state.
func (c *change) lookAgain(ctx context.Context, prior record.Prior) (record.Prior, bool) {
	now, err := prior.Reread(ctx, c.work.API, c.state.FieldManager.ValueString())
	switch {
	case err == nil:
		return now, true
	case !cluster.IsGone(err):
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
	case c.completed.UID != "" && model.RunsOnce(c.state) &&
		c.resource.provider.SameServer(ctx, c.state.Connection, c.plan.Connection):
		c.completed.IsGone = true
		c.updateGone(ctx)
	case !c.isFirst() && !c.resource.Names.IsSet():
		c.diags.Append(c.resource.Names.Error(diagnostics.Planned, prior.Object, engine.GoneSinceRefresh(prior.Object)))
	case c.resource.provider.SameServer(ctx, c.state.Connection, c.plan.Connection):
		if _, err := c.resource.provider.Recognize(ctx, c.plan.Connection, c.work.API, prior.Object,
			prior.Snapshot.Cluster); err != nil {
			c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
			return prior, false
		}
		c.createAgain(prior)
	default:
		c.replace(diagnostics.AnotherCluster, anotherCluster()...)
	}
	return prior, false
}

// createAgain plans a replacement whose deletion sends no request. Terraform passes the private state of this
// plan to the deletion.
func (c *change) createAgain(prior record.Prior) {
	c.snapshot.Age, c.reread = record.Gone, true
	c.diags.Append(changes.CreatedAgain(c.resource.Names, prior.Object))
	c.unknown()
	c.replaces = append(c.replaces, path.Root("object_ref"))
}

// unreached returns the error of a plan, or of a planned deletion, with the connection with which the refresh could not
// read the object.
func (r *Objects) unreached(operation diagnostics.Operation, snapshot record.Snapshot) diag.Diagnostic {
	switch {
	case snapshot.Elsewhere != "":
		return r.explain(operation, snapshot.Object, &cluster.OtherClusterError{
			Remembered: snapshot.Cluster, Found: snapshot.Elsewhere,
		})
	case operation == diagnostics.Deleted:
		return r.Names.StaleDestroy(snapshot.Object)
	}
	return r.Names.SameCredentials(snapshot.Object)
}

// updateGone plans a Job that has run once and is gone: nothing, or a replacement if it has to run again. If the shown
// plan may have been an update, because it did not know the manifest, the update creates the Job.
func (c *change) updateGone(ctx context.Context) {
	prior, diags := c.state.Prior(c.snapshot)
	c.diags.Append(diags...)
	why, err := rerun(ctx, c, prior)
	c.plan.KeepComputed(c.state)
	switch {
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
	case why != "" && (c.resource.Names.IsSet() || c.resource.provider.Run().Rounds.Current() == run.FirstRound):
		c.diags.Append(changes.RunsAgain(c.resource.Names, prior.Object, why))
		c.unknown()
		for _, cause := range []string{
			"yaml_body", model.ManifestAttribute, "yaml_body_wo_version", "once", "rules_applied", "cluster", "id",
		} {
			c.replaces = append(c.replaces, path.Root(cause))
		}
	case why != "":
		c.diags.Append(changes.RunsAgain(c.resource.Names, prior.Object, why))
		c.create(ctx)
	case c.work.Args.IsUndecided():
		c.plan.SetUnknown()
		c.plan.SetObject(prior.Object, "")
	default:
		c.stays = staysGone
	}
}

// rerun returns why a Job that has run once and is gone runs again; "" if it does not, or if that is not known yet.
func rerun(ctx context.Context, c *change, prior record.Prior) (changes.Rerun, error) {
	now, last := c.work.Args, prior.Arguments
	if !model.RunsOnce(c.plan) {
		return changes.NoLongerOnce, nil
	}
	if c.work.API != nil {
		id, err := prior.Locate(ctx, c.work.API, now.Manifest)
		if err == nil && !c.plan.SameCluster(c.state.Connection) {
			_, err = c.resource.provider.Recognize(ctx, c.plan.Connection, c.work.API, id, prior.Snapshot.Cluster)
		}
		if isElsewhere(err) || err == nil && id.Namespace != prior.Object.Namespace {
			return changes.Elsewhere, nil
		}
		if err != nil {
			return "", err
		}
	}
	if now.IsUndecided() || now.HasManifestOf(last) {
		return "", nil
	}
	return changes.BodyChanged, nil
}
