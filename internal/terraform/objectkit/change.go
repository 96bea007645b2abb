package objectkit

import (
	"cmp"
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

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

// change is the plan of one resource while it is made.
type change struct {
	resource *Objects
	plan     *model.Model
	state    *model.Model // nil for a new resource
	snapshot record.Snapshot
	// timeout is how long the apply may take.
	timeout time.Duration
	// isAhead is true for the create of a replacement, planned ahead of the plan that Terraform asks for.
	isAhead bool
	// reread is true if the stored snapshot was lost, and the plan has read a new one.
	reread bool
	// seen is the object from which the apply has to start if the refresh could not read it; see outdated.go.
	seen *privatestate.Seen

	// isGone is true for a Job that has run once and that the refresh has not found any more; see outdated.go.
	// staysGone is true if the plan leaves it at that.
	isGone, staysGone bool

	// stays is true if the plan is that of a replacement that updates the object in place; see [results.Unfinished].
	stays bool
	// pending is true if the plan applies something to an object that exists.
	pending bool
	// planned is the plan of what is applied; uid is the uid of the object that it is for.
	planned ssa.Plan
	uid     string
	// work is what the plan is made with; its API is nil without a connection.
	work engine.Work

	// version is the object in the API version of the plan, if that is not the version in the state; the zero value
	// otherwise.
	version record.Prior

	replaces path.Paths
	// deferral is the reason to defer the change to a later run, if the CLI can. It is the zero value if nothing is
	// deferred.
	deferral resource.DeferredReason
	diags    diag.Diagnostics
}

func (c *change) decide(ctx context.Context) {
	if !c.plan.ArgumentsKnown() {
		c.unknownArguments()
		return
	}
	args, diags := c.plan.Arguments()
	if c.plan.WriteOnlyUnknown() {
		var settled bool
		if args, settled = c.settled(args); !settled {
			c.unknownArguments()
			return
		}
	}
	if c.diags.Append(diags...); c.diags.HasError() {
		return
	}
	api, status, diags := c.resource.provider.Connect(ctx, c.plan.Connection)
	if c.diags.Append(diags...); c.diags.HasError() {
		return
	}
	c.work = engine.Work{API: api, Args: args, By: holderOf(c.resource.Names, c.plan), Run: c.resource.provider.Run()}
	switch {
	case c.state == nil && status == providerdata.Deferred:
		c.deferral = resource.DeferredReasonProviderConfigUnknown
		c.unknown()
	case c.state == nil:
		c.create(ctx)
	case c.work.IsReplaced(c.snapshot.UID):
		c.applyAgain()
	case c.isGone:
		c.updateGone(ctx)
	default:
		c.update(ctx, status)
	}
}

// settled reports whether an existing object needs no apply, whatever the values of an unknown write-only part
// turn out to be: the provider compares them with nothing. It returns the args to plan with.
func (c *change) settled(args arguments.Arguments) (arguments.Arguments, bool) {
	if c.state == nil {
		return args, false
	}
	prior, diags := c.state.Prior(c.snapshot)
	c.diags.Append(diags...)
	args = args.WithUnknownWriteOnly(prior.Snapshot.WriteOnly)
	// If another argument changes, Terraform plans again during the apply, when the write-only part is known.
	return args, !engine.Pending(args, prior) && c.plan.SameArguments(c.state)
}

// deferred returns the deferral of the change; nil without one. It returns nil in the plan that an apply makes: there
// every version of Terraform shows that it can defer, and refuses a deferral that the first plan did not have.
func (c *change) deferred() *resource.Deferred {
	isFirst := c.resource.provider.Run().Rounds.Current() == run.FirstRound
	if !isFirst || c.deferral == resource.DeferredReasonUnknown {
		return nil
	}
	return &resource.Deferred{Reason: c.deferral}
}

// unknown marks all computed attributes as known after the apply.
func (c *change) unknown() {
	c.plan.SetUnknown()
	c.plan.SetObjectUnknown()
}

// unknownArguments marks as known after the apply what the plan cannot predict. An existing object keeps its
// identity if the manifest and the cluster do not change.
func (c *change) unknownArguments() {
	c.unknown()
	if c.state != nil && model.SameManifest(c.plan, c.state) && c.plan.SameCluster(c.state.Connection) {
		c.plan.ID, c.plan.ObjectRef = c.state.ID, c.state.ObjectRef
	}
}

func (c *change) create(ctx context.Context) {
	if c.resource.provider.Destroys() {
		c.unknown()
		return
	}
	plan, prior, err := planFirst(ctx, c)
	if err != nil {
		c.refuse(plan.Object, err)
		return
	}
	c.unknown()
	if left := plan.Adoption.Resumed; left != nil {
		c.stays, c.snapshot = true, left.Snapshot // The set may be tainted, and its destroy half comes first.
	}
	if gone := c.work.Run.Objects.OfName(run.At{Object: plan.Object}).Deleted; gone != "" && !c.resource.IsPart {
		_, _ = c.work.Run.Objects.NoteReplaced(plan.Object, gone) // The plan has reported it.
	}
	if c.deferral = resource.DeferredReasonAbsentPrereq; !plan.Awaited.IsPrerequisite {
		c.deferral = resource.DeferredReasonUnknown
		c.plan.SetObject(plan.Object, "")
		if c.uid = cmp.Or(plan.Adoption.UID, prior.Snapshot.UID); prior.Snapshot.UID == "" {
			c.moves(c.snapshot.Object, plan.Object)
		}
		c.assumes(plan.Object)
	}
	c.show(plan)
	// The planned values of a part depend only on its fields, so they are known. With digests they stay unknown: each
	// plan has another digest key.
	if plan.State != nil && prior.Snapshot.Known() && len(prior.Snapshot.DigestKey) == 0 {
		foreseen := *c.plan
		foreseen.SetShown(*plan.State)
		c.plan.ManagedState = foreseen.ManagedState
	}
}

func (c *change) update(ctx context.Context, status providerdata.Status) {
	prior, diags := c.state.Prior(c.snapshot)
	if c.diags.Append(diags...); c.diags.HasError() {
		return
	}
	if prior.IsMoved() {
		c.diags.Append(diagnostics.MovedUnread(prior.Object))
		return
	}
	prior.Live = refreshed(ctx, c.work.Run, prior)
	if c.snapshot.Age == record.Outdated && c.plan.SameCluster(c.state.Connection) {
		c.diags.Append(c.resource.sameConnection(c.snapshot))
		return
	}
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
	if status == providerdata.Deferred {
		c.unconnected(c.pending)
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
	prior = c.keepComputed(readAgain(ctx, c.work, prior, c.pending))
	if !c.pending {
		c.nothing(prior)
		return
	}
	if !c.keepWriteOnly(ctx, prior) {
		return
	}
	plan, err := c.await(whole, run.AwaitWebhook, func(ctx context.Context) (ssa.Plan, error) {
		return c.resource.provider.Planner(c.work).Plan(ctx, prior)
	})
	if err != nil {
		c.diags.Append(changes.OfFields(c.resource.Names, ssa.Plan{}, aboutOf(c))...)
		c.refuse(prior.Object, c.elsewhere(whole, err))
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
	c.work.Args, unsent, err = engine.KeepWriteOnly(ctx, c.work.API, c.work.Run, c.work.Args, prior)
	if c.plan.Sent = &c.work.Args; err != nil {
		c.refuse(prior.Object, err)
		return false
	}
	c.reportUnsent(prior.Object, unsent)
	return true
}

// nothing reports the warnings about an object that needs no apply.
func (c *change) nothing(prior record.Prior) {
	plan, unsent, err := engine.Of(c.work).PlanNothing(prior)
	c.reportUnsent(prior.Object, unsent)
	switch {
	case err != nil:
		c.refuse(prior.Object, err)
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
	if plan.Action == ssa.Replace && isSecond && !c.resource.Names.IsSet {
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
// apply that was killed, for instance. Only in this case may Terraform's second plan see something else than
// the first. read reports whether the object is still the one in the state, and plans a replacement if it is
// not.
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

// refuse reports why there is no plan.
func (c *change) refuse(id manifest.Identity, err error) {
	reason := cluster.ReasonOf(err)
	if c.state != nil && (reason == cluster.ReasonConflict || reason == cluster.ReasonNotFound) {
		c.diags.Append(diagnostics.StateOutdated(id, err))
		return
	}
	c.diags.Append(c.resource.explain(diagnostics.Planned, id, err))
}

// leavesData reports whether the state of a Secret comes from another resource, and the configuration has none of its
// data.
func leavesData(c *change, prior record.Prior) bool {
	body := c.work.Args.Manifest.Object
	return prior.Snapshot.Moved && prior.Object.IsSecret() && !c.resource.IsPart && !c.plan.WriteOnlyUnknown() &&
		body["data"] == nil && body["stringData"] == nil
}

// unconnected plans an existing object while the connection is unknown: unchanged if nothing is to be applied.
func (c *change) unconnected(pending bool) {
	c.plan.KeepComputed(c.state)
	if pending {
		c.deferral = resource.DeferredReasonProviderConfigUnknown
		c.plan.SetUnknown()
	}
}

// isReplacement plans a replacement if the manifest names another object, or the connection another cluster. It
// reports whether it did, or refused to.
func (c *change) isReplacement(ctx context.Context, prior record.Prior) bool {
	found, err := replacementOf(ctx, c.work, c.plan, c.state, prior)
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

// replace plans a replacement. causes are the attributes that may require it; Terraform ignores those that did not
// change.
func (c *change) replace(loss diagnostics.Loss, causes ...path.Path) {
	c.diags.Append(c.resource.refuseLoss(c.state, loss, c.snapshot)...)
	if c.snapshot.Age == record.Outdated && loss != diagnostics.AnotherCluster {
		c.diags.Append(c.resource.staleDestroy(c.snapshot))
	}
	c.unknown()
	c.replaces = append(c.replaces, causes...)
	if c.resource.IsPart || c.diags.HasError() {
		return
	}
	lost, err := c.work.Run.Objects.NoteReplaced(c.snapshot.Object, c.state.UID())
	switch {
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, c.snapshot.Object, err))
	case len(lost) > 0:
		c.diags.Append(changes.PartsLost(c.resource.Names, c.snapshot.Object, lost))
	}
}

// changesVersion reports whether the plan changes the API version of the object, which stays the same object.
func (c *change) changesVersion() bool {
	return c.version.Snapshot.Known() && c.version.Object != c.stateObject()
}

func (c *change) stateObject() manifest.Identity {
	id, _ := c.state.Object() // The plan has read it before.
	return id
}

// keepComputed plans the computed attributes as they are in the state, and id and object_ref in the API version of the
// plan. It returns prior in this version.
func (c *change) keepComputed(prior record.Prior) record.Prior {
	c.plan.KeepComputed(c.state)
	if !c.changesVersion() {
		return prior
	}
	c.plan.SetObject(c.version.Object, c.version.Snapshot.UID)
	prior = prior.As(c.version.Object)
	prior.Live = c.version.Live
	return prior
}
