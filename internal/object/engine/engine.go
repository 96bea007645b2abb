// Package engine plans, applies and ends what a resource wants of an object, in one of three ways:
//
//	e := engine.Of(engine.Work{API: api, Args: args, Run: current})
//	plan, prior, err := e.PlanFirst(ctx, record.Snapshot{})
//	observed, result, err := e.Create(ctx, plan)
//
// A whole object is applied with server-side apply. A part is applied likewise, to an object that another client
// created. A patch is a JSON, merge or strategic merge patch of one.
package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/ownership"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/paths"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/fields/projection"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/arguments"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/patching"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/record"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/run"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/ssa"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/wanted"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/withdrawal"
)

// Engine plans, applies and ends what arguments want of an object.
type Engine interface {
	// PlanFirst plans the first apply. replaced is the snapshot of the object that is replaced; it is empty without
	// one. The prior is of an object that another client created; it is empty for a new object, and for one that does
	// not exist yet.
	PlanFirst(ctx context.Context, replaced record.Snapshot) (ssa.Plan, record.Prior, error)
	// AwaitFirst repeats try, which calls PlanFirst, while what it needs may still come into being.
	AwaitFirst(ctx context.Context, queue *run.WaitQueue, try func() error) error
	// Plan plans an apply to the object of prior. [Pending] reports whether one is needed.
	Plan(ctx context.Context, prior record.Prior) (ssa.Plan, error)
	// PlanNothing returns the plan of an object that needs no apply, without a request. unsent are the write-only
	// fields whose values in the configuration are not sent. The plan is empty if there is nothing to report.
	PlanNothing(prior record.Prior) (plan ssa.Plan, unsent []string, err error)
	// Create applies for the first time. planned is the plan of the same apply.
	Create(ctx context.Context, planned ssa.Plan) (record.Observed, ssa.Result, error)
	// Apply applies to the object of prior. If the API server cannot reach an admission webhook, it waits for it.
	Apply(ctx context.Context, prior record.Prior, planned ssa.Plan) (record.Observed, ssa.Result, error)
	// End deletes the object of prior, or takes back what was applied to it.
	End(ctx context.Context, prior record.Prior, how Policy) (Ended, error)
}

// Work holds the inputs of an engine.
type Work struct {
	API  cluster.Interface
	Args arguments.Arguments
	// By is the resource that is planned, for an engine that plans.
	By run.Holder
	// Run holds the data that the resources of a plan or an apply share.
	Run *run.Run
}

// Of returns the engine for the arguments of some work.
func Of(work Work) Engine {
	switch id := work.Args.Manifest.Identity; {
	case id.IsDefinition():
		return definition{Engine: plain(work), work: work}
	// No CustomResourceDefinition can add a kind to a built-in group, so no run changes the schema of a kind in it.
	case !manifest.IsBuiltinGroup(id.Group()):
		return redefined{Engine: plain(work), work: work}
	}
	return plain(work)
}

// plain returns the engine without regard to definitions of kinds.
func plain(work Work) Engine {
	switch {
	case work.Args.Patch != nil:
		return patch{guest{whole: whole{work}, target: patching.Target, plan: patching.Plan}}
	case work.Args.IsPart:
		return part{guest{whole: whole{work}, target: targetOfPart, plan: planPart}}
	}
	return whole{work}
}

// Pending reports whether the arguments need an apply to the object of prior.
func Pending(args arguments.Arguments, prior record.Prior) bool { return wanted.Pending(args, prior) }

// Policy describes how [Engine.End] ends a resource.
type Policy struct {
	// Releases is true if the object stays as it is, without our claims.
	Releases bool
	// Successor is the manager that gets our claims on an object that stays; "" if they end.
	Successor string
	// Propagation describes what happens to the dependents of an object that is deleted.
	Propagation cluster.Propagation
	// Until is when End gives up.
	Until time.Time
	// Forces is true if finalizers that block the deletion until then are removed, which takes a minute at most.
	Forces bool
}

