package results

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

// Unfinished is a resource whose create ended with an error although the object exists. The CLI has marked it as
// tainted: it plans a replacement, as a create without a state, and applies a destroy half and a create half.
//
// The object stays nevertheless. The refresh notes the state and the snapshot in the run, and the plan of the create
// starts from them, as that of an update does. Without a refresh, the provider sees the state only as the CLI asks to
// upgrade it, and the plan reads the object. It notes in its private state that the object stays: the CLI passes that
// to the destroy half, and to no other destroy. Between the halves the object is in no state, so the destroy half hands
// our claim over to a manager from which only a create of the same field manager takes it back. Then it notes the state
// in the run, and the create half plans and applies the update. If the run ends in between, the next plan finds the
// claim.
type Unfinished struct {
	State    *model.Model
	Snapshot record.Snapshot
	// IsHandedOver is true after the destroy half.
	IsHandedOver bool
	// IsStored is true if the run has not read the object. The snapshot is then without what was read.
	IsStored bool
}

// UnfinishedOnes are the unfinished resources of a run.
type UnfinishedOnes struct{ *providerdata.Provider }

// Note notes a resource whose object was read, if its create ended with an error.
func (all UnfinishedOnes) Note(api cluster.Interface, state *model.Model, observed record.Observed) {
	snapshot := observed.Snapshot
	if snapshot.Unfinished && snapshot.Former == "" && canHandOver(state) && !HasFailed(state, observed) {
		all.Run().Objects.NoteUnfinished(run.At{API: api, Object: observed.Object},
			&Unfinished{State: state, Snapshot: snapshot})
	}
}

// NoteStored notes a state that may be that of an unfinished create, before it is read.
func (all UnfinishedOnes) NoteStored(ctx context.Context, state *model.Model) {
	if !canHandOver(state) || !IsUnfinished(state) {
		return
	}
	id, diags := state.Object()
	api, _ := all.Look(ctx, state.Connection)
	if diags.HasError() || api == nil {
		return
	}
	all.Run().Objects.NoteUnfinished(run.At{API: api, Object: id}, &Unfinished{State: state, IsStored: true,
		Snapshot: record.Snapshot{
			Object: id, Creation: record.Creation{OutcomeUnknown: state.UID() == "", Unfinished: true},
		},
	})
}

// NoteHandedOver notes a resource after the destroy half.
func (all UnfinishedOnes) NoteHandedOver(api cluster.Interface, state *model.Model, snapshot record.Snapshot) {
	all.Run().Objects.NoteUnfinished(run.At{API: api, Object: snapshot.Object},
		&Unfinished{State: state, Snapshot: snapshot, IsHandedOver: true})
}

// HandedOver returns the resource whose destroy half has left this object; nil without one.
func (all UnfinishedOnes) HandedOver(api cluster.Interface, id manifest.Identity) *Unfinished {
	if left := all.at(api, id); left != nil && left.IsHandedOver {
		return left
	}
	return nil
}

func (all UnfinishedOnes) at(api cluster.Interface, id manifest.Identity) *Unfinished {
	left, _ := all.Run().Objects.OfName(run.At{API: api, Object: id}).Unfinished.(*Unfinished)
	return left
}

// Before returns the unfinished resource that has left the object of a plan. It returns nil if no resource has left it,
// if state is not nil, or if the plan asks for a new object.
func (all UnfinishedOnes) Before(ctx context.Context, plan, state *model.Model) *Unfinished {
	if state != nil || plan.IsPart || !all.Run().Objects.HasUnfinished() || all.Destroys() || !plan.ArgumentsKnown() ||
		plan.WriteOnlyUnknown() || Replaces(plan) {
		return nil
	}
	args, diags := plan.Arguments()
	if diags.HasError() {
		return nil
	}
	api, _ := all.Look(ctx, plan.Connection)
	if api == nil {
		return nil // The plan of the create reports why.
	}
	id, err := cluster.Locate(ctx, api, args.Manifest.Identity)
	if err != nil {
		return nil
	}
	left := all.at(api, id)
	if left != nil && left.IsStored && all.Run().Rounds.Current() == run.SecondRound {
		return nil
	}
	return left
}

// canHandOver reports whether the claim on the object of a state can be handed over.
func canHandOver(state *model.Model) bool {
	return !state.IsPart && record.HandedOver(state.FieldManager.ValueString()) != ""
}

// Undo is the way back from an update that was applied.
type Undo struct {
	// Work applies the arguments of the state again.
	Work engine.Work
	// Before is the object as it was before the update, and Applied as the update left it.
	Before, Applied record.Prior
	// State is the model before the update, and Plan the model after it.
	State, Plan *model.Model
	// In is the update.
	In Operation
	// Failed is why the object did not become ready, if its wait asks for an undo; nil otherwise.
	Failed *waiting.NotReadyError
	// Done is the result of the undo; nil before Run, and after an error.
	Done *unready.Undone
}

