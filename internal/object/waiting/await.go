package waiting

import (
	"context"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/cluster"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/manifests/manifest"
	"github.com/k8sconnect/terraform-provider-k8sconnect/internal/object/readiness"
)

// Judge says how far an object has come. hasStatus says that its kind has a status subresource.
type Judge func(object *unstructured.Unstructured, hasStatus bool) readiness.Status

// NotReadyError says that a wait ended before its object was ready.
type NotReadyError struct {
	Object manifest.Identity
	// Status is what the object said last. It is Failed if waiting was hopeless, and InProgress if the time ran out.
	Status readiness.Status
	// Waited is how long the wait took.
	Waited time.Duration
	// Missing is why there is no object: a *cluster.Error with ReasonNotFound or ReasonKindNotServed; nil where there is one.
	Missing error
	// Deleted says that there was an object when the wait began, or in between.
	Deleted bool
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
	// Refusal is why the server did not let us watch the object; nil where it did.
	Refusal *cluster.Error
}

// Await follows an object until judge calls it ready. It sends no request if the given object is ready, and one WATCH otherwise.
// It returns a *NotReadyError if the object fails, its pods cannot start, or ctx ends; three LISTs explain the error. While a
// workload does not change, Await lists its pods again and again. An object that had failed before the wait gets half a minute to
// recover, with a WATCH of its own, unless the failure is final.
func Await(ctx context.Context, api cluster.Interface, id manifest.Identity, live *unstructured.Unstructured, judge Judge) (Awaited, error) {
	began, end := time.Now(), Awaited{Object: id, Live: live}
	kind, err := api.Kind(ctx, id.APIVersion, id.Kind)
	if err != nil {
		return end, err
	}
	judgeOf := func(live *unstructured.Unstructured) readiness.Status { return judge(live, kind.HasStatus) }
	now := &seen{live: live, status: judgeOf(live), at: began}
	if mayBeOld(now.status) {
		if err = now.followFailed(ctx, api, judgeOf); err != nil {
			return end, err
		}
	}
	if now.status.State == readiness.InProgress {
		end.Refusal, err = now.follow(ctx, api, judgeOf)
	}
	end.Live = now.live
	if now.status.State == readiness.Ready || now.status.State == readiness.InProgress && err != nil && cluster.ReasonOf(err) != cluster.ReasonTimeout {
		return end, err
	}
	now.status.Message = shown(ctx, id, now.status.Message)
	return end, &NotReadyError{Object: id, Status: now.status, Waited: time.Since(began), Explanation: explain(ctx, api, end.Live)}
}

// mayBeOld reports whether the cause of a failure may be gone although the object still shows it: somebody may have raised a quota,
// or pushed an image. Nothing in such an object says when its controller looked last.
func mayBeOld(status readiness.Status) bool {
	return status.State == readiness.Failed && !status.Final
}

// followFailed follows an object that had failed before the wait began, until it is no longer failed, or for stalledAfter.
func (s *seen) followFailed(ctx context.Context, api cluster.Interface, judge func(*unstructured.Unstructured) readiness.Status) error {
	short, stop := context.WithTimeout(ctx, stalledAfter)
	defer stop()
	_, err := api.Follow(short, s.live, func(live *unstructured.Unstructured) bool {
		s.see(live, judge(live))
		return s.status.State != readiness.Failed
	})
	return unlessOver(err)
}

// unlessOver returns the error of following an object; nil if it only says that the time ran out.
func unlessOver(err error) error {
	if cluster.ReasonOf(err) == cluster.ReasonTimeout {
		return nil
	}
	return err
}

// follow follows the object until it is ready, has failed, or its pods cannot start. It returns why the server did not let us watch it.
func (s *seen) follow(ctx context.Context, api cluster.Interface, judge func(*unstructured.Unstructured) readiness.Status) (*cluster.Error, error) {
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
	if status := <-hopeless; status != nil && s.status.State == readiness.InProgress {
		s.status = *status
	}
	return followed.Refusal, err
}

// Limit returns how long to wait for an object if the configuration does not say: the progressDeadlineSeconds of a Deployment
// and a minute more, or else ten minutes. live is nil if the object does not exist.
func Limit(live *unstructured.Unstructured) time.Duration {
	if live == nil {
		return 10 * time.Minute
	}
	seconds, has, err := unstructured.NestedInt64(live.Object, "spec", "progressDeadlineSeconds")
	if noDeadline := seconds >= math.MaxInt32; live.GetKind() == "Deployment" && has && err == nil && !noDeadline {
		return time.Duration(seconds)*time.Second + time.Minute
	}
	return 10 * time.Minute
}
