package waiting

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// longestPauseForKind is the longest time between two loads of discovery while a kind is not served.
const longestPauseForKind = 5 * time.Second

// AwaitName waits until the judge of goal reports the object with this name as ready, no matter how often it is created
// again; without a judge, until it exists. It costs a GET if the object is ready at once, and a WATCH more otherwise.
// While the kind is not served, discovery is loaded again with growing pauses. An object that has failed gets the time
// that Await gives it. limit gets the object that was found, or nil, and returns how long the wait may take. Errors
// are those of Await.
func AwaitName(
	ctx context.Context, api cluster.Interface, id manifest.Identity, goal Goal,
	limit func(live *unstructured.Unstructured) time.Duration,
) (Awaited, error) {
	told, done := reporting(ctx, id)
	defer done()
	w := nameWait{api: api, id: id, told: func(status readiness.Status) { told.see(ctx, status) }}
	if goal.Judge != nil {
		w.judge = goal.remembering()
	}
	began := time.Now()
	patient, cancel := context.WithTimeout(ctx, limit(nil))
	defer cancel()
	err := w.find(patient)
	if w.live != nil {
		var end context.CancelFunc
		patient, end = context.WithDeadline(ctx, began.Add(limit(w.live)))
		defer end()
	}
	// follow also returns after a new search, if the kind was not served for a time.
	for err == nil && w.status.State == readiness.InProgress {
		if w.hasNamesInUse() {
			err = w.outlast(patient)
			continue
		}
		err = w.follow(patient, func() bool { return w.status.State != readiness.InProgress || w.hasNamesInUse() })
	}
	end := Awaited{Object: w.id, Live: w.live, Refusal: w.refusal}
	nothingSeen := w.status.State == ""
	if w.status.State == readiness.Ready || nothingSeen || !isOver(ctx, err) {
		return end, err
	}
	failure := &NotReadyError{
		Object: w.id, Status: w.status, Waited: time.Since(began), Missing: w.missing,
		Deleted: w.existed && w.live == nil, Interrupted: isInterrupted(ctx),
	}
	failure.Status.Message = shown(ctx, w.id, w.status.Message)
	if w.live != nil {
		failure.Explanation = explain(ctx, api, w.live, goal.LogLines)
	}
	return end, failure
}

// nameWait is a wait for the object of a name.
type nameWait struct {
	api   cluster.Interface
	id    manifest.Identity
	judge Judge
	told  func(readiness.Status)
	kind  cluster.Kind

	// live is the object as it was seen last; nil if it was missing, and missing reports why.
	live    *unstructured.Unstructured
	missing error
	status  readiness.Status
	// existed is true if the wait has seen the object.
	existed bool
	refusal *cluster.Error
}

// find waits until the kind is served, and looks for the object once. It follows one that has failed for stalledAfter,
// unless that is final or it recovers.
func (w *nameWait) find(ctx context.Context) error {
	var err error
	interrupted := cluster.Retry(ctx, cluster.AfterFailure(longestPauseForKind), func(time.Duration) bool {
		err = w.look(ctx)
		return mayBeServedLater(err)
	})
	if interrupted != nil {
		return &cluster.Error{
			Reason: cluster.ReasonTimeout, Object: w.id, Message: "the timeout ran out", Cause: interrupted,
		}
	}
	if err != nil || !mayBeOld(w.status) {
		return err
	}
	short, end := context.WithTimeout(ctx, stalledAfter)
	defer end()
	return unlessOver(w.follow(short, func() bool { return w.status.State != readiness.Failed }))
}

// hasNamesInUse reports whether the API server refuses the names of a definition, because another one has them.
func (w *nameWait) hasNamesInUse() bool {
	return w.status.State == readiness.InProgress && w.status.Condition != "" && w.id.IsDefinition()
}

// outlast follows a definition whose names are in use for stalledAfter. It has failed if they still are.
func (w *nameWait) outlast(ctx context.Context) error {
	short, end := context.WithTimeout(ctx, stalledAfter)
	defer end()
	err := unlessOver(w.follow(short, func() bool { return !w.hasNamesInUse() }))
	if err == nil && ctx.Err() == nil && w.hasNamesInUse() {
		w.status.State = readiness.Failed
	}
	return err
}

// look sends one GET where the kind is served.
func (w *nameWait) look(ctx context.Context) error {
	var err error
	w.id, err = cluster.Locate(ctx, w.api, w.id)
	if err == nil {
		w.kind, err = w.api.Kind(ctx, w.id.APIVersion, w.id.Kind)
	}
	var live *unstructured.Unstructured
	if err == nil {
		live, err = w.api.Get(ctx, w.id)
	}
	switch reason := cluster.ReasonOf(err); {
	case err == nil:
		w.see(live)
	case reason == cluster.ReasonNotFound:
		w.miss(err)
		return nil
	case mayBeServedLater(err):
		w.miss(err)
	}
	return err
}

// follow follows the object until enough returns true. If its kind is not served any more, follow looks for the object
// again.
func (w *nameWait) follow(ctx context.Context, enough func() bool) error {
	followed, err := w.api.FollowName(ctx, w.id, w.live, func(now *unstructured.Unstructured) bool {
		if now == nil {
			w.miss(&cluster.Error{Reason: cluster.ReasonNotFound, Object: w.id, Message: "the object does not exist"})
		} else {
			w.see(now)
		}
		return enough()
	})
	if followed.Refusal != nil {
		w.refusal = followed.Refusal
	}
	if mayBeServedLater(err) {
		w.miss(err)
		return w.find(ctx)
	}
	return err
}

// see judges the object.
func (w *nameWait) see(live *unstructured.Unstructured) {
	w.live, w.missing, w.existed = live, nil, true
	w.status = readiness.Status{State: readiness.Ready}
	if w.judge != nil {
		w.status = w.judge(live, w.kind.HasStatus)
	}
	w.told(w.status)
}

func (w *nameWait) miss(why error) {
	w.live, w.missing, w.status = nil, why, readiness.Status{State: readiness.InProgress}
	w.told(readiness.Status{State: readiness.InProgress, Reason: "Missing", Message: "The object does not exist."})
}

// mayBeServedLater reports whether an error shows that a kind is not served, and a CustomResourceDefinition may add it,
// or its API server may start.
func mayBeServedLater(err error) bool {
	unserved, is := errors.AsType[*cluster.KindNotServedError](err)
	reason := cluster.ReasonOf(err)
	return reason == cluster.ReasonAPIUnavailable ||
		reason == cluster.ReasonKindNotServed && (!is || !unserved.BuiltinGroup)
}
