package results

import (
	"context"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/model"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/terraform/providerdata"
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
