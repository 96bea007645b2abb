package objectkit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/intents"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/parts"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/registry"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/attributes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
)

// change is the plan of one resource while it is made.
type change struct {
	resource *Resource
	plan     *Model
	state    *Model // nil for a new resource
	snapshot record.Snapshot
	// timeout is how long the apply may take.
	timeout time.Duration
	// reread says that the stored snapshot was lost, and that the plan has read a new one.
	reread bool
	// seen is the object from which the apply has to start if the refresh could not read it; see outdated.go.
	seen *seenObject

	// pending says that the plan applies something to an object that exists.
	pending bool
	// applies are the fields that the plan applies, nil if they are unknown; uid is the uid of the object that they are applied
	// to.
	applies map[string]string
	uid     string

	replaces path.Paths
	// deferral is the reason to defer the change to a later run, if the CLI can. It is the zero value if nothing is deferred.
	deferral resource.DeferredReason
	diags    diag.Diagnostics
}

func (c *change) decide(ctx context.Context) {
	if !c.plan.argumentsKnown() {
		c.unknownArguments()
		return
	}
	intent, diags := c.plan.intent()
	if c.plan.writeOnly.IsUnknown() {
		var settled bool
		if intent, settled = c.settled(intent); !settled {
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
	switch {
	case c.state == nil && status == providerdata.Deferred:
		c.deferral = resource.DeferredReasonProviderConfigUnknown
		c.unknown()
	case c.state == nil:
		c.create(ctx, api, intent)
	default:
		c.update(ctx, api, status, intent)
	}
}

// settled reports whether an existing object needs no apply, whatever the values of an unknown write-only part
// turn out to be: the provider compares them with nothing. It returns the intent to plan with.
func (c *change) settled(intent intents.Intent) (intents.Intent, bool) {
	if c.state == nil {
		return intent, false
	}
	prior, diags := c.state.prior(c.snapshot)
	c.diags.Append(diags...)
	intent = intent.WithUnknownWriteOnly(c.plan.YAMLBodyWOVersion.ValueString(), prior)
	// If another argument changes, Terraform plans again during the apply, when the write-only part is known.
	return intent, !intents.Pending(intent, prior) && c.plan.sameArguments(*c.state)
}

// deferred returns the deferral of the change, or nil if the CLI cannot defer it. It returns nil in the plan that an apply makes:
// there every version of Terraform says that it can defer, and refuses a deferral that the first plan did not have.
func (c *change) deferred(by resource.ModifyPlanClientCapabilities) *resource.Deferred {
	isFirst := c.resource.provider.Registry().Rounds.Round() == registry.FirstRound
	if !by.DeferralAllowed || !isFirst || c.deferral == resource.DeferredReasonUnknown {
		return nil
	}
	return &resource.Deferred{Reason: c.deferral}
}

// unknown marks all computed attributes as known after the apply.
func (c *change) unknown() {
	c.plan.setUnknown()
	c.plan.setObjectUnknown()
}

// unknownArguments marks as known after the apply what the plan cannot predict. An existing object keeps its
// identity if the manifest and the cluster do not change.
func (c *change) unknownArguments() {
	c.unknown()
	if c.state != nil && c.plan.YAMLBody.Equal(c.state.YAMLBody) && attributes.SameValue(c.plan.Manifest, c.state.Manifest) && c.plan.SameCluster(c.state.Connection) {
		c.plan.ID, c.plan.ObjectRef = c.state.ID, c.state.ObjectRef
	}
}

func (c *change) create(ctx context.Context, api cluster.Interface, intent intents.Intent) {
	if c.resource.provider.Destroys() {
		c.unknown()
		return
	}
	if c.resource.IsPart {
		c.createPart(ctx, api, intent)
		return
	}
	replaced, run := c.snapshot.Object, c.resource.provider.Registry()
	plan, err := c.awaitWebhook(ctx, func(ctx context.Context) (ssa.Plan, error) {
		return ssa.PlanCreate(ctx, api, intent, ssa.Replacement{Replaced: c.snapshot, Run: run})
	})
	if err != nil {
		c.refuse(plan.Object, err)
		return
	}
	c.unknown()
	if c.deferral = resource.DeferredReasonAbsentPrereq; plan.Located {
		c.deferral = resource.DeferredReasonUnknown
		c.plan.setObject(plan.Object, "")
		c.moves(intent.Manifest, replaced, plan.Object)
		c.assumes(api, intent.Manifest, plan.Object)
	}
	c.show(plan)
	if plan.State != nil {
		run.Rounds.Foreseen()
	}
}

func (c *change) update(ctx context.Context, api cluster.Interface, status providerdata.Status, intent intents.Intent) {
	prior, diags := c.state.prior(c.snapshot)
	if c.diags.Append(diags...); c.diags.HasError() {
		return
	}
	if prior.IsMoved() {
		c.diags.Append(diagnostics.MovedUnread(prior.Object))
		return
	}
	prior.Live = c.refreshed(ctx, prior)
	if c.snapshot.Age == record.Outdated && c.plan.SameCluster(c.state.Connection) {
		c.diags.Append(c.resource.sameConnection(c.snapshot))
		return
	}
	whole := ctx
	ctx, cancel, diags := withTimeout(ctx, c.plan.Timeouts.Read, readTimeout)
	defer cancel()
	c.diags.Append(diags...)
	if c.snapshot.Age == record.Outdated && prior.Snapshot.Known() && status != providerdata.Deferred {
		c.updateOutdated(ctx, api, intent, prior.Recorded())
		return
	}
	if !prior.Snapshot.Known() && status != providerdata.Deferred {
		var same bool
		if prior, same = c.read(ctx, api, prior); !same {
			return
		}
	}
	c.pending = intents.Pending(intent, prior)
	if status == providerdata.Deferred {
		c.unconnected(c.pending)
		return
	}
	if c.pending && c.resource.provider.Destroys() {
		c.unknownArguments()
		return
	}
	if c.isReplacement(ctx, api, intent, prior) || c.diags.HasError() {
		return
	}
	c.keep()
	if !c.pending {
		c.nothing(intent, prior)
		return
	}
	intent, ok := c.withKeptWriteOnly(ctx, api, intent, prior)
	if !ok {
		return
	}
	plan, err := c.awaitWebhook(whole, func(ctx context.Context) (ssa.Plan, error) {
		return c.resource.planUpdate(ctx, api, intent, prior)
	})
	if err != nil {
		c.reportChanges(ssa.Plan{})
		c.refuse(prior.Object, c.elsewhere(whole, api, err))
		return
	}
	if intent.IsUndecided() && plan.State != nil && !intents.PendingAnyway(intent, prior) {
		*plan.State = plan.State.OrAsBefore(prior)
	}
	c.showUpdate(prior, plan)
}

// refreshed returns the object as the refresh of this process has read it; nil without one.
func (c *change) refreshed(ctx context.Context, prior record.Prior) map[string]any {
	live := c.resource.provider.Sightings().Take(prior.Snapshot.UID)
	if live != nil {
		cluster.See(ctx, prior.Object, live, true)
	}
	return live
}

// withKeptWriteOnly returns intent with the live values of write-only fields that keep them, and reports those whose values are not sent. It
// returns false after an error.
func (c *change) withKeptWriteOnly(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) (intents.Intent, bool) {
	kept, unsent, err := c.plan.keepWriteOnly(ctx, api, intent, prior)
	if err != nil {
		c.refuse(prior.Object, err)
		return intent, false
	}
	c.reportUnsent(prior.Object, unsent)
	return kept, true
}

// nothing reports the warnings about an object that needs no apply.
func (c *change) nothing(intent intents.Intent, prior record.Prior) {
	if intent.Patch != nil {
		return
	}
	if prior.Live != nil && intent.KeepsWriteOnly(prior) {
		_, unsent, err := intent.WithLiveWriteOnly(prior, prior.Live)
		if err != nil {
			c.refuse(prior.Object, err)
			return
		}
		c.reportUnsent(prior.Object, unsent)
	}
	plan, err := ssa.PlanNothing(intent, prior)
	if err != nil {
		c.refuse(prior.Object, err)
		return
	}
	c.report(plan)
}

// showUpdate does what show does, for an update that may have to be a replacement.
func (c *change) showUpdate(prior record.Prior, plan ssa.Plan) {
	if plan.Action == ssa.Replace && c.resource.IsPart {
		c.refuse(prior.Object, &parts.UnpatchableError{Object: prior.Object, Immutable: plan.Immutable})
		return
	}
	c.show(plan)
	if plan.Action == ssa.Replace {
		c.diags.Append(c.resource.Words.Immutable(prior.Object, plan.Immutable))
		c.replace(diagnostics.ImmutableChange, path.Root("yaml_body"), path.Root(ManifestAttribute), path.Root("managed_state"))
	}
}

// read makes a snapshot if the last one is lost and no refresh made a new one: with -refresh=false after an
// apply that was killed, for instance. Only in this case may Terraform's second plan see something else than
// the first. read reports whether the object is still the one in the state, and plans a replacement if it is
// not.
func (c *change) read(ctx context.Context, api cluster.Interface, prior record.Prior) (record.Prior, bool) {
	observed, err := record.Observe(ctx, api, c.state.FieldManager.ValueString(), prior)
	uid := c.state.uid()
	switch {
	case cluster.IsGone(err), err == nil && uid != "" && observed.UID != uid:
		c.replace(diagnostics.AnotherCluster, path.Root("cluster"), path.Root("object_ref"))
		return prior, false
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, prior.Object, err))
		return prior, false
	}
	c.snapshot, c.reread = observed.Snapshot, true
	prior.Snapshot = observed.Snapshot
	return prior, true
}

