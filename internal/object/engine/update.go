package engine

import (
	"context"
	"slices"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// IsReplaced reports whether the work is about a part of the object with this uid, and the run creates that again.
func (w Work) IsReplaced(uid string) bool { return w.Args.IsPart && w.Run.Objects.Of(uid).IsReplaced }

// InVersion returns the object of prior in the API version of id, and false if id names another object; see
// [record.Prior.InVersion]. The second plan needs no live object, and sends no request if the group is the same.
func (w Work) InVersion(ctx context.Context, prior record.Prior, id manifest.Identity) (record.Prior, bool, error) {
	if w.Run.Rounds.Current() == run.SecondRound && prior.IsInGroup(id) {
		return prior.As(id), true, nil
	}
	return prior.InVersion(ctx, w.API, id)
}

// Updated is an object after an update.
type Updated struct {
	record.Observed
	ssa.Result
	// Sent are the arguments as they were sent: with the live values of write-only fields that keep them.
	Sent arguments.Arguments
}

// Update applies to the object of prior, which may have another API version than the plan. If the run creates the
// object of a part again, Update waits for the new one. Sent is set even with an error.
func (w Work) Update(ctx context.Context, prior record.Prior, planned ssa.Plan) (updated Updated, err error) {
	if w.IsReplaced(prior.Snapshot.UID) {
		prior, err = w.onReplaced(ctx, prior)
	}
	if planned.Object.DiffersInVersion(prior.Object) {
		prior = prior.As(planned.Object)
	}
	if err == nil {
		w.Args, _, err = KeepWriteOnly(ctx, w.API, w.Args, prior)
	}
	if updated.Sent = w.Args; err == nil {
		updated.Observed, updated.Result, err = Of(w).Apply(ctx, prior, planned)
	}
	return updated, err
}

// onReplaced waits until another resource of the run has created the object of prior again, and returns prior with the
// new object.
func (w Work) onReplaced(ctx context.Context, prior record.Prior) (record.Prior, error) {
	uid := prior.Snapshot.UID
	err := run.AwaitObject(ctx, &w.Run.Waits, func() error {
		observed, err := record.Observe(ctx, w.API, prior.Arguments.FieldManager, prior)
		switch {
		case err != nil:
			return err
		case observed.UID == uid:
			return &cluster.Error{Reason: cluster.ReasonNotFound, Object: prior.Object, Message: "it is being replaced"}
		}
		prior.Snapshot, prior.Shown = observed.Snapshot, observed.Shown
		return nil
	})
	return prior, err
}

// GoneSinceRefresh returns the error of a plan that did not find the object, after a refresh that had not looked for
// it.
func GoneSinceRefresh(id manifest.Identity) *cluster.Error {
	return &cluster.Error{
		Reason: cluster.ReasonNotFound, Object: id, Message: "the object was deleted, and the refresh did not see that",
	}
}

// HandOver leaves the object of prior to the create half of a replacement that keeps it; see [deletion.HandOver].
func (w Work) HandOver(ctx context.Context, prior record.Prior) error {
	return deletion.HandOver(ctx, w.API, prior)
}

// KeepWriteOnly returns the arguments as an apply sends them: write-only fields whose version is that of the last
// apply, and which are as that apply left them, keep their live values; see [wanted.WithLiveWriteOnly]. That costs a
// GET if there are fields to keep, unless prior has the live object. An apply reads it again: another client may have
// changed a value since its plan. unsent are the fields whose values in the configuration are not sent.
func KeepWriteOnly(
	ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
) (sent arguments.Arguments, unsent []string, err error) {
	if !wanted.KeepsWriteOnly(args, prior) {
		return args, nil, nil
	}
	if prior.Live == nil {
		live, err := prior.Read(ctx, api)
		if err != nil {
			return args, nil, err
		}
		prior.Live = live.Object
	}
	return wanted.WithLiveWriteOnly(args, prior, prior.Live)
}

// ShareOf returns the fields of an object that a resource applies and removes, for the other resources of the run.
// planned is its plan. If that applies nothing, the fields are those of the last apply. If the server refuses the
// stand-ins for values that are not known yet, they are those of the body. snapshot comes from private state. hasState
// is false for a new resource; one with a snapshot is the create half of a replacement.
func ShareOf(
	id manifest.Identity, args arguments.Arguments, planned ssa.Plan, snapshot record.Snapshot, hasState bool,
) run.Share {
	state, last := snapshot.UID+" "+paths.OrEmpty(snapshot.Fields.Declared).String(), record.Snapshot{}
	if hasState {
		last = snapshot
	}
	share := run.Share{
		FieldManager: args.FieldManager, IsPart: args.IsPart, Fields: planned.Applies,
	}
	if share.Fields == nil && last.Fields.Declared != nil && planned.Action != ssa.Update {
		share.Fields = last.Fields.Declared.Difference(paths.OrEmpty(last.Fields.Empty))
		if body := args.Sends(); args.Patch != nil && body != nil {
			share.Fields = projection.WithValues(body, share.Fields) // Its manager may own more of an atomic field.
		}
	}
	share.Removes = record.PatternsFor(id, args.Removes(share.Fields))
	if share.Fields == nil {
		share.Body = args.Sends()
		if len(args.Ignore) > 0 {
			share.Body = projection.SplitBody(share.Body, args.Ignore, nil, projection.DefaultKeys{}).Body
		}
	}
	switch {
	case hasState:
		share.State = state
	case snapshot.Known():
		share.Replaces = state
	}
	names := paths.NewFormatter(paths.OrEmpty(share.Fields))
	hidden := record.Hidden{Sensitive: paths.Texts(args.Sensitive), WriteOnly: args.WriteOnly.Fields}
	share.Names = record.RendererOf(id, hidden, nil).Names(names)
	return share
}

// write calls do with prior, in its turn among the resources of the run that write to the object. Server-side apply
// removes a map or list with its last owned field, together with the fields in it that other resources of the run have
// released. So the prior that do gets keeps the values of fields that they owned, and does not contain their claims any
// more.
func (w Work) write(prior record.Prior, do func(record.Prior) error) error {
	manager := w.Args.FieldManager
	owned := prior.Snapshot.Claims.AsApplied(manager).Own(manager)
	return w.Run.Objects.Write(prior.Snapshot.UID, manager, owned, func(before map[string]*paths.Set) error {
		kept := &prior.Snapshot.Fields.Kept
		for _, fields := range before {
			*kept = paths.OrEmpty(*kept).Union(fields)
		}
		hasWritten := func(claim ownership.Claim) bool { return before[claim.Name] != nil }
		prior.Snapshot.Claims = slices.DeleteFunc(slices.Clone(prior.Snapshot.Claims), hasWritten)
		return do(prior)
	})
}

// forgetHeld takes from the kept fields of a snapshot those that write has added to before, and that other managers
// still own: they were kept in case these let them go.
func forgetHeld(observed *record.Snapshot, kept, before *paths.Set, manager string) {
	held := paths.OrEmpty(kept).Difference(paths.OrEmpty(before)).Intersection(observed.Claims.Others(manager).Fields())
	if !held.Empty() {
		observed.Fields.Kept = paths.OrEmpty(observed.Fields.Kept).Difference(held)
	}
}
