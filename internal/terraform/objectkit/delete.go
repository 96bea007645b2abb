package objectkit

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/changes"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

// DeleteObject deletes one object, and returns it.
func (r *Objects) DeleteObject(
	ctx context.Context, state *model.Model, private privatestate.Private,
) (object manifest.Identity, all diag.Diagnostics) {
	defer r.provider.Run().BeginApply(ctx)()
	ctx, secrets := secrecy.Keep(ctx, state)
	defer secrets.Scrub(&all)
	state = model.Ending(state, r.provider)
	prior, diags := priorOf(ctx, state, private)
	secrets.Since(prior.Snapshot)
	if all.Append(diags...); all.HasError() {
		return prior.Object, all
	}
	r = r.speakingOf(state)
	completed, diags := privatestate.LoadCompleted(ctx, private)
	if all.Append(diags...); completed.IsGone || prior.Snapshot.Age == record.Gone {
		return prior.Object, all // The refresh or the plan has found that the object is gone.
	}
	timed, cancel, diags := withTimeout(ctx, state.Timeouts.Delete, deleteTimeout)
	defer cancel()
	all.Append(diags...)
	stays, diags := privatestate.TakeStays(ctx, private, private, prior.Snapshot.UID)
	if all.Append(diags...); stays && !all.HasError() {
		all.Append(handOver(timed, r, prior, state)...)
		return prior.Object, all
	}
	// The plan has already refused a protected object, unless it was made for a tainted resource and without a refresh.
	if all.Append(r.refuseLoss(state, diagnostics.Destroy, prior.Snapshot)...); forgets(state, prior.Snapshot) {
		return prior.Object, all
	}
	api, _, diags := r.connectToApply(timed, state, r.destroys(), prior.Snapshot)
	if all.Append(diags...); all.HasError() {
		return prior.Object, all
	}
	if !r.IsPart {
		r.provider.Run().Objects.NoteDeleted(prior.Object, cmp.Or(prior.Snapshot.UID, prior.UID))
	}
	until, _ := timed.Deadline()
	ended, err := engine.Of(r.work(api, prior.Arguments)).End(ctx, prior, engine.Policy{
		Releases: state.Releases(), Successor: model.HandsOverTo(state), Propagation: propagationOf(state),
		Until: until, Forces: state.ForceDestroy.ValueBool(),
	})
	all.Append(r.reportEnd(state, prior, ended, err)...)
	return prior.Object, all
}

// handOver is the destroy half of a replacement that keeps the object; see [results.Unfinished].
func handOver(ctx context.Context, r *Objects, prior record.Prior, state *model.Model) diag.Diagnostics {
	api, _, diags := r.connectToApply(ctx, state, diagnostics.Updated, prior.Snapshot)
	if diags.HasError() {
		return diags
	}
	err := r.work(api, prior.Arguments).HandOver(ctx, prior)
	switch {
	case cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonConflict:
		diags.Append(diagnostics.StateOutdated(prior.Object, err))
		return diags
	case err != nil:
		diags.Append(r.explain(diagnostics.Updated, prior.Object, err))
		return diags
	}
	prior = prior.HandedOver()
	state.FieldManager = types.StringValue(prior.Arguments.FieldManager)
	results.UnfinishedOnes{Provider: r.provider}.NoteHandedOver(api, state, prior.Snapshot)
	return diags
}

func (r *Objects) destroys() diagnostics.Operation {
	if r.IsPart {
		return diagnostics.TakenBack
	}
	return diagnostics.Deleted
}

// reportEnd describes how a destroy has ended.
func (r *Objects) reportEnd(state *model.Model, prior record.Prior, ended engine.Ended, err error) diag.Diagnostics {
	var diags diag.Diagnostics
	if len(ended.Finalizers) > 0 {
		diags.Append(r.Names.FinalizersRemoved(prior.Object, ended.Finalizers))
	}
	switch {
	case ended.Refused != nil:
		diags.Append(changes.NotTakenBack(r.Names, prior.Object, ended.Kept, ended.Refused))
	case len(ended.Kept) > 0:
		diags.Append(changes.LeftToOthers(r.Names, prior.Object, ended.Kept))
	}
	switch {
	case err != nil && ended.Forced:
		diags.Append(r.Names.Error(diagnostics.ForceDeleted, prior.Object, err))
	case cluster.LacksCredentials(err) && state.IsOwn():
		diags.Append(r.Names.StaleDelete(prior.Object, err))
	case err != nil:
		diags.Append(r.explain(r.destroys(), prior.Object, err))
	case ended.Adopted && r.IsPart:
		diags.Append(changes.LeftToPart(r.Names, prior.Object))
	case ended.Adopted:
		diags.Append(r.Names.LeftToAdopter(prior.Object))
	case ended.Superseded:
		diags.Append(changes.Superseded(r.Names, prior.Object))
	}
	return diags
}

func propagationOf(m *model.Model) cluster.Propagation {
	if m.Propagation.IsNull() {
		return cluster.Background
	}
	return cluster.Propagation(m.Propagation.ValueString())
}
