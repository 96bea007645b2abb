// Package waiting follows an object ([Await]), or any object that has a name ([AwaitName]), until it is ready or will
// never be. Package readiness decides what ready means.
package waiting

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// Judge describes how far an object has come. hasStatus is true if its kind has a status subresource.
type Judge func(object *unstructured.Unstructured, hasStatus bool) readiness.Status

// Goal is the condition that ends a wait, and the number of log lines in the error of a wait that fails.
type Goal struct {
	// Judge calls an object ready; nil if it is enough that it exists.
	Judge Judge
	// LogLines is how many lines of the log of a container an error explains; 0 for none.
	LogLines int
}

// remembering returns a Judge for the versions of one object in their order. It calls a failure InProgress if the
// condition that reports it is from before the latest change: a controller carries it over into the next status.
func (g Goal) remembering() Judge {
	var old []string
	return func(object *unstructured.Unstructured, hasStatus bool) readiness.Status {
		status := g.Judge(object, hasStatus)
		if status.Reason == readiness.NotObserved {
			old = readiness.Conditions(object)
		}
		if slices.Contains(old, status.Condition) {
			status.State = readiness.InProgress
		}
		return status
	}
}

// NotReadyError reports that a wait ended before its object was ready.
type NotReadyError struct {
	Object manifest.Identity
	// Status is the last status of the object. It is Failed if waiting was hopeless, and InProgress if the time ran
	// out.
	Status readiness.Status
	// Waited is the duration of the wait.
	Waited time.Duration
	// Missing is the reason why the object does not exist: a *cluster.Error with ReasonNotFound or ReasonKindNotServed;
	// nil if it exists.
	Missing error
	// Deleted is true if there was an object when the wait began, or in between.
	Deleted bool
	// Interrupted is true if the user has ended the wait.
	Interrupted bool
	Explanation
}

func (e *NotReadyError) Error() string {
	if e.Missing != nil {
		return e.Missing.Error()
	}
	return e.Object.String() + " is not ready: " + e.Status.Message
}

// Awaited is the result of a wait.
type Awaited struct {
	Object manifest.Identity
	// Live is the newest version of the object; nil if the object did not exist.
	Live *unstructured.Unstructured
	// Refusal is why the server did not let us watch the object; nil if it did.
	Refusal *cluster.Error
}

// Await follows an object until the judge of goal calls it ready. It sends no request if the given object is ready, and
// one WATCH otherwise. It returns a *NotReadyError if the object fails, its pods cannot start, or ctx ends; three LISTs
// explain the error, and a GET of a log if goal wants it. While a workload does not change, Await lists its pods again
// and again. An object that had failed before the wait gets half a minute to recover, with a WATCH of its own, unless
// the failure is final. A condition from before a change of the object, which a controller carries over, ends no wait:
// the pods that are refused may be those of the old template.
func Await(
	ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, goal Goal,
) (Awaited, error) {
	began, end := time.Now(), Awaited{Object: id, Live: live}
	kind, err := api.Kind(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return end, err
	}
	told, done := reporting(ctx, id)
	defer done()
	judge := goal.remembering()
	judgeOf := func(live *unstructured.Unstructured) readiness.Status {
		status := judge(live, kind.HasStatus)
		told.see(ctx, status)
		return status
	}
	now := &seen{live: live, status: judgeOf(live), at: began, told: told}
	if mayBeOld(now.status) {
		if err = now.followFailed(ctx, api, judgeOf); err != nil {
			return end, err
		}
	}
	if now.status.State == readiness.InProgress {
		end.Refusal, err = now.follow(ctx, api, judgeOf)
	}
	end.Live = now.live
	if now.status.State == readiness.Ready || now.status.State == readiness.InProgress && !isOver(ctx, err) {
		return end, err
	}
	now.status.Message = shown(ctx, id, now.status.Message)
	return end, &NotReadyError{
		Object: id, Status: now.status, Waited: time.Since(began), Interrupted: isInterrupted(ctx),
		Explanation: explain(ctx, api, end.Live, goal.LogLines),
	}
}