// Ended describes what [Engine.End] has done.
type Ended struct {
	// Superseded is true if the object is gone, and its name belongs to another object now. That object is unchanged.
	Superseded bool
	// Adopted is true if the object stays for a resource of this run that has adopted it, or fields of a part for one
	// that has applied them, too.
	Adopted bool
	// Forced is true if End has tried to remove finalizers. Finalizers are those that it has removed.
	Forced     bool
	Finalizers []string
	// Refused is why a part was only released: the server has refused to take it back. It is nil otherwise.
	Refused error
	// Kept are fields that keep their values although the plan reported that End removes or restores them: other
	// managers have become their owners since, or the server has refused that.
	Kept []ownership.Change
}

// TryEnd returns fates, together with the fields that the server removes or changes by itself when a part is taken
// back: the node ports of a Service whose type is restored, for instance. It notes in fates which values the server
// sets again, as it copies serviceAccount to serviceAccountName. It costs one dry-run if values are removed or restored
// on which other values may depend, and a GET before it if this run has not read the object. If other clients write to
// it meanwhile, it costs at most three more of each. becomes is the object as the server would leave it; nil without a
// dry-run. refusal is why the server does not accept that; nil if it does, and after any other failure, which the
// destroy reports.
func TryEnd(
	ctx context.Context, api cluster.Interface, prior record.Prior, fates []ownership.Change,
) (tried []ownership.Change, becomes map[string]any, refusal error) {
	if !slices.ContainsFunc(fates, mayDrop) {
		return fates, nil, nil
	}
	prior, after, err := tryWithdrawal(ctx, api, prior)
	switch {
	case cluster.ReasonOf(err) == cluster.ReasonInvalid:
		return fates, nil, err
	case after == nil || err != nil:
		return fates, nil, nil //nolint:nilerr // The destroy reports it.
	}
	w, told := wanted.For(prior.Arguments, prior), record.ServerFields(prior.Object)
	now, renderer := projection.NewReader(after.Object), w.LiveRenderer().Knowing(prior.Live).Knowing(after.Object)
	for i, fate := range fates {
		if fate.What == ownership.Leaving {
			continue
		}
		told.Insert(fate.Path)
		value, presence := now.Lookup(fate.Path)
		if fate.What != ownership.Restoring && presence == projection.Present {
			fates[i].Why, fates[i].Refilled = ownership.Defaulted, renderer.Text(fate.Path, value)
		}
	}
	claims := prior.Snapshot.Claims
	names := renderer.Names(claims.Formatter(told))
	for _, difference := range projection.Differences(prior.Live, after.Object, claims.Fields().Union(told)) {
		path := difference.Path
		if paths.Touches(told, path) {
			continue
		}
		fate := ownership.Change{
			Field: names.Format(path), What: ownership.Unclaimed, Why: ownership.Dropped,
			Becomes: ownership.RemovedValue,
			Was:     renderer.Text(path, difference.Before), Owners: claims.Others(w.FieldManager).HoldersWithin(path),
		}
		if difference.Presence == projection.Present {
			fate.Becomes = cmp.Or(renderer.Text(path, difference.After), ownership.RemovedValue)
		}
		fates = append(fates, fate)
	}
	return fates, after.Object, nil
}

// mostReads is how often the object is read for a dry-run that other clients outrun. A controller that answers a change
// writes a few times.
const mostReads = 3

// tryWithdrawal returns the object as the server would leave it, and prior with the live object that this was tried on.
func tryWithdrawal(
	ctx context.Context, api cluster.Interface, prior record.Prior,
) (record.Prior, *unstructured.Unstructured, error) {
	for reads := 0; ; reads++ {
		if prior.Live != nil {
			after, err := withdrawal.Try(ctx, api, prior)
			if cluster.ReasonOf(err) != cluster.ReasonConflict || reads == mostReads {
				return prior, after, err
			}
		}
		live, err := prior.Read(ctx, api)
		if err != nil {
			return prior, nil, err
		}
		prior.Live = live.Object
	}
}

// mayDrop reports whether a value leaves or is restored on which others may depend. Labels, annotations and the data of
// a ConfigMap do not depend on each other.
func mayDrop(fate ownership.Change) bool {
	around := *fate.Path[0].FieldName
	return fate.What != ownership.Leaving && around != "metadata" && around != "data" && around != "binaryData"
}
