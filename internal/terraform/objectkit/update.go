package objectkit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// update plans an object that exists.
func (c *change) update(ctx context.Context, status providerdata.Status) {
	prior, diags := c.state.Prior(c.snapshot)
	if c.diags.Append(diags...); c.diags.HasError() {
		return
	}
	switch isOutdated := c.snapshot.Age == record.Outdated; {
	case isOutdated && c.plan.SameCluster(c.state.Connection):
		c.diags.Append(c.resource.unreached(diagnostics.Planned, c.snapshot))
		return
	case prior.IsMoved() && !isOutdated:
		c.diags.Append(diagnostics.MovedUnread(prior.Object))
		return
	}
	prior.Live = refreshed(ctx, c.work.Run, prior)
	whole := ctx
	ctx, cancel, diags := withTimeout(ctx, c.plan.Timeouts.Read, readTimeout)
	defer cancel()
	c.diags.Append(diags...)
	if c.snapshot.Age == record.Outdated && prior.Snapshot.Known() && status != providerdata.Deferred {
		c.updateOutdated(ctx, prior.Recorded())
		return
	}
	if !prior.Snapshot.Known() && status != providerdata.Deferred {
		var same bool
		if prior, same = c.read(ctx, prior); !same {
			return
		}
	}
	c.pending = engine.Pending(c.work.Args, prior)
	if status == providerdata.Deferred { // Nothing can be asked.
		if c.plan.KeepComputed(c.state); c.pending {
			c.deferral = resource.DeferredReasonProviderConfigUnknown
			c.plan.SetUnknown()
		}
		return
	}
	if c.pending && c.resource.provider.Destroys() {
		c.unknownArguments()
		return
	}
	if c.isReplacement(ctx, prior) || c.diags.HasError() {
		return
	}
	if leavesData(c, prior) {
		c.diags.Append(c.resource.Names.SecretMoved(prior.Object))
	}
	prior = c.keepComputed(c.plan, readAgain(ctx, c.work, prior, c.pending))
	if !c.pending {
		if !c.resource.provider.Destroys() { // A refusal would keep the object.
			c.nothing(ctx, prior)
		}
		return
	}
	if c.keepWriteOnly(ctx, prior) {
		c.updatePending(whole, prior)
	}
}

// updatePending plans the update of an object for which an apply is due. whole is not bounded by the time of a read.
func (c *change) updatePending(whole context.Context, prior record.Prior) {
	plan, err := c.await(whole, run.AwaitWebhook, func(ctx context.Context) (ssa.Plan, error) {
		return c.resource.provider.Planner(c.work).Plan(ctx, prior)
	})
	if err != nil {
		c.diags.Append(changes.OfFields(c.resource.Names, ssa.Plan{}, aboutOf(c))...)
		if plan.Action == ssa.Replace {
			c.diags.Append(c.resource.Names.Immutable(prior.Object, plan.Immutable.Fields))
		}
		c.refuse(whole, prior.Object, c.elsewhere(whole, err))
		return
	}
	plan.KeepUndecided(c.work.Args, prior)
	c.showUpdate(prior, plan)
}

// keepWriteOnly gives the arguments of the plan the live values of write-only fields that keep them, and reports those
// whose values are not sent. It returns false after an error.
func (c *change) keepWriteOnly(ctx context.Context, prior record.Prior) bool {
	var unsent []string
	var err error
	c.work.Args, unsent, err = engine.KeepWriteOnly(ctx, c.work.API, c.work.Args, prior)
	if c.plan.Sent = &c.work.Args; err != nil {
		c.refuse(ctx, prior.Object, err)
		return false
	}
	c.reportUnsent(prior.Object, unsent)
	return true
}

