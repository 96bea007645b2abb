package objectkit

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/privatestate"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/results"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/secrecy"
)

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