// elsewhere returns why a dry-run was refused: the error about another cluster if the connection leads to one, else refused.
func (c *change) elsewhere(ctx context.Context, api cluster.Interface, refused error) error {
	if reason := cluster.ReasonOf(refused); reason != cluster.ReasonConflict && reason != cluster.ReasonNotFound {
		return refused
	}
	if _, err := c.resource.provider.Recognize(ctx, c.plan.Connection, api, c.snapshot.Object, c.snapshot.Cluster); isElsewhere(err) {
		return err
	}
	return refused
}

// refuse reports why there is no plan.
func (c *change) refuse(id manifest.Identity, err error) {
	switch cluster.ReasonOf(err) {
	case cluster.ReasonConflict, cluster.ReasonNotFound:
		if c.state != nil {
			c.diags.Append(diagnostics.StateOutdated(id, err))
			return
		}
	}
	c.diags.Append(c.resource.explain(diagnostics.Planned, id, err))
}

// unconnected plans an existing object while the connection is unknown: unchanged if nothing is to be applied.
func (c *change) unconnected(pending bool) {
	c.keep()
	if pending {
		c.deferral = resource.DeferredReasonProviderConfigUnknown
		c.plan.setUnknown()
	}
}

// keep plans the computed attributes as they are.
func (c *change) keep() {
	c.plan.ID, c.plan.ObjectRef = c.state.ID, c.state.ObjectRef
	c.plan.FieldOwnership, c.plan.CoOwners, c.plan.ManagedState = c.state.FieldOwnership, c.state.CoOwners, c.state.ManagedState
	c.plan.Pinned, c.plan.AddedFields = c.state.Pinned, c.state.AddedFields
	c.plan.FieldsToRemove = c.plan.toRemove(nil)
}