// undoTimeout is how long the requests of an undo may take: the time of the update may be over.
const undoTimeout = 2 * time.Minute

// IsWanted reports whether the object did not become ready, and its wait asks for an undo.
func (u *Undo) IsWanted() bool { return u != nil && u.Failed != nil }

// Run undoes the update and waits until the object is ready again, for half the time that the update may take. It
// returns the object as a refresh finds it, and whether it is ready again; after an error nothing was undone. The
// diagnostics report the result for the object, and, with Failed, why it was not ready.
func (u *Undo) Run(ctx context.Context) (observed record.Observed, isReady bool, diags diag.Diagnostics, err error) {
	limit, _ := u.In.Timeout(ctx, waiting.Limit(&unstructured.Unstructured{Object: u.Applied.Live}))
	writing, cancel := context.WithTimeout(ctx, undoTimeout)
	defer cancel()
	done, err := u.Work.Undo(writing, u.Before, u.Applied)
	if err != nil {
		if u.Failed != nil {
			diags.Append(unready.NotReady(u.In.Words, u.Failed, unready.NotUndone))
		}
		diags.Append(u.In.Explain(diagnostics.SetBack, u.Before.Object, err))
		return observed, false, diags, err
	}
	said := unready.Undone{Object: done.Object, Back: done.Back, Kept: done.Kept, Ended: time.Now()}
	live := &unstructured.Unstructured{Object: done.Live}
	if goal := u.goalBefore(); goal.Judge != nil {
		half, cancel := context.WithTimeout(ctx, limit/2)
		defer cancel()
		began := time.Now()
		back, _ := run.LeaveTurn(ctx)
		end, err := waiting.Await(half, u.Work.API, done.Object, live, goal)
		back()
		said.Waited, said.NotReady, live = time.Since(began), err, end.Live
	}
	if u.Done = &said; u.Failed != nil {
		diags.Append(unready.FailedAndUndone(u.Failed, said))
	}
	return u.asRefreshed(live, done), said.NotReady == nil, diags, nil
}

// goalBefore returns what the state waits for; without a wait in the state, what the update has waited for.
func (u *Undo) goalBefore() waiting.Goal {
	of := model.WaitOf(u.State)
	if of.IsNull() {
		of = model.WaitOf(u.Plan)
	}
	wait, err := waits.Of(of.Attributes())
	if of.IsNull() || err != nil {
		return waiting.Goal{}
	}
	return wait.Goal
}

// asRefreshed returns the object as a refresh of the state finds it. Only our manager has not written behind its back.
func (u *Undo) asRefreshed(live *unstructured.Unstructured, done engine.Undone) record.Observed {
	manager, before := u.Before.Arguments.FieldManager, u.Before
	before.Snapshot.Claims = before.Snapshot.Claims.At(manager, done.Snapshot.Claims.TimeOf(manager))
	observed, err := record.ObserveLive(live, manager, before)
	if err != nil {
		return done.Observed
	}
	return observed
}

// Change is the plan of an update or a replacement, as [RefuseUndo] judges it.
type Change struct {
	Words       diagnostics.Names
	Work        engine.Work
	Plan, State *model.Model
	Snapshot    record.Snapshot
	// Replaces is true if the plan replaces the object, and Pending if it applies something.
	Replaces, Pending bool
}

// RefuseUndo returns an error if the wait of a plan asks for an undo that its apply could not do.
func RefuseUndo(ctx context.Context, c Change) diag.Diagnostics {
	if !Undoes(c.Plan) {
		return nil
	}
	id, diags := c.State.Object()
	switch version := c.Plan.YAMLBodyWOVersion; {
	case c.Replaces:
		diags.Append(unready.NoUndo(c.Words, id, unready.Recreates))
	case !c.Pending:
	case !version.Equal(c.State.YAMLBodyWOVersion) || model.HasWriteOnly(c.Plan) != (len(c.Snapshot.WriteOnly) > 0):
		diags.Append(unready.NoUndo(c.Words, id, unready.WriteOnly))
	case c.Work.IsRedefined(ctx):
		diags.Append(unready.NoUndo(c.Words, id, unready.Redefines))
	}
	return diags
}

// Undoes reports whether an update whose object does not become ready is to be undone.
func Undoes(plan *model.Model) bool {
	wait, err := waits.Of(model.WaitOf(plan).Attributes())
	return err == nil && wait.OnFailure == waits.Undoes && !plan.IsPart
}
