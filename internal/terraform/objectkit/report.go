package objectkit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
)

// show sets the computed attributes that a plan predicts, and reports its warnings.
func (c *change) show(plan ssa.Plan) {
	c.planned = plan
	// An adoption is planned for the live object, or for a missing one, and both may change before the apply.
	adopting := c.state == nil && (model.Adopts(c.plan) || plan.Adoption.IsPlanned() || c.resource.IsPart)
	if plan.State == nil || adopting {
		c.plan.SetUnknown()
	} else {
		model.PlanShown(c.plan, *plan.State)
	}
	c.report(plan)
}

// report adds the warnings of a plan. It warns once in a run of paths of rules that an object lacks.
func (c *change) report(plan ssa.Plan) {
	var diags diag.Diagnostics
	plan.Unmatched, diags = changes.UnmatchedInRules(plan, c.plan.Rules, func(argument, text string) bool {
		return c.resource.provider.IsNews(unmatched{argument, text})
	})
	if c.diags.Append(diags...); results.NeedsWait(c.plan) {
		c.diags.Append(changes.OnceUnseen(c.resource.Names, plan.Object))
	}
	c.diags.Append(changes.Warnings(c.resource.Names, plan, aboutOf(c))...)
}

// aboutOf returns what the warnings of the plan report in addition to it.
func aboutOf(c *change) changes.About {
	about := changes.About{
		FieldManager: c.plan.FieldManager.ValueString(), Timeout: c.timeout, Now: time.Now(),
		OfRelease: c.plan.OfRelease,
	}
	if c.state != nil {
		about.Recreated = run.RecreatedIn(c.snapshot)
	}
	return about
}

// unmatched is the key of a path of a rule that was compared with an object.
type unmatched struct{ argument, text string }

// unservedKinds warns, once in a run, of kinds in rules that the cluster does not serve.
func unservedKinds(ctx context.Context, c *change) diag.Diagnostics {
	if c.work.API == nil || c.resource.provider.Run().Rounds.Current() == run.SecondRound {
		return nil
	}
	name := c.plan.ClusterName.ValueString()
	if kinds := c.resource.provider.UnservedKinds(ctx, c.work.API, name, c.plan.OwnRules); len(kinds) > 0 {
		return diag.Diagnostics{changes.UnservedKinds(kinds, name)}
	}
	return nil
}

// reportVersion warns of an update that changes the API version of the object.
func (c *change) reportVersion(plan ssa.Plan) {
	if c.changesVersion() && plan.Action == ssa.Update {
		c.diags.Append(changes.OfVersion(c.resource.Names, c.object(), c.version.Object))
	}
}

// reportUnsent warns of write-only fields whose values in the configuration are not sent.
func (c *change) reportUnsent(id manifest.Identity, fields []string) {
	if len(fields) > 0 {
		c.diags.Append(c.resource.Names.WriteOnlyNotSent(id, fields))
	}
}

// moves warns of a replacement that leaves the namespace of an object whose manifest names none. An object of a kind
// that has no namespaces any more leaves none.
func (c *change) moves(from, to manifest.Identity) {
	stays := to
	stays.Namespace = from.Namespace
	isNamed := c.work.Args.Manifest.Namespace != "" || to.Namespace == ""
	if !isNamed && from == stays && from != to && c.resource.provider.IsNews(movedTo{from, to}) {
		c.diags.Append(c.resource.Names.NamespaceChange(from, to))
	}
}

// movedTo is the key of the warning that moves gives once: Terraform plans a replacement twice, as an update and as a
// create.
type movedTo struct{ from, to manifest.Identity }

// assumed is the key of the warning that assumes gives once.
type assumed struct{}

// assumes warns, once in a run, if neither the manifest nor the connection names a namespace.
func (c *change) assumes(id manifest.Identity) {
	named := c.work.Args.Manifest.Namespace != "" || id.Namespace == "" ||
		c.work.API.NamespaceSource() != cluster.NamespaceAssumed
	if !named && c.resource.provider.IsNews(assumed{}) {
		c.diags.Append(c.resource.Names.AssumedNamespace(id))
	}
}