// isInterrupted reports whether the user has ended what ctx is for.
func isInterrupted(ctx context.Context) bool { return ctx.Err() == context.Canceled }

// mayBeOld reports whether the cause of a failure may be gone although the object still shows it: another client may
// have raised a quota, or pushed an image. Nothing in this object shows when its controller looked last.
func mayBeOld(status readiness.Status) bool { return status.State == readiness.Failed && !status.Final }

// followFailed follows an object that had failed before the wait began, until it is no longer failed, or for
// stalledAfter.
func (s *seen) followFailed(
	ctx context.Context, api cluster.Interface, judge func(*unstructured.Unstructured) readiness.Status,
) error {
	short, stop := context.WithTimeout(ctx, stalledAfter)
	defer stop()
	_, err := api.Follow(short, s.live, func(live *unstructured.Unstructured) bool {
		s.see(live, judge(live))
		return s.status.State != readiness.Failed
	})
	return unlessOver(err)
}

// isOver reports whether following an object ended because the time ran out, or because the user ended it.
func isOver(ctx context.Context, err error) bool {
	return unlessOver(err) == nil || isInterrupted(ctx) && !cluster.IsGone(err)
}

// unlessOver returns the error of following an object; nil if it only reports that the time ran out.
func unlessOver(err error) error {
	_, isThrottled := errors.AsType[*cluster.ThrottledError](err) // It was not sent, and tells nothing of the object.
	if cluster.ReasonOf(err) == cluster.ReasonTimeout && !isThrottled {
		return nil
	}
	return err
}

// follow follows the object until it is ready, has failed, or its pods cannot start. It returns why the server did not
// let us watch it.
func (s *seen) follow(
	ctx context.Context, api cluster.Interface, judge func(*unstructured.Unstructured) readiness.Status,
) (*cluster.Error, error) {
	ctx, stop := context.WithCancel(ctx)
	hopeless := make(chan *readiness.Status, 1)
	go func() {
		defer close(hopeless)
		if status, is := s.awaitHopeless(ctx, api); is {
			hopeless <- &status
			stop()
		}
	}()
	followed, err := api.Follow(ctx, s.live, func(live *unstructured.Unstructured) bool {
		status := judge(live)
		s.see(live, status)
		return status.State != readiness.InProgress
	})
	stop()
	// stop ends awaitHopeless, which closes the channel. The status that the watch has seen by then takes precedence
	// over that of the pods.
	if status := <-hopeless; status != nil && s.status.State == readiness.InProgress {
		s.status = *status
	}
	return followed.Refusal, err
}

// longestRun is a year, in seconds.
const longestRun = 365 * 24 * 60 * 60

// LimitOfRun returns how long to wait for the end of a Job or a Pod if the configuration does not specify it: its
// activeDeadlineSeconds and a minute more, or else ten minutes.
func LimitOfRun(live *unstructured.Unstructured) time.Duration {
	seconds, has, err := unstructured.NestedInt64(live.Object, "spec", "activeDeadlineSeconds")
	if !has || err != nil {
		return 10 * time.Minute
	}
	return time.Duration(min(seconds, longestRun))*time.Second + time.Minute
}

// Limit returns the default timeout of a wait for an object: the progressDeadlineSeconds of a Deployment and a minute
// more, or else ten minutes. live is nil if the object does not exist.
func Limit(live *unstructured.Unstructured) time.Duration {
	if live == nil {
		return 10 * time.Minute
	}
	seconds, has, err := unstructured.NestedInt64(live.Object, "spec", "progressDeadlineSeconds")
	// The Deployment controller takes this value for no deadline.
	if noDeadline := seconds >= math.MaxInt32; live.GetKind() == "Deployment" && has && err == nil && !noDeadline {
		return time.Duration(seconds)*time.Second + time.Minute
	}
	return 10 * time.Minute
}
