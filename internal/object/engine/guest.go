package engine

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/deletion"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
)

// guest is the common part of the engines that apply to an object of another client. Methods that it does not define
// are those of whole.
type guest struct {
	whole
	// target reads the object, to which we have applied nothing. The prior names it even with an error.
	target func(ctx context.Context, api cluster.Interface, args arguments.Arguments) (record.Prior, error)
	// plan plans an apply, and returns the prior that the apply starts from.
	plan func(
		ctx context.Context, api cluster.Interface, args arguments.Arguments, prior record.Prior,
	) (ssa.Plan, record.Prior, error)
}

// PlanFirst costs a GET and a dry-run. If the object is missing in the plan that the CLI shows, the returned plan
// contains no state. If it is missing in the plan that an apply makes, PlanFirst fails, and the user has to plan again:
// the shown plan may contain values, and they must not become unknown.
func (g guest) PlanFirst(ctx context.Context, _ record.Snapshot) (ssa.Plan, record.Prior, error) {
	plan := ssa.Plan{Action: ssa.Create, Object: g.Args.Manifest.Identity}
	prior, err := g.target(ctx, g.API, g.Args)
	if plan.Object = prior.Object; err != nil {
		if err = plan.Awaited.AwaitObject(err); err == nil && g.Run.Rounds.Current() == run.SecondRound {
			err = plan.Awaited.Err
		}
		return plan, record.Prior{}, err
	}
	plan, prior, err = g.plan(ctx, g.API, g.Args, prior)
	g.Run.Objects.HoldTarget(g.API, g.Args.FieldManager, prior)
	return plan, prior, err
}

func (guest) AwaitFirst(ctx context.Context, queue *run.WaitQueue, try func() error) error {
	return run.AwaitObject(ctx, queue, try)
}

// first returns the object as the plan of this process has read it. Without this plan, it waits for the object until
// ctx ends, and reads it.
func (g guest) first(ctx context.Context, planned ssa.Plan) (record.Prior, error) {
	prior := g.Run.Objects.TakeTarget(g.API, g.Args.FieldManager, planned.Object)
	if prior.Snapshot.Known() {
		return prior, nil
	}
	err := run.AwaitObject(ctx, &g.Run.Waits, func() (err error) {
		prior, err = g.target(ctx, g.API, g.Args)
		return err
	})
	return prior, err
}

// noted returns the results of a first apply, and notes in the run that it has succeeded.
func (g guest) noted(
	observed record.Observed, result ssa.Result, err error,
) (record.Observed, ssa.Result, error) {
	if err == nil {
		run.NoteApplied(&g.Run.Objects, observed.UID, g.Args.FieldManager)
	}
	return observed, result, err
}

// takingBack takes back what args apply to the object of prior, unless releases is set: then no value changes. It
// returns the object as it is then, which may be nil if releases is set, and on an error.
type takingBack = func(
	ctx context.Context, args arguments.Arguments, prior record.Prior, releases bool,
) (deletion.Deletion, *unstructured.Unstructured, error)

// end calls takeBack, which gives up the fields that we own and, unless releases is set, also removes what we added. A
// single refusal may be accidental, so it calls takeBack once more then. If that is refused too, it only releases them.
func (g guest) end(ctx context.Context, prior record.Prior, how Policy, takeBack takingBack) (ended Ended, err error) {
	ctx, cancel := context.WithDeadline(ctx, how.Until)
	defer cancel()
	prior = g.withSnapshot(ctx, prior)
	// What both resources apply would go, too: the replacement of a part with create_before_destroy.
	if g.Run.Objects.Of(prior.Snapshot.UID).IsAppliedBy(g.Args.FieldManager) {
		return Ended{Adopted: true}, nil
	}
	args := g.Args
	args.Manifest.Object = manifest.Identified(map[string]any{}, prior.Object)
	// An end only takes back: it removes no field of other managers, and meets no conflict that could stop it.
	args.Remove, args.Ignore, args.OnConflict = nil, nil, arguments.Force
	// The snapshot contains digests for the fields that were sensitive in the last apply.
	args.Sensitive = paths.PatternsOf(prior.Snapshot.Sensitive)
	done, live, err := takeBack(ctx, args, prior, how.Releases)
	if cluster.ReasonOf(err) == cluster.ReasonInvalid {
		done, live, err = takeBack(ctx, args, prior, how.Releases)
	}
	if err == nil && !how.Releases {
		ended.Kept = leftToOthers(prior, live)
	}
	if refusal := err; cluster.ReasonOf(refusal) == cluster.ReasonInvalid {
		if done, _, err = takeBack(ctx, args, prior, true); err == nil && done == deletion.Released {
			ended.Refused, ended.Kept = refusal, notTakenBack(prior, live)
		}
	}
	if cluster.IsGone(err) || cluster.ReasonOf(err) == cluster.ReasonConflict {
		done, err = deletion.Confirm(ctx, g.API, prior.Object, prior.Snapshot.UID, err)
	}
	ended.Superseded = done == deletion.Superseded
	return ended, err
}

// withSnapshot returns prior with a snapshot of the object of the state. Terraform destroys a tainted resource without
// the one that was stored, and the plan has none to pass on if there was no refresh.
func (g guest) withSnapshot(ctx context.Context, prior record.Prior) record.Prior {
	if prior.Snapshot.Known() || prior.UID == "" {
		return prior
	}
	observed, err := record.Observe(ctx, g.API, g.Args.FieldManager, prior)
	if prior.Snapshot.UID = prior.UID; err == nil && observed.UID == prior.UID {
		prior.Snapshot = observed.Snapshot
	}
	return prior // What takes it back reads the object, too, and reports an error.
}
