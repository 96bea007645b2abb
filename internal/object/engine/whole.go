package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster/refusals"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
)

// whole applies all of an object, which it creates or adopts.
type whole struct{ Work }

func (e whole) PlanFirst(ctx context.Context, replaced record.Snapshot) (ssa.Plan, record.Prior, error) {
	plan, err := ssa.PlanCreate(ctx, e.API, e.Args, run.Replacement{
		Replaced: replaced, By: e.By, Run: e.Run,
		Try: func(id manifest.Identity, update error) error { return e.refusedAsNew(ctx, id, update) },
	})
	if err == nil && plan.State != nil {
		// In an apply, the create follows at once. If none does, this run makes the plan that the CLI shows.
		e.Run.Rounds.NotePlanned()
	}
	return plan, record.Prior{}, err
}

func (whole) AwaitFirst(ctx context.Context, queue *run.WaitQueue, try func() error) error {
	return run.AwaitWebhook(ctx, queue, try)
}

func (e whole) Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error) {
	plan, err := ssa.PlanUpdate(ctx, e.API, e.Args, prior)
	if err != nil || plan.Action != ssa.Replace {
		return plan, err
	}
	update, err := ssa.PlanUpdate(context.WithValue(ctx, immutableKey{}, true), e.API, e.Args, prior)
	if _, isConflict := errors.AsType[*ssa.ConflictsError](err); isConflict || err == nil {
		return plan.Losing(update, err)
	}
	if cluster.IsRefusal(err) {
		return plan, nil // The create reports what the new object meets.
	}
	return plan, err
}

// immutableKey marks the context of a plan that tells what a replacement takes from other managers: that of an update,
// as if no field were immutable.
type immutableKey struct{}

// IsWithoutDryRun reports whether a plan does without a dry-run that the server refuses: because a field is immutable,
// or by a schema that the run changes.
func IsWithoutDryRun(ctx context.Context, refusal error) bool {
	return ctx.Value(immutableKey{}) != nil && refusals.Immutable(refusal) != nil ||
		ctx.Value(schemaKey{}) != nil && isOfSchema(refusal)
}

func (e whole) PlanNothing(prior record.Prior) (plan ssa.Plan, unsent []string, err error) {
	if prior.Live != nil && wanted.KeepsWriteOnly(e.Args, prior) {
		if _, unsent, err = wanted.WithLiveWriteOnly(e.Args, prior, prior.Live); err != nil {
			return plan, nil, err
		}
	}
	plan, err = ssa.PlanNothing(e.Args, prior)
	return plan, unsent, err
}

func (e whole) Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error) {
	if refusal := e.Run.Objects.OfName(run.At{API: e.API, Object: planned.Object}).Refusal; refusal != nil {
		return record.Observed{}, ssa.Result{}, refusal
	}
	observed, result, err := ssa.CreateObject(ctx, e.API, e.Args, planned, e.Run)
	if err == nil {
		e.Run.Objects.NoteTaken(observed.Snapshot.UID)
	}
	return observed, result, err
}

func (e whole) Apply(
	ctx context.Context, prior record.Prior, planned ssa.Plan,
) (observed record.Observed, result ssa.Result, err error) {
	err = run.AwaitWebhook(ctx, &e.Run.Waits, func() error {
		return e.write(prior, func(beside record.Prior) (err error) {
			failed := result
			observed, result, err = ssa.UpdateObject(ctx, e.API, e.Args, beside, planned)
			if result = result.After(failed); err == nil {
				kept, before := beside.Snapshot.Fields.Kept, prior.Snapshot.Fields.Kept
				forgetHeld(&observed.Snapshot, kept, before, e.Args.FieldManager)
			}
			return err
		})
	})
	return observed, result, err
}

