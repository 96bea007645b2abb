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
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// change is the plan of one resource while it is made.
type change struct {
	start
	resource *Objects
	plan     *model.Model
	// unserved is the error about a kind on whose scope it depends which rules cover the object; nil without one.
	unserved error
	// timeout is how long the apply may take.
	timeout time.Duration
	// isAhead is true for the create of a replacement, planned ahead of the plan that Terraform asks for.
	isAhead bool
	// work is what the plan is made with; its API is nil without a connection.
	work  engine.Work
	stays staying
	// pending is true if the plan applies something to an object that exists.
	pending bool
	// unforeseen is true if the first plan may not have shown that something is applied; see outdated.go.
	unforeseen bool
	// planned is the plan of what is applied; uid is the uid of the object that it is for.
	planned ssa.Plan
	uid     string
	// replaces are the attributes that may require a replacement.
	replaces path.Paths
	// deferral is the reason to defer the change to a later run, if the CLI can. It is the zero value if nothing is
	// deferred.
	deferral resource.DeferredReason
	// refused is the error with which the create will end, if its plan has left it to the create.
	refused diag.Diagnostics
	diags   diag.Diagnostics
}

// staying is how an object stays of which Terraform plans the creation, or which is gone; "" for all others.
type staying string

const (
	// staysGone: the plan leaves a Job gone that has run once; see outdated.go.
	staysGone staying = "gone"
	// staysInPlace: the plan is that of a replacement that updates the object in place; see [results.Unfinished].
	staysInPlace staying = "in place"
)

func (c *change) decide(ctx context.Context) {
	if !c.plan.ArgumentsKnown() && replaceAlong(ctx, c) {
		return
	}
	if !c.plan.ArgumentsKnown() {
		_, status := c.resource.provider.Look(ctx, c.plan.Connection)
		if c.unknownArguments(); c.state == nil && status == providerdata.Deferred {
			c.deferral = resource.DeferredReasonProviderConfigUnknown
		}
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
	case replaceAlong(ctx, c):
	case c.work.IsReplaced(c.snapshot.UID):
		c.applyAgain()
	case c.completed.IsGone:
		c.updateGone(ctx)
	default:
		c.update(ctx, status)
	}
}

// settled reports whether an existing object needs no apply, even if a write-only part is unknown: the provider
// compares its values with nothing. It returns the args to plan with.
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
	if c.state == nil && c.unserved != nil {
		plan, _ := ssa.PlanUnserved(c.plan.Body().Manifest.Identity, c.unserved, c.resource.provider.Run())
		c.deferral = resource.DeferredReasonAbsentPrereq
		c.report(plan)
	}
	if c.state != nil && model.SameManifest(c.plan, c.state) && c.plan.SameCluster(c.state.Connection) {
		c.plan.ID, c.plan.ObjectRef = c.state.ID, c.state.ObjectRef
	}
}

func (c *change) create(ctx context.Context) {
	if c.resource.provider.Destroys() {
		c.unknown()
		return
	}
	if err := awaitReplaced(ctx, c, c.work.API, c.work.Args.Manifest.Identity); err != nil {
		c.refuse(ctx, c.work.Args.Manifest.Identity, err)
		return
	}
	plan, prior, err := planFirst(ctx, c)
	if err != nil {
		c.refuse(ctx, plan.Object, err)
		return
	}
	c.unknown()
	if left := plan.Adoption.Resumed; left != nil {
		c.stays, c.snapshot = staysInPlace, left.Snapshot // The set may be tainted, and its destroy half comes first.
	}
	if gone := c.work.Run.Objects.OfName(run.At{Object: plan.Object}).Deleted; gone != "" && !c.resource.IsPart {
		_, _ = c.work.Run.Objects.NoteReplaced(plan.Object, gone) // The plan has reported it.
	}
	if c.deferral = resource.DeferredReasonAbsentPrereq; !plan.Awaited.IsPrerequisite {
		c.deferral = resource.DeferredReasonUnknown
		if !isRescoped(ctx, c, plan.Object) {
			c.plan.SetObject(plan.Object, "")
		}
		if c.uid = cmp.Or(plan.Adoption.UID, prior.Snapshot.UID); prior.Snapshot.UID == "" {
			c.moves(c.snapshot.Object, plan.Object)
		}
		c.assumes(plan.Object)
	}
	c.show(plan)
	c.noteRefused(plan.Object)
	// The planned values of a part depend only on its fields, so they are known. With digests they stay unknown: each
	// plan has another digest key.
	if plan.State != nil && prior.Snapshot.Known() && len(prior.Snapshot.DigestKey) == 0 {
		foreseen := *c.plan
		foreseen.SetShown(*plan.State)
		c.plan.ManagedState = foreseen.ManagedState
	}
}

// noteRefused notes the error with which the create of an object will end, if the plan has left it to the create.
func (c *change) noteRefused(id manifest.Identity) {
	refusal := c.work.Run.Objects.OfName(run.At{API: c.work.API, Object: id}).Refusal
	if refusal == nil {
		return
	}
	c.refused.Append(c.resource.explain(diagnostics.Created, id, refusal))
	if !model.WaitOf(c.plan).IsNull() { // If the resource is tainted, Terraform now misses values of the first plan.
		c.diags.Append(diagnostics.NameInUse(id))
	}
}