// isReplacement plans a replacement if the manifest names another object, or the connection another cluster. It
// reports whether it did.
func (c *change) isReplacement(ctx context.Context, api cluster.Interface, intent intents.Intent, prior record.Prior) bool {
	id, err := prior.Locate(ctx, api, intent.Manifest)
	if err != nil {
		c.diags.Append(c.resource.explain(diagnostics.Planned, id, err))
		return false
	}
	if c.plan.Patch.IsNull() != c.state.Patch.IsNull() {
		c.replace(diagnostics.AnotherIdentity, path.Root(PatchAttribute))
		return true
	}
	if id != prior.Object {
		c.moves(intent.Manifest, prior.Object, id)
		c.replace(diagnostics.AnotherIdentity, path.Root("yaml_body"), path.Root(ManifestAttribute), path.Root("cluster"), path.Root("id"))
		return true
	}
	if c.plan.SameCluster(c.state.Connection) || c.snapshot.Age == record.Outdated {
		return false
	}
	same, err := record.Identical(ctx, api, prior)
	if err != nil {
		c.diags.Append(c.resource.explain(diagnostics.Planned, id, err))
		return false
	}
	if same == record.AnotherObject {
		switch { // An object that was only imported or moved is not deleted because of a wrong connection.
		case c.snapshot.Known() && c.snapshot.Moved:
			c.diags.Append(c.resource.Words.MovedElsewhere(id))
			return true
		case c.snapshot.Known() && c.snapshot.AppliedState == "":
			c.diags.Append(c.resource.Words.ImportedElsewhere(id))
			return true
		}
		c.replace(diagnostics.AnotherCluster, path.Root("cluster"), path.Root("object_ref"))
		return true
	}
	return false
}

// replace plans a replacement. causes are the attributes that may require it; Terraform ignores those that did not change.
func (c *change) replace(loss diagnostics.Loss, causes ...path.Path) {
	c.diags.Append(c.state.refuseLoss(c.resource.Words, loss, c.snapshot)...)
	if c.snapshot.Age == record.Outdated && loss != diagnostics.AnotherCluster {
		c.diags.Append(c.resource.staleDestroy(c.snapshot))
	}
	c.unknown()
	c.replaces = append(c.replaces, causes...)
}
