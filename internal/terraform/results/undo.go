package results

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/engine"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/waiting"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/diagnostics/unready"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/waits"
)

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
