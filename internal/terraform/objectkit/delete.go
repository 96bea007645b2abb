package objectkit

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
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
	objects, uid := &r.provider.Run().Objects, cmp.Or(prior.Snapshot.UID, prior.UID)
	if giver := model.Giver(state); giver != "" && !r.IsPart && !objects.Of(uid).IsManaged() {
		// A destroy has no second plan, which would announce it to a resource that adopts the object.
		_ = objects.PlanEnd(prior.Object, uid, giver, run.SecondRound)
	}
	api, _, diags := r.connectToApply(timed, state, r.destroys(), prior.Snapshot)
	if all.Append(diags...); all.HasError() {
		return prior.Object, all
	}
	if !r.IsPart {
		objects.NoteDeleted(prior.Object, uid)
	}
	noteAlong(timed, api, r.provider.Run(), prior.Object, privatestate.LoadAlong(ctx, private))
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
		diags.Append(diagnostics.StateOutdated(prior.Object, manifest.Identity{}, err))
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

// Undoes reports whether an update whose object does not become ready is to be undone.
func Undoes(plan *model.Model) bool { return results.Undoes(plan) }

// mayUndo reports whether the update may have to be undone.
func (e existing) mayUndo() bool { return !e.creates && (e.Undoes || results.Undoes(e.Plan)) }

// readFirst reads the object as an update finds it, if an undo may have to go back to that.
func (e existing) readFirst(ctx context.Context, api cluster.Interface) (before record.Prior, err error) {
	before = e.prior
	if !e.mayUndo() {
		return before, nil
	}
	observed, err := record.Observe(ctx, api, before.Arguments.FieldManager, before)
	if err != nil {
		return before, err
	}
	before.Snapshot, before.Shown, before.Live = observed.Snapshot, observed.Shown, observed.Live
	return before, e.prior.CheckUID(&unstructured.Unstructured{Object: observed.Live})
}

// undo returns the way back from an update of an object that was before.
func (e existing) undo(
	api cluster.Interface, before record.Prior, updated engine.Updated, in results.Operation,
) *results.Undo {
	state := model.WithWriteOnly(e.State, e.Plan)
	args, _ := state.Arguments() // What the state holds was accepted before.
	return &results.Undo{
		Work: e.resource.work(api, args), Before: before, State: state, Plan: e.Plan, In: in,
		Applied: record.Prior{
			Object: updated.Object, UID: updated.UID, Shown: updated.Shown, Snapshot: updated.Snapshot,
			Arguments: updated.Sent, Live: updated.Live,
		},
	}
}

// UndoObject goes back from an update that has left Undo in out, and sets the state of out to what the object is then.
// It adds the error about an object that has failed.
func (r *Objects) UndoObject(ctx context.Context, a Applying, out *Applied) {
	defer r.provider.Run().BeginApply(ctx)()
	ctx, secrets := secrecy.Keep(ctx, a.Plan, a.State)
	defer secrets.Scrub(&out.Diags)
	before := out.Undo.Before.Snapshot
	secrets.Since(before)
	observed, isReady, diags, err := out.Undo.Run(ctx)
	if out.Diags.Append(diags...); err != nil {
		return
	}
	secrets.ScrubValues(out.Undo.Done.Back)
	secrets.ScrubValues(out.Undo.Done.Kept)
	state := *a.State
	state.SetObserved(observed)
	state.Ready = state.ReadyAs(isReady)
	observed.Snapshot.Cluster = before.Cluster
	out.State, out.Object = &state, observed.Object
	out.Diags.Append(privatestate.SaveSnapshot(ctx, a.Private, observed.Snapshot)...)
}