// nothing reports the warnings about an object that needs no apply.
func (c *change) nothing(ctx context.Context, prior record.Prior) {
	plan, unsent, err := engine.Of(c.work).PlanNothing(prior)
	c.reportUnsent(prior.Object, unsent)
	switch {
	case err != nil:
		c.refuse(ctx, prior.Object, err)
	case plan.Action == ssa.NoChange:
		c.report(plan)
	}
}

// showUpdate does what show does, for an update that may have to be a replacement. If an apply makes the plan, the
// plan that it applies has no replacement: of that, an apply plans the create half only. A set plans both halves
// again: if the plan that it applies has no replacement, it knows the uid, and Terraform refuses another one.
func (c *change) showUpdate(prior record.Prior, plan ssa.Plan) {
	c.reportVersion(plan)
	isSecond := c.resource.provider.Run().Rounds.Current() == run.SecondRound
	if plan.Action == ssa.Replace && isSecond && !c.resource.Names.IsSet() {
		c.diags.Append(changes.ReplacedUnplanned(c.resource.Names, plan))
		return
	}
	c.show(plan)
	if plan.Action == ssa.Replace {
		c.diags.Append(c.resource.Names.Immutable(prior.Object, plan.Immutable.Fields))
		c.replace(diagnostics.ImmutableChange, path.Root("yaml_body"), path.Root(model.ManifestAttribute),
			path.Root("managed_state"))
	}
}

// read makes a snapshot if the last one is lost and no refresh made a new one: with -refresh=false after an
// apply that was killed, for instance, or if the connection of a moved state does not work. Only in these cases
// may Terraform's second plan see something else than the first. read reports whether the object is still the one
// in the state, and plans a replacement if it is not.
func (c *change) read(ctx context.Context, prior record.Prior) (record.Prior, bool) {
	observed, err := record.Observe(ctx, c.work.API, c.state.FieldManager.ValueString(), prior)
	uid := c.state.UID()
	switch {
	case cluster.IsGone(err), err == nil && uid != "" && observed.UID != uid:
		c.replace(diagnostics.AnotherCluster, anotherCluster()...)
		return prior, false
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
		return prior, false
	}
	c.snapshot, c.reread = observed.Snapshot, true
	if prior.IsMoved() { // The state has no computed values yet.
		c.state.SetObserved(observed)
		prior.Object, prior.Shown = observed.Object, observed.Shown
	}
	prior.Snapshot, prior.Live = observed.Snapshot, observed.Live
	return prior, true
}

// elsewhere returns why a dry-run was refused: the error about another cluster if the connection leads to one, else
// refused.
func (c *change) elsewhere(ctx context.Context, refused error) error {
	if reason := cluster.ReasonOf(refused); reason != cluster.ReasonConflict && reason != cluster.ReasonNotFound {
		return refused
	}
	if _, err := c.resource.provider.Recognize(ctx, c.plan.Connection, c.work.API, c.snapshot.Object,
		c.snapshot.Cluster); isElsewhere(err) {
		return err
	}
	return refused
}

// leavesData reports whether the state of a Secret comes from another resource, and the configuration has none of its
// data.
func leavesData(c *change, prior record.Prior) bool {
	body := c.work.Args.Manifest.Object
	return prior.Snapshot.Moved && prior.Object.IsSecret() && !c.resource.IsPart && !c.plan.WriteOnlyUnknown() &&
		body["data"] == nil && body["stringData"] == nil
}

// isReplacement plans a replacement if the manifest names another object, or the connection another cluster. It
// reports whether it did, or refused to.
func (c *change) isReplacement(ctx context.Context, prior record.Prior) bool {
	found, err := c.replacement(ctx, c.work, c.plan, prior)
	switch {
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, found.id, err))
		return false
	case found.refusal != nil:
		c.diags.Append(found.refusal(c.resource.Names, found.id))
		return true
	case len(found.causes) == 0:
		c.version = found.version
		return false
	case found.moves:
		c.moves(prior.Object, found.id)
	}
	c.replace(found.loss, found.causes...)
	return true
}