// refuseLoss returns an error if the state protects the object, if the object is not the one of the last apply, or if
// it would have to be replaced and its on_destroy is "release". It uses the state and not the configuration, which a
// destroy does not have.
func (r *Objects) refuseLoss(m *model.Model, loss diagnostics.Loss, snapshot record.Snapshot) diag.Diagnostics {
	if m = model.Ending(m, r.provider); m.Releases() && loss != diagnostics.ImmutableChange {
		return nil
	}
	id, diags := m.Object()
	recreated := run.RecreatedIn(snapshot)
	rule, isProtected := model.IsProtected(m, r.provider.Rules(m.OwnRules))
	switch {
	case diags.HasError():
		return diags
	case m.Releases():
		return diag.Diagnostics{r.Names.NotReplaceable(id, m.OnDestroy.ValueString())}
	case isProtected:
		return diag.Diagnostics{r.Names.Protected(id, loss, rule)}
	case forgets(m, snapshot) && (loss == diagnostics.Destroy || loss == diagnostics.AnotherIdentity):
		return diag.Diagnostics{changes.Forgotten(r.Names, recreated)}
	case recreated != nil && !m.IsPart:
		return diag.Diagnostics{r.Names.RecreatedKept(recreated, loss)}
	}
	return nil
}

// forgets reports whether the end of a set's object leaves it as it is: it is not the one of the last apply.
func forgets(state *model.Model, snapshot record.Snapshot) bool {
	return state.Entry != "" && !state.Releases() && snapshot.Former != ""
}

// reportReplacement adds the warnings about both halves of a replacement: what the destroy does to a part, and what the
// create does. Terraform plans a replacement as an update and then as a create, and drops the warnings of the create.
func (c *change) reportReplacement(ctx context.Context) {
	if len(c.replaces) == 0 || c.diags.HasError() || !c.plan.ArgumentsKnown() || c.plan.WriteOnlyUnknown() {
		return
	}
	if c.resource.IsPart {
		_, _, diags := c.resource.leavePart(ctx, c.state, c.snapshot, changes.Replaced)
		c.diags.Append(diags...)
	}
	plan := *c.plan
	if plan.NamesNoManager {
		plan.FieldManager = c.resource.fieldManager(&plan, nil)
	}
	args, diags := plan.Arguments()
	if diags.HasError() {
		return // The create reports it.
	}
	half := change{
		resource: c.resource.speakingOf(&plan), plan: &plan, start: start{snapshot: c.snapshot}, timeout: c.timeout,
		work: c.work, isAhead: true,
	}
	half.work.Args = args
	half.create(ctx)
	for _, warning := range half.diags.Warnings() {
		c.diags.Append(warning)
	}
}

// reportApplied returns the warnings of an apply that succeeded: what other managers have changed meanwhile, and what
// differs from the plan.
func (r *Objects) reportApplied(planned ssa.Plan, observed record.Observed, result ssa.Result) diag.Diagnostics {
	return reportMet(r.Names, observed.Object, result, planned.Divergence(observed, result.Overwritten))
}

// reportMet returns the warnings about what an apply has met, also if a later request of it has failed. diverged are
// the fields that it has left otherwise than planned.
func reportMet(
	words diagnostics.Names, id manifest.Identity, result ssa.Result, diverged []string,
) (diags diag.Diagnostics) {
	if len(result.Warnings) > 0 {
		diags.Append(changes.AppliedWithWarnings(words, id, result.Warnings))
	}
	if len(result.Overwritten)+len(diverged) > 0 {
		diags.Append(words.ChangedDuringApply(id, result.Overwritten, diverged))
	}
	return diags
}

// firstOf names the first plan of a resource.
type firstOf struct {
	api                cluster.Interface
	object             manifest.Identity
	fieldManager, body string
}

type firstPlan struct {
	plan  ssa.Plan
	prior record.Prior
	err   error
}

// planFirst plans the first apply. For a replacement, reportReplacement has done that ahead, and the requests are not
// sent again.
func planFirst(ctx context.Context, c *change) (ssa.Plan, record.Prior, error) {
	args := c.work.Args
	body, _ := manifest.Canonical(args.Manifest.Object)
	// The first plan may contain the string of the state, and the second that of the configuration: they mean the same.
	key := firstOf{c.work.API, args.Manifest.Identity, args.FieldManager, body}
	if args.Patch != nil {
		key.body = args.Patch.Text
	}
	var first firstPlan
	if ahead, is := c.resource.provider.TakeOut(key).(firstPlan); is && !c.isAhead {
		return ahead.plan, ahead.prior, ahead.err
	}
	e := c.resource.provider.Planner(c.work)
	first.plan, first.err = c.await(ctx, e.AwaitFirst, func(ctx context.Context) (plan ssa.Plan, err error) {
		plan, first.prior, err = e.PlanFirst(ctx, c.snapshot)
		return plan, err
	})
	if c.isAhead {
		c.resource.provider.Hold(key, first)
	}
	return first.plan, first.prior, first.err
}