// refuse reports why the plan fails.
func (c *change) refuse(ctx context.Context, id manifest.Identity, err error) {
	reason := cluster.ReasonOf(err)
	if c.state != nil && (reason == cluster.ReasonConflict || reason == cluster.ReasonNotFound) {
		c.diags.Append(diagnostics.StateOutdated(id, containerOf(replacedAround(ctx, c.work.API, c.work.Run, id)), err))
		return
	}
	c.diags.Append(c.resource.explain(diagnostics.Planned, id, err))
}

// applyAgain plans the apply of a part to an object that another resource of the run creates again.
func (c *change) applyAgain() {
	c.pending = true
	c.plan.KeepComputed(c.state)
	c.plan.SetUnknown()
	if id, diags := c.state.Object(); !diags.HasError() {
		c.plan.SetObject(id, "")
		c.diags.Append(changes.PartAppliedAgain(c.resource.Names, id))
	}
}

// finish plans an update of the object that an unfinished resource has left, or its replacement if that is needed.
func (c *change) finish(ctx context.Context, left *results.Unfinished) {
	ctx, secrets := secrecy.Keep(ctx, c.plan, left.State)
	secrets.Since(left.Snapshot)
	defer secrets.Scrub(&c.diags)
	whole, given := *c, *c.plan
	c.state, c.snapshot = left.State, left.Snapshot
	c.decide(ctx)
	id, waits := c.object(), !model.WaitOf(c.plan).IsNull()
	switch {
	case c.diags.HasError():
		if len(c.replaces) == 0 && !left.IsHandedOver { // The warning has the way out.
			c.diags = append(diag.Diagnostics{changes.Stays(c.resource.Names, id, waits)}, c.diags...)
		}
		return
	case len(c.replaces) > 0:
		whole.diags, *c.plan = c.diags, given
		*c = whole
		c.decide(ctx)
		return
	}
	if c.stays = staysInPlace; left.IsHandedOver {
		return
	}
	if left.IsStored {
		c.work.Run.Objects.EndRead(c.snapshot.UID, holderOf(c.resource.Names, c.state))
	}
	if err := c.work.Run.Objects.Replace(id, c.snapshot.UID, holderOf(c.resource.Names, c.state)); err != nil {
		c.diags.Append(c.resource.Names.Error(diagnostics.Planned, id, err))
		return
	}
	c.diags = append(diag.Diagnostics{changes.Stays(c.resource.Names, id, waits)}, c.diags...)
}

// replace plans a replacement. causes are the attributes that may require it; Terraform ignores those that did not
// change.
func (c *change) replace(loss diagnostics.Loss, causes ...path.Path) {
	c.diags.Append(c.resource.refuseLoss(c.state, loss, c.snapshot)...)
	if c.snapshot.Age == record.Outdated && loss != diagnostics.AnotherCluster {
		c.diags.Append(c.resource.unreached(diagnostics.Deleted, c.snapshot))
	}
	c.unknown()
	c.replaces = append(c.replaces, causes...)
	if c.resource.IsPart || c.diags.HasError() {
		return
	}
	lost, err := c.resource.provider.Run().Objects.NoteReplaced(c.snapshot.Object, c.state.UID())
	switch {
	case err != nil:
		c.diags.Append(c.resource.explain(diagnostics.Planned, c.snapshot.Object, err))
	case len(lost) > 0:
		c.diags.Append(changes.PartsLost(c.resource.Names, c.snapshot.Object, lost))
	}
}

// noteDefinition notes for the plans of objects of the kind whether the plan changes the CustomResourceDefinition that
// it is about. It does nothing for other objects.
func (c *change) noteDefinition(ctx context.Context) {
	args, _ := c.plan.Legible()
	id := args.Manifest.Identity
	if c.state != nil {
		id = c.object()
	}
	if !id.IsDefinition() {
		return
	}
	api, _, diags := c.resource.provider.Connect(ctx, c.plan.Connection)
	if diags.HasError() || api == nil {
		return
	}
	definitions := &c.resource.provider.Run().Definitions
	of, manager := run.Definition{Cluster: api, Name: id.Name}, c.plan.FieldManager.ValueString()
	if c.state != nil {
		definitions.PlanNothing(of, c.state.FieldManager.ValueString())
	}
	object := args.Manifest.Object
	if c.plan.IsPart {
		object = nil
	}
	if redefines(c) {
		definitions.PlanChange(of, manager, object)
	} else {
		definitions.PlanNothing(of, manager)
	}
}

// redefines reports whether the plan may change the spec of its object.
func redefines(c *change) bool {
	switch {
	case c.state == nil, c.diags.HasError(), len(c.replaces) > 0, !c.plan.ArgumentsKnown():
		return true
	case !c.pending:
		return false
	}
	return !model.IsKnown(c.plan.ManagedState) || engine.ChangesSpec(c.state.Shown().Shown, c.plan.Shown().Shown)
}