func (e whole) End(ctx context.Context, prior record.Prior, how Policy) (Ended, error) {
	bounded, cancel := context.WithDeadline(ctx, how.Until)
	defer cancel()
	prior, err := e.withUID(bounded, prior)
	adopter, isAdopted := e.Run.Objects.Of(prior.Snapshot.UID).Adopter()
	switch {
	case cluster.IsGone(err):
		return Ended{}, nil
	case err != nil:
		return Ended{}, err
	// The object belongs to the state of the resource that adopts it from then on. A deletion would remove it, and
	// releasing our claims would release those of a resource with the same field manager.
	case isAdopted && (!how.Releases || adopter == e.Args.FieldManager):
		return Ended{Adopted: true}, nil
	}
	var done deletion.Deletion
	if how.Releases {
		done, err = e.leave(bounded, prior, how)
	} else {
		removal := cluster.Removal{UID: prior.Snapshot.UID, Propagation: how.Propagation}
		done, err = deletion.Delete(bounded, e.API, prior.Object, removal)
		if blocked, is := errors.AsType[*cluster.DeletionBlockedError](err); is {
			blocked.Manager = e.Args.FieldManager
		}
	}
	// bounded has ended by then. The removal of finalizers has time of its own.
	if how.Forces && cluster.ReasonOf(err) == cluster.ReasonDeletionBlocked && ctx.Err() == nil {
		return e.force(ctx, prior, err)
	}
	return Ended{Superseded: done == deletion.Superseded}, err
}

// withUID returns prior with the object's uid, without which the provider could delete another object of the same name.
// Terraform destroys a tainted object without private state. The state contains the uid then, unless the response to
// the create was lost. In that case withUID looks for the object.
func (e whole) withUID(ctx context.Context, prior record.Prior) (record.Prior, error) {
	if prior.Snapshot.UID == "" {
		prior.Snapshot.UID = prior.UID
	}
	if prior.Snapshot.UID != "" {
		return prior, nil
	}
	prior.Snapshot.OutcomeUnknown = true
	observed, err := record.Observe(ctx, e.API, e.Args.FieldManager, prior)
	prior.Snapshot = observed.Snapshot
	return prior, err
}

// leave ends our claims on an object, or gives them to a successor, and changes no value.
func (e whole) leave(ctx context.Context, prior record.Prior, how Policy) (done deletion.Deletion, err error) {
	err = e.write(prior, func(prior record.Prior) (err error) {
		done, err = deletion.Leave(ctx, e.API, deletion.Leaving{
			Object: prior.Object, UID: prior.Snapshot.UID, FieldManager: e.Args.FieldManager, Successor: how.Successor,
		})
		return err
	})
	return done, err
}

// forceTimeout bounds the removal of finalizers after a deletion has given up.
const forceTimeout = time.Minute

// force removes the finalizers of an object that have blocked its deletion.
func (e whole) force(ctx context.Context, prior record.Prior, held error) (Ended, error) {
	ctx, cancel := context.WithTimeout(ctx, forceTimeout)
	defer cancel()
	forced, err := deletion.RemoveFinalizers(ctx, e.API, deletion.Blocked{
		Object: prior.Object, UID: prior.Snapshot.UID, FieldManager: e.Args.FieldManager, Failure: held,
	})
	superseded := forced.Deletion == deletion.Superseded
	return Ended{Superseded: superseded, Forced: true, Finalizers: forced.Removed}, err
}

// refusedAsNew returns why the server refuses the object that a replacement creates, before the old one is deleted: the
// answer of a policy, a webhook or an admission plugin, and a fault that is also part of update, the refusal of a
// change of the old object. Other refusals may be about what the old object still uses: its ports, or its share of a
// quota.
func (e whole) refusedAsNew(ctx context.Context, id manifest.Identity, update error) error {
	if e.Args.IsUndecided() {
		return nil
	}
	err := ssa.RefusedAsNew(ctx, e.API, id, e.Args.Manifest.Object, e.Args.FieldManager)
	refusal, is := errors.AsType[*cluster.Error](err)
	if !is || refusals.MissingRight(refusal.Said()) != nil || strings.Contains(refusal.Said(), "exceeded quota") {
		return nil //nolint:nilerr // The old object may be the reason.
	}
	isAlso := func(cause metav1.StatusCause) bool {
		return slices.ContainsFunc(cluster.CausesOf(update), func(other metav1.StatusCause) bool {
			return other.Type == cause.Type && other.Field == cause.Field
		})
	}
	switch reason := refusal.Reason; {
	case reason == cluster.ReasonForbidden,
		reason == cluster.ReasonNotYetAdmitted && !strings.Contains(refusal.Said(), "allocator not ready"),
		refusals.IsOfPolicy(refusal.Said()), slices.ContainsFunc(cluster.CausesOf(err), isAlso):
		return err
	}
	return nil
}
